"""The one way to change a project's session: decisions become one write, their events, and a mirror made anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from limpet.ground.recording import record
from limpet.operations.project import Project
from limpet.work.in_force import find_in_force
from limpet.work.pipeline.state import Move
from limpet.work.project import Session, archive_closed, change_project, closed_places, with_changes

Decision = Callable[[Session], Move]
"""Chooses a move from the session, and raises LimpetError against it."""


def commit(project: Project, *decisions: Decision) -> Move:
    """Make the moves, each decided on the session that the one before leaves; return the last. The state is written
    once. Raises LimpetError, with nothing changed, as a decision and ``work.project.change_project`` do."""
    made: list[tuple[Move, Session]] = []

    def change(session: Session) -> dict[Any, Any]:
        if session != project.session:  # somebody wrote meanwhile: the decisions count on what is there now
            project.forget()
            project.session = session
        made.clear()
        changes: dict[Any, Any] = {}
        for decide in decisions:
            move = decide(session)
            session = with_changes(session, move.changes)
            made.append((move, session))
            changes |= move.changes
        return changes

    session = change_project(project.workspace, change)
    if any(move.changes for move, _ in made):
        kept = project.settings["work"]["closed_kept"]
        if closed_places(session, kept):
            archive_closed(project.workspace, kept)
        for move, after in made:
            if move.kind:
                actor = project.actor.replace(agent=find_in_force(after).agent, why=str(move.data.get("reason") or ""))
                record(project.workspace, actor, move.kind, move.data)
    refresh(project)
    return made[-1][0]


def refresh(project: Project) -> None:
    """Make the mirror anew, after a file of the project was written, and read again what is asked for next."""
    # Commands that read do without it.
    from limpet.operations.mirror import write_mirror

    project.forget()
    write_mirror(project)
