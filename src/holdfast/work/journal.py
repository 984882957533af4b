"""Writes a move of the pipeline into the session and into the audit log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from holdfast.ground.config.settings import load_settings
from holdfast.ground.event_log.append import Actor
from holdfast.ground.event_log.record import record
from holdfast.ground.workspace import Workspace
from holdfast.work.archive import archive_closed, closed_places
from holdfast.work.in_force import find_in_force
from holdfast.work.pipeline.move import Move
from holdfast.work.project import change_project


def make_move(
    workspace: Workspace, decide: Callable[[dict[str, Any]], Move], actor: Actor
) -> tuple[dict[str, Any], Move]:
    """Let ``decide`` choose the move from the session, write and record it; return the new session and the move.

    Raises HoldfastError, with nothing changed, as ``change_project`` and ``decide`` do.
    """
    moves: list[Move] = []

    def change(session: dict[str, Any]) -> dict[Any, Any]:
        moves.append(decide(session))
        return moves[-1].changes

    session = change_project(workspace, change)
    if moves[-1].changes:
        move, kept = moves[-1], load_settings(workspace)[0]["work"]["closed_kept"]
        if closed_places(session, kept):
            archive_closed(workspace, kept)
        writer = actor.replace(agent=find_in_force(session).agent, why=str(move.data.get("reason") or ""))
        record(workspace, writer, move.kind, move.data)
    return session, moves[-1]
