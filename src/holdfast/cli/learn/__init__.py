"""``holdfast learn``."""

from __future__ import annotations

import click

from holdfast.cli.groups import Commands


@click.group(cls=Commands, sections={"Observe": {"observe": "holdfast.cli.learn.observe"}})
def learn() -> None:
    """Observe work, and learn from what was observed.

    \b
    Examples:
      holdfast learn observe
    """
