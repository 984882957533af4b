"""``holdfast spawn``: starts a fresh conversation from another one's continuation."""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Iterator

import click

from holdfast.cli.output import emit, json_option, require_workspace
from holdfast.hosts.spawn import Spawn
from holdfast.hosts.spawn import spawn as spawn_conversation
from holdfast.hosts.surroundings import find_surroundings
from holdfast.work.recovery.criteria import SPAWNED


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
    planned, process = spawn_conversation(
        workspace,
        find_surroundings(os.environ),
        os.environ,
        time.time(),
        session_id or "",
        arguments,
        only_plan=only_print,
    )
    started = process is not None
    answer = {**planned.__dict__, "command": list(planned.command), "started": started, "process": process}
    emit(answer, _lines(planned, started), as_json)


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
