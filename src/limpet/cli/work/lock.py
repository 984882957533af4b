"""``limpet resume`` and ``limpet work exit``: take and release the session lock, or go on in a new conversation."""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Iterator
from typing import Any

import click

from limpet.cli.caller import obtain_for, open_project, surroundings
from limpet.cli.output import emit, json_option
from limpet.hosts.leaving import leave_session
from limpet.hosts.spawn import Spawn, spawn_session
from limpet.operations.binding import release
from limpet.operations.project import Project
from limpet.operations.work import lock as operations
from limpet.operations.work.lock import COPY, LockAnswer
from limpet.work.recovery import SPAWNED


@click.command()
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[CONVERSATION]")
@click.option("--full", is_flag=True, help="Print all that a conversation left, by default the newest; lock nothing.")
@click.option("--write", is_flag=True, help=f"Write that to {COPY}, for a client that needs a file; lock nothing.")
@click.option("--spawn", is_flag=True, help="Go on in a fresh conversation in the background.")
@click.option("--print", "only_print", is_flag=True, help="With --spawn: show the command without starting it.")
@click.option("--session", "session_id", default="", metavar="ID", help="With --spawn: go on from this conversation.")
@json_option
def resume(
    words: tuple[str, ...],
    full: bool,
    write: bool,
    spawn: bool,
    only_print: bool,
    session_id: str,
    as_json: bool,
) -> None:
    """Lock the session and show where the work stands.

    With --spawn the coding agent runs without a terminal and with its own permissions; arguments after -- are passed to
    it. Agents need `recovery.spawn: on`. If it cannot be started this way, what it would get is written to a file, and
    its path is shown.

    \b
    Examples:
      limpet resume
      limpet resume --full
      limpet resume --spawn
      limpet resume --spawn --session 5f0c2a -- --permission-mode acceptEdits
    """
    if spawn and (full or write):
        raise click.UsageError("--spawn cannot be combined with --full or --write")
    if not spawn and (only_print or session_id or len(words) > 1):
        raise click.UsageError("--print, --session and more than CONVERSATION need --spawn")
    if spawn:
        _spawn(words, session_id, only_print, as_json)
        return
    project = open_project(by="limpet resume")
    if full or write or words:
        text, place = operations.read_what_was_left(project, "".join(words), write)
        emit({"text": text, "file": place or None}, [f"Written to {place}."] if place else text.splitlines(), as_json)
        return
    _tell(project, operations.resume_project(project), {}, as_json)


@click.command()
@json_option
def exit(as_json: bool) -> None:
    """Leave the session and release its lock.

    What the conversation taught is kept. The lock is released for all conversations. A coding agent needs your word
    while an agent is in force.

    \b
    Examples:
      limpet work exit
      limpet work exit --json
    """
    project = open_project(by="limpet work exit")
    done = leave_session(project, obtain_for(project.workspace))
    _tell(project, done, {"digest": done.kept}, as_json)


def _spawn(arguments: tuple[str, ...], session_id: str, only_print: bool, as_json: bool) -> None:
    project = open_project(by="limpet resume --spawn")
    workspace = project.workspace
    if not only_print:  # the new conversation has the project's agent
        release(project, obtain_for(workspace), "Continue in a new conversation", to=project.in_force.agent)
    around, now = surroundings(), time.time()
    planned, process = spawn_session(workspace, around, os.environ, now, session_id, arguments, only_plan=only_print)
    started = process is not None
    answer = {**planned.__dict__, "command": list(planned.command), "started": started, "process": process}
    emit(answer, _lines(planned, started), as_json)


def _tell(project: Project, done: LockAnswer, more: dict[str, Any], as_json: bool) -> None:
    session = project.session
    known = {
        "workflow": session.get("workflow"),
        "current_agent": project.in_force.agent or None,
        "task": session.get("task"),
    }
    data = {"lock": session.get("lock"), "changed": done.changed, **known, **more, "lines": list(done.lines)}
    emit(data, done.lines, as_json)


def _lines(planned: Spawn, started: bool) -> Iterator[str]:
    if not planned.command:
        yield f"{planned.host or 'This host'} cannot be started without a terminal."
        yield "Open a new conversation there and run: limpet resume"
    elif started:
        yield f"Started: {planned.session or 'its id is not known yet'}"
        yield from [f"Join it: {planned.join}"] if planned.join else []
        yield f"Log: {planned.log}"
    else:
        yield f"{planned.path} | {SPAWNED}={shlex.quote(planned.parent)} {shlex.join(planned.command)}"
    yield f"Continuation: {planned.path}"
