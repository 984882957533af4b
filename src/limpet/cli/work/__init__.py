"""``limpet work``; its commands, and ``story``, ``handoff``, ``lock`` and ``spawn``, have files of their own."""

from __future__ import annotations

import click

from limpet.cli.groups import Commands


@click.group(
    cls=Commands,
    sections={
        "See": {"status": "limpet.cli.work.status", "gate": "limpet.cli.work.gate"},
        "Follow a workflow": {
            "start": "limpet.cli.work.choose",
            "finish": "limpet.cli.work.finish:finish_command",
            "approve": "limpet.cli.work.approve:approve_command",
            "advance": "limpet.cli.work.moves:advance_command",
            "back": "limpet.cli.work.moves:back_command",
            "deviate": "limpet.cli.work.moves:deviate_command",
            "stop": "limpet.cli.work.stop",
        },
        "Set": dict.fromkeys(("task", "squad", "mode", "level"), "limpet.cli.work.choose"),
        "Plan": {"backlog": "limpet.cli.work.backlog", "story": "limpet.cli.work.story"},
    },
)
def work() -> None:
    """Show and change where the work stands.

    \b
    Examples:
      limpet work status
      limpet work start solo
      limpet work task "Add the export" --id S-12
      limpet work finish handoff.md
    """
