"""``limpet work stop``: ends everything that is under way."""

from __future__ import annotations

import click

from limpet.cli.caller import obtain_for, open_project, yes_option
from limpet.cli.output import emit, json_option
from limpet.cli.work.output import session_option
from limpet.hosts.leaving import stop_work
from limpet.operations.work.stop import stop_conversation


@click.command()
@session_option
@yes_option
@json_option
def stop(session_id: str | None, agreed: bool, as_json: bool) -> None:
    """End all that is under way: workflow, agent, task, lock.

    The story in hand is a draft again, and the mode is cleared. What a workflow reached is kept: `limpet work start
    NAME` goes on with it. A coding agent needs your word to leave a workflow half-way.

    \b
    Examples:
      limpet work stop
      limpet work stop --session 5f0c2a
    """
    end_work(session_id, agreed, as_json)


def end_work(session_id: str | None, agreed: bool, as_json: bool) -> None:
    """End what is under way, for one conversation where it is named, and say so."""
    project = open_project(by="limpet work stop")
    if session_id is None:
        done = stop_work(project, obtain_for(project.workspace, agreed))
    else:
        done = stop_conversation(project, session_id)
    emit({"changed": done.changes, "in": done.place, "lines": list(done.lines)}, done.lines, as_json)
