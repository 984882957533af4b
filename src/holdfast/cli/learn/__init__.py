"""``holdfast learn``."""

from __future__ import annotations

import click

from holdfast.cli.groups import Commands


@click.group(
    cls=Commands,
    sections={
        "Learn": dict.fromkeys(("consolidate", "undo"), "holdfast.cli.learn.consolidate"),
        "Understand": {"explain": "holdfast.cli.learn.explain"},
    },
)
def learn() -> None:
    """Learn from work: observations become knowledge.

    \b
    Examples:
      holdfast learn consolidate --dry-run
      holdfast learn explain PR-001
    """
