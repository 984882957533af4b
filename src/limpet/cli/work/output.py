"""Shared by the work commands: their options, and the output of a move and a choice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from limpet.cli.output import emit, tell
from limpet.operations.project import Project
from limpet.operations.work.choices import Chosen
from limpet.work.pipeline.move import Move

session_option: Callable[[Any], Any] = click.option(
    "--session", "session_id", metavar="ID", help="Change this conversation only, not the project."
)
clear_option: Callable[[Any], Any] = click.option("--clear", is_flag=True, help="Clear the value.")

Shown = tuple[dict[str, Any], tuple[str, ...]]
"""What is shown beside: fields for programs, and lines for people."""
NO_STEP: Shown = ({}, ())

WORDS = {
    "current_agent": "active agent",
    "mode": "pipeline mode",
    "permission": "permission mode",
    "user_level": "user level",
}


def required(value: str | None, clear: bool, name: str) -> str | None:
    """Return the argument, None to clear. Raises click.UsageError when both or neither are given."""
    given = (value or "").strip()
    if bool(given) == clear:
        raise click.UsageError(f"give {name} or --clear")
    return given or None


def tell_move(project: Project, move: Move, as_json: bool, step: Shown = NO_STEP) -> None:
    """Print a move that was made, and the step that is due then."""
    data = {"did": move.kind, **move.data, "revision": project.session.get("revision", 0), **step[0]}
    emit(data, [*move.message.splitlines(), *step[1]], as_json)


def tell_choice(chosen: Chosen, as_json: bool, step: Shown = NO_STEP) -> None:
    """Print what was set and where, and the step that is due then; on stderr the warning."""
    note = f": {chosen.note}" if chosen.note else ""
    lines = [
        f"{WORDS.get(key, key)}: {_in_words(value)}{note} ({chosen.place})" for key, value in chosen.changes.items()
    ]
    emit({"changed": chosen.changes, "in": chosen.place, **step[0]}, [*lines, *step[1]], as_json)
    tell(chosen.warning)


def _in_words(value: Any) -> str:
    if not isinstance(value, dict):
        return "none" if value is None else str(value)
    notes = [f"{key} {value[key]}" for key in ("id", "executor") if key in value]
    return f"{value.get('title', '')} [{', '.join(notes)}]"
