"""``limpet work``; its commands, and ``story``, ``handoff``, ``lock`` and ``spawn``, have files of their own."""

from __future__ import annotations

import click

from limpet.cli.groups import Commands


@click.group(
    cls=Commands,
    sections={
        "See": {"status": "limpet.cli.work.view", "gate": "limpet.cli.work.step"},
        "Follow a workflow": {
            "start": "limpet.cli.work.start",
            "finish": "limpet.cli.work.step:finish_command",
            "approve": "limpet.cli.work.step:approve_command",
            "advance": "limpet.cli.work.step:advance_command",
            "back": "limpet.cli.work.step:back_command",
            "deviate": "limpet.cli.work.step:deviate_command",
            "stop": "limpet.cli.work.start",
        },
        "Set": {"set": "limpet.cli.work.start:set_command"},
    },
)
def work() -> None:
    """Show and change where the work stands.

    \b
    Examples:
      limpet work status
      limpet work start solo
      limpet work set --task "Add the export" --id S-12
      limpet work finish handoff.md
    """
