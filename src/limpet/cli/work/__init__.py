"""``limpet work``: where the work stands, its stories, agents, handoffs and documents."""

from __future__ import annotations

import click

from limpet.cli.groups import Commands
from limpet.ground.late import late_modules

agents, spec = late_modules("limpet.cli", "agents spec")
handoff, lock, start, step, story, view = late_modules("limpet.cli.work", "handoff lock start step story view")

COMMANDS = {
    "status": view.status,
    "start": start.start,
    "finish": step.finish_command,
    "approve": step.approve_command,
    "back": step.back_command,
    "deviate": step.deviate_command,
    "set": start.set_command,
    "stop": start.stop,
    "exit": lock.exit,
    "story": story.story,
    "agent": agents.agent,
    "handoff": handoff.handoff,
    "spec": spec.spec,
}


@click.group(cls=Commands, sections={"Commands": COMMANDS})
def work() -> None:
    """Plan work, and keep agents at their step of it.

    \b
    Examples:
      limpet work status
      limpet work start solo
      limpet work story add "Add the export"
    """


@work.command("backlog", hidden=True)
@click.pass_context
def backlog_command(context: click.Context) -> None:
    """Show what waits: `limpet work story list`.

    \b
    Examples:
      limpet work backlog
    """
    listed = work.get_command(context, "story")
    assert listed
    listed.main(["list"], prog_name="limpet work story", standalone_mode=False)
