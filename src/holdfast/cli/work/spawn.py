"""``holdfast spawn``: a fresh conversation that goes on where another one stands."""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Iterator

import click

from holdfast.cli.output import emit, json_option, require_workspace
from holdfast.ground.config.settings import load_settings
from holdfast.ground.errors import HoldfastError
from holdfast.ground.workspace import Workspace
from holdfast.hosts.spawn import Spawn, choose_parent, plan, start
from holdfast.hosts.surroundings import find_surroundings
from holdfast.work.recovery.criteria import SPAWNED
from holdfast.work.session import read_state


@click.command()
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[-- HOST OPTIONS]")
@click.option("--session", "session_id", metavar="ID", help="Go on from this conversation, not from the newest.")
@click.option("--print", "only_print", is_flag=True, help="Show what would be started, and start nothing.")
@json_option
def spawn(arguments: tuple[str, ...], session_id: str | None, only_print: bool, as_json: bool) -> None:
    """Start a fresh conversation from the newest continuation, in the background.

    The host runs without a terminal and with its own permissions; what stands after -- is handed to it. An agent may do
    this only with `recovery.spawn: on`; where a host cannot, the continuation is written and the way to it told.

    \b
    Examples:
      holdfast spawn
      holdfast spawn --print
      holdfast spawn --session 5f0c2a -- --permission-mode acceptEdits
    """
    workspace = require_workspace()
    around = find_surroundings(os.environ)
    if not only_print and around.host:
        _refuse_unless_allowed(workspace)
    now = time.time()
    parent = choose_parent(workspace, session_id or around.conversation)
    if not only_print and around.host:
        _refuse_a_second(workspace, parent)
    planned = plan(workspace, parent, os.environ, now, arguments)
    started = bool(planned.command) and not only_print
    process = start(workspace, planned, os.environ, now) if started else None
    answer = {**planned.__dict__, "command": list(planned.command), "started": started, "process": process}
    emit(answer, _lines(planned, started), as_json)


def _refuse_unless_allowed(workspace: Workspace) -> None:
    """Raise HoldfastError where the user did not allow it to agents: it costs money and acts without a person."""
    if load_settings(workspace)[0]["recovery"]["spawn"] != "on":
        mend = "a person runs it in a terminal, or sets `recovery.spawn: on`; --print shows the command"
        raise HoldfastError("an agent may not start another conversation", "recovery.spawn", mend)


def _refuse_a_second(workspace: Workspace, parent: str) -> None:
    """Raise HoldfastError where another conversation goes on from this one already: two would do the same work."""
    spawned = read_state(workspace, parent).get("spawned")
    if isinstance(spawned, dict) and spawned.get("session"):
        mend = f"join it: {spawned.get('join') or spawned['session']}; a person may start one more"
        raise HoldfastError("a fresh conversation goes on from this one already", parent, mend)


def _lines(planned: Spawn, started: bool) -> Iterator[str]:
    if not planned.command:
        yield f"{planned.host or 'this host'} cannot be started without a terminal."
        yield "Open a new conversation there, and run: holdfast resume"
    elif started:
        yield f"started: {planned.session}"
        yield f"join it: {planned.join}"
        yield f"log: {planned.log}"
    else:
        yield f"{SPAWNED}={shlex.quote(planned.parent)} {shlex.join(planned.command)} < {planned.path}"
    yield f"continuation: {planned.path}"
