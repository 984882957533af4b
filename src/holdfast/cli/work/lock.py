"""``holdfast lock|exit|resume``: shows, releases and takes the session lock."""

from __future__ import annotations

from typing import Any

import click

from holdfast.cli.caller import caller_of
from holdfast.cli.output import emit, json_option, require_workspace
from holdfast.hosts.leaving import leave_session
from holdfast.operations.work import lock as operations
from holdfast.operations.work.lock import LockResult
from holdfast.work.in_force import find_in_force


@click.command()
@json_option
def lock(as_json: bool) -> None:
    """Show whether the session is locked.

    `holdfast resume` locks it.

    \b
    Examples:
      holdfast lock
      holdfast lock --json
    """
    workspace = require_workspace()
    _tell(operations.show(workspace, caller_of(workspace, by="holdfast lock")), {}, as_json)


@click.command()
@json_option
def resume(as_json: bool) -> None:
    """Lock the session and show where the work stands.

    \b
    Examples:
      holdfast resume
      holdfast resume --json
    """
    workspace = require_workspace()
    _tell(operations.resume(workspace, caller_of(workspace, by="holdfast resume")), {}, as_json)


@click.command()
@json_option
def exit(as_json: bool) -> None:
    """Leave the session and release its lock.

    What the conversation taught is kept. The lock is released for all conversations.

    \b
    Examples:
      holdfast exit
      holdfast exit --json
    """
    workspace = require_workspace()
    done = leave_session(workspace, caller_of(workspace, by="holdfast exit"))
    _tell(done, {"digest": done.kept}, as_json)


def _tell(done: LockResult, more: dict[str, Any], as_json: bool) -> None:
    session = done.session
    known = {
        "workflow": session.get("workflow"),
        "current_agent": find_in_force(session).agent or None,
        "task": session.get("task"),
    }
    data = {"lock": session.get("lock"), "changed": done.changed, **known, **more, "lines": list(done.lines)}
    emit(data, done.lines, as_json)
