"""How commands change where the work stands: for the project, or with ``--session`` for one conversation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import click

from holdfast.cli.output import emit
from holdfast.ground.errors import HoldfastError
from holdfast.ground.workspace import Workspace
from holdfast.operations.mirror import refresh
from holdfast.work.project import NAME, accept_changes, update_project

session_option: Callable[[Any], Any] = click.option(
    "--session", "session_id", metavar="ID", help="Change this conversation only, not the project."
)
clear_option: Callable[[Any], Any] = click.option("--clear", is_flag=True, help="Set it to nothing.")

CONVERSATION_KEYS = {"current_agent": "active_agent"}
"""What a conversation's own state calls a key of the project's session."""
WORDS = {"current_agent": "active agent", "mode": "pipeline mode"}


def change_state(workspace: Workspace, key: str, value: Any, session_id: str | None, as_json: bool) -> None:
    """Set one key of the session (None clears it), refresh the mirror and print what changed. Raises HoldfastError."""
    changes = accept_changes({key: value})
    if session_id is None:
        update_project(workspace, changes)
        refresh(workspace)
    else:
        _change_conversation(workspace, session_id, changes)
    place = NAME if session_id is None else f"session {session_id}"
    emit({"changed": changes, "in": place}, [f"{WORDS.get(key, key)}: {_in_words(changes[key])} ({place})"], as_json)


def required(value: str | None, clear: bool, name: str) -> str | None:
    """The argument, or None to clear. Raises click.UsageError when both or neither are given."""
    given = (value or "").strip()
    if bool(given) == clear:
        raise click.UsageError(f"give either {name} or --clear")
    return given or None


def _change_conversation(workspace: Workspace, session_id: str, changes: Mapping[str, Any]) -> None:
    from holdfast.work.session import change_session

    named = {CONVERSATION_KEYS.get(key, key): value for key, value in changes.items()}
    try:
        change_session(workspace, session_id, named)
    except OSError as error:
        raise HoldfastError(str(error), f"session {session_id}", "nothing was changed; try again") from None


def _in_words(value: Any) -> str:
    if not isinstance(value, dict):
        return "none" if value is None else str(value)
    notes = [f"{key} {value[key]}" for key in ("id", "executor") if key in value]
    return f"{value.get('title', '')} [{', '.join(notes)}]"
