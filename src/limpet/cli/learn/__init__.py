"""``limpet learn``."""

from __future__ import annotations

import click

from limpet.cli.groups import Commands


@click.group(
    cls=Commands,
    sections={
        "Observe": {"observe": "limpet.cli.learn.evidence", "applied": "limpet.cli.learn.evidence"},
        "Know": dict.fromkeys(("consolidate", "explain", "reword", "undo"), "limpet.cli.learn.consolidate"),
        "Rules": {"proposals": "limpet.cli.learn.proposals"},
    },
)
def learn() -> None:
    """Turn what work shows into knowledge and rules.

    \b
    Examples:
      limpet learn observe
      limpet learn applied PR-001
      limpet learn consolidate --dry-run
      limpet learn explain PR-001
      limpet learn proposals
    """
