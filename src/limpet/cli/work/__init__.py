"""``limpet work``; its commands, and ``story``, ``handoff``, ``lock`` and ``spawn``, have files of their own."""

from __future__ import annotations

import click

from limpet.cli.groups import Commands
from limpet.ground.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.cli.work import start, step, view
else:
    start = Late("limpet.cli.work.start")
    step = Late("limpet.cli.work.step")
    view = Late("limpet.cli.work.view")

SECTIONS = {
    "See": {"status": view.status, "gate": step.gate},
    "Follow a workflow": {
        "start": start.start,
        "finish": step.finish_command,
        "approve": step.approve_command,
        "advance": step.advance_command,
        "back": step.back_command,
        "deviate": step.deviate_command,
        "stop": start.stop,
    },
    "Set": {"set": start.set_command},
}


@click.group(cls=Commands, sections=SECTIONS)
def work() -> None:
    """Show and change where the work stands.

    \b
    Examples:
      limpet work status
      limpet work start solo
      limpet work set --task "Add the export" --id S-12
      limpet work finish handoff.md
    """
