"""A move of the pipeline put into effect: the session written, then the event into the audit log."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from holdfast.ground.events import append_event
from holdfast.ground.names import safe_name
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.work.pipeline.move import Move
from holdfast.work.project import change_project


class Actor(Value):
    """Who acts: the ``writer`` (a person's or an agent's name), the moment ``now`` in seconds, the configuration's
    section ``retention``, and where known the conversation."""

    writer: str
    now: float
    retention: dict[str, Any]
    session: str = ""


def make_move(
    workspace: Workspace, decide: Callable[[dict[str, Any]], Move], actor: Actor
) -> tuple[dict[str, Any], Move]:
    """Let ``decide`` choose the move from the session as it stands, write it, and record it; gives the new session and
    the move. Raises HoldfastError, with nothing changed, as ``change_project`` and ``decide`` do."""
    moves: list[Move] = []

    def change(session: dict[str, Any]) -> dict[Any, Any]:
        moves.append(decide(session))
        return moves[-1].changes

    session = change_project(workspace, change)
    if moves[-1].changes:
        _record(workspace, moves[-1], actor, session.get("current_agent"))
    return session, moves[-1]


def _record(workspace: Workspace, move: Move, actor: Actor, agent: object) -> None:
    """A disk that refuses loses the line, not the move that it tells of."""
    with suppress(OSError, ValueError):
        append_event(
            workspace.shared,
            safe_name(actor.writer),
            move.kind,
            move.data,
            actor.now,
            actor.retention,
            writer=actor.writer,
            session=actor.session,
            agent=agent,
            why=move.data.get("reason"),
        )
