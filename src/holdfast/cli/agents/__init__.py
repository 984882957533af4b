"""``holdfast agent``."""

from __future__ import annotations

import click

from holdfast.cli.groups import Commands


@click.group(
    cls=Commands,
    sections={
        "Commands": {
            "activate": "holdfast.cli.agents.choose",
            "deactivate": "holdfast.cli.agents.choose",
            "list": "holdfast.cli.agents.choose:list_agents",
            "new": "holdfast.cli.agents.new",
            "show": "holdfast.cli.agents.show",
        }
    },
)
def agent() -> None:
    """Choose the active agent, show and make agents.

    \b
    Examples:
      holdfast agent list
      holdfast agent activate qa
      holdfast agent new marketing-lead
    """
