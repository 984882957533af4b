"""``holdfast learn``."""

from __future__ import annotations

import click

from holdfast.cli.groups import Commands


@click.group(cls=Commands, sections={"Rules": {"proposals": "holdfast.cli.learn.proposals"}})
def learn() -> None:
    """See what work taught, and make rules of it.

    \b
    Examples:
      holdfast learn proposals
    """
