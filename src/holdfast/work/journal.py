"""Changes of the work put on record: a move of the pipeline written into the session, and every event into the audit
log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from holdfast.ground.config.settings import load_settings
from holdfast.ground.safety.dotenv import read_secrets
from holdfast.ground.safety.redaction import redact, redact_all
from holdfast.ground.storage.event_log import append_event
from holdfast.ground.storage.names import safe_name
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.work.archive import archive_closed, closed_places
from holdfast.work.in_force import find_in_force
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
        move, kept = moves[-1], load_settings(workspace)[0]["work"]["closed_kept"]
        if closed_places(session, kept):
            archive_closed(workspace, kept)
        record(workspace, actor, move.kind, move.data, find_in_force(session).agent, move.data.get("reason"))
    return session, moves[-1]


def record(
    workspace: Workspace, actor: Actor, kind: str, data: Mapping[str, Any], agent: object = None, why: object = None
) -> None:
    """Append an event of this actor's, without secrets. A disk that refuses, and data that is no JSON, lose the line,
    not the change that it tells of."""
    secrets = read_secrets(Path(workspace.root))
    with suppress(OSError, ValueError, TypeError):
        append_event(
            workspace.shared,
            safe_name(actor.writer),
            kind,
            redact_all(data, secrets),
            actor.now,
            actor.retention,
            writer=actor.writer,
            session=actor.session,
            agent=agent or None,
            why=redact(str(why), known=secrets) if why else None,
        )
