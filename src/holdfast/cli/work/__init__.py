"""``holdfast work``; its commands, and ``story``, ``handoff``, ``lock`` and ``spawn``, have files of their own."""

from __future__ import annotations

import click

from holdfast.cli.groups import Commands


@click.group(
    cls=Commands,
    sections={
        "See": {"status": "holdfast.cli.work.status", "gate": "holdfast.cli.work.gate"},
        "Follow a workflow": {
            "start": "holdfast.cli.work.choose",
            "finish": "holdfast.cli.work.finish:finish_command",
            "approve": "holdfast.cli.work.approve:approve_command",
            "advance": "holdfast.cli.work.moves:advance_command",
            "back": "holdfast.cli.work.moves:back_command",
            "deviate": "holdfast.cli.work.moves:deviate_command",
            "stop": "holdfast.cli.work.stop",
        },
        "Set": dict.fromkeys(("task", "squad", "mode", "level"), "holdfast.cli.work.choose"),
        "Plan": {"backlog": "holdfast.cli.work.backlog", "story": "holdfast.cli.work.story"},
    },
)
def work() -> None:
    """Show and change where the work stands.

    \b
    Examples:
      holdfast work status
      holdfast work start solo
      holdfast work task "Add the export" --id S-12
      holdfast work finish handoff.md
    """
