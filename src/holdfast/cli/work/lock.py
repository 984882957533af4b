"""``holdfast lock``, ``holdfast exit`` and ``holdfast resume``: whether the session is locked, leaving it, going on."""

from __future__ import annotations

from typing import Any

import click

from holdfast.cli.caller import caller_of
from holdfast.cli.output import emit, json_option, require_workspace
from holdfast.engine.worker import run_job
from holdfast.ground.config.settings import load_settings
from holdfast.operations.memory.conversation import Conversation
from holdfast.operations.work.lock import Turned, leave, show
from holdfast.operations.work.lock import resume as take_up
from holdfast.work.in_force import find_in_force


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
    caller = caller_of(workspace, by="holdfast exit")
    patience = load_settings(workspace)[0]["hosts"]["capture_deadline_ms"] / 1000

    def capture(conversation: Conversation) -> bool:
        """Capture in a second process, which goes on by itself where it takes longer than a person waits."""
        orders = {
            "session": conversation.session,
            "host": conversation.host,
            "transcript": conversation.transcript,
            "agent": conversation.agent,
            "now": conversation.now,
        }
        return run_job(workspace, "capture", orders, patience) is not None

    turned = leave(workspace, caller, capture)
    _tell(turned, {"digest": turned.kept}, as_json)


def _tell(turned: Turned, more: dict[str, Any], as_json: bool) -> None:
    session = turned.session
    known = {
        "workflow": session.get("workflow"),
        "current_agent": find_in_force(session).agent or None,
        "task": session.get("task"),
    }
    data = {"lock": session.get("lock"), "changed": turned.changed, **known, **more, "lines": list(turned.lines)}
    emit(data, turned.lines, as_json)
