"""``limpet lock|exit|resume``: shows, releases and takes the session lock."""

from __future__ import annotations

from typing import Any

import click

from limpet.cli.caller import open_project
from limpet.cli.output import emit, json_option
from limpet.hosts.leaving import leave_session
from limpet.operations.project import Project
from limpet.operations.work import lock as operations
from limpet.operations.work.lock import Answer


@click.command()
@json_option
def lock(as_json: bool) -> None:
    """Show whether the session is locked.

    `limpet resume` locks it.

    \b
    Examples:
      limpet lock
      limpet lock --json
    """
    project = open_project(by="limpet lock")
    _tell(project, operations.show(project), {}, as_json)


@click.command()
@json_option
def resume(as_json: bool) -> None:
    """Lock the session and show where the work stands.

    \b
    Examples:
      limpet resume
      limpet resume --json
    """
    project = open_project(by="limpet resume")
    _tell(project, operations.resume(project), {}, as_json)


@click.command()
@json_option
def exit(as_json: bool) -> None:
    """Leave the session and release its lock.

    What the conversation taught is kept. The lock is released for all conversations.

    \b
    Examples:
      limpet exit
      limpet exit --json
    """
    project = open_project(by="limpet exit")
    done = leave_session(project)
    _tell(project, done, {"digest": done.kept}, as_json)


def _tell(project: Project, done: Answer, more: dict[str, Any], as_json: bool) -> None:
    session = project.session
    known = {
        "workflow": session.get("workflow"),
        "current_agent": project.in_force.agent or None,
        "task": session.get("task"),
    }
    data = {"lock": session.get("lock"), "changed": done.changed, **known, **more, "lines": list(done.lines)}
    emit(data, done.lines, as_json)
