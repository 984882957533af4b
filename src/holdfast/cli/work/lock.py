"""``holdfast lock``, ``holdfast exit`` and ``holdfast resume``: whether the session is locked, leaving it, going on."""

from __future__ import annotations

import os
import time
from typing import Any

import click

from holdfast.cli.caller import caller_of
from holdfast.cli.output import emit, json_option, require_workspace
from holdfast.engine.worker import run_job
from holdfast.ground.config.settings import load_settings
from holdfast.ground.errors import HoldfastError
from holdfast.ground.text.messages import say
from holdfast.ground.workspace import Workspace
from holdfast.hosts.surroundings import find_surroundings
from holdfast.operations.conversations import newest_conversation, read_conversation
from holdfast.operations.lock import Turned, language_of, leave, show
from holdfast.operations.lock import resume as take_up
from holdfast.operations.work_status import active_agent


@click.command()
@json_option
def lock(as_json: bool) -> None:
    """Show whether the session is locked, and where the work stands. `holdfast resume` locks it.

    \b
    Examples:
      holdfast lock
      holdfast lock --json
    """
    workspace = require_workspace()
    _tell(show(workspace, caller_of(workspace, by="holdfast lock")), {}, as_json)


@click.command()
@json_option
def resume(as_json: bool) -> None:
    """Lock the session and say where the work stands, to go on from there.

    \b
    Examples:
      holdfast resume
      holdfast resume --json
    """
    workspace = require_workspace()
    turned = take_up(workspace, caller_of(workspace, by="holdfast resume"))
    _tell(turned, {}, as_json)


@click.command()
@json_option
def exit(as_json: bool) -> None:
    """Leave the session: keep what the conversation taught, lift the lock for all conversations.

    \b
    Examples:
      holdfast exit
      holdfast exit --json
    """
    workspace = require_workspace()
    turned = leave(workspace, caller_of(workspace, by="holdfast exit"))
    kept = turned.changed and _keep_digest(workspace)
    if kept:
        line = say("exit.digest", language_of(turned.session))
        turned = turned.replace(lines=(*turned.lines, line))
    _tell(turned, {"digest": kept}, as_json)


def _keep_digest(workspace: Workspace) -> bool:
    """Whether the conversation around this process, else the newest one, was captured."""
    settings, _ = load_settings(workspace)
    orders = _conversation(workspace)
    if not orders.get("transcript") or not settings["memory"]["capture"]:
        return False
    patience = settings["hosts"]["capture_deadline_ms"] / 1000
    return run_job(workspace, "capture", {**orders, "now": time.time()}, patience) is not None


def _conversation(workspace: Workspace) -> dict[str, Any]:
    own = find_surroundings(os.environ).conversation
    try:
        state = read_conversation(workspace, own) if own else newest_conversation(workspace)
    except HoldfastError:
        state = None
    if state is None:
        return {}
    return {
        "session": state["id"],
        "host": state["host"],
        "transcript": state.get("transcript"),
        "agent": active_agent(workspace, state["id"]),
    }


def _tell(turned: Turned, more: dict[str, Any], as_json: bool) -> None:
    session = turned.session
    known = {name: session.get(name) for name in ("workflow", "current_agent", "task")}
    data = {"lock": session.get("lock"), "changed": turned.changed, **known, **more, "lines": list(turned.lines)}
    emit(data, turned.lines, as_json)
