"""``holdfast learn``."""

from __future__ import annotations

import click

from holdfast.cli.groups import Commands


@click.group(
    cls=Commands,
    sections={
        "Observe": {"observe": "holdfast.cli.learn.observe", "applied": "holdfast.cli.learn.applied"},
        "Know": dict.fromkeys(("consolidate", "explain", "reword", "undo"), "holdfast.cli.learn.consolidate"),
        "Rules": {"proposals": "holdfast.cli.learn.proposals"},
    },
)
def learn() -> None:
    """Turn what work shows into knowledge and rules.

    \b
    Examples:
      holdfast learn observe
      holdfast learn applied PR-001
      holdfast learn consolidate --dry-run
      holdfast learn explain PR-001
      holdfast learn proposals
    """
