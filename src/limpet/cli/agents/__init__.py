"""``limpet agent``."""

from __future__ import annotations

import click

from limpet.cli.groups import Commands


@click.group(
    cls=Commands,
    sections={
        "Commands": {
            "activate": "limpet.cli.agents.choose",
            "deactivate": "limpet.cli.agents.choose",
            "list": "limpet.cli.agents.choose:list_agents",
            "new": "limpet.cli.agents.new",
            "show": "limpet.cli.agents.show",
        }
    },
)
def agent() -> None:
    """Choose the active agent, show and make agents.

    \b
    Examples:
      limpet agent list
      limpet agent activate qa
      limpet agent new marketing-lead
    """
