"""The project that a door or a job opened, for who calls, and the one way to change it.

It has no methods but reading and committing; what is done with it are functions, which take it (decision 55).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from limpet.ground.event_log import Actor
from limpet.ground.recording import record
from limpet.ground.safety.redaction import redact
from limpet.ground.workspace import Workspace
from limpet.memory.model.layout import WHOLE_STORE
from limpet.operations.caller import Caller
from limpet.operations.project_state import ProjectState
from limpet.work.in_force import find_in_force
from limpet.work.pipeline.state import Move
from limpet.work.project import Session, archive_closed, change_project, closed_places, with_changes
from limpet.work.session import read_state

# What a project forgets where its files were written.
OF_THE_FILES = (
    "_settings",
    "settings",
    "mistakes",
    "limits",
    "_session",
    "session",
    "problems",
    "in_force",
    "workflow",
    "step",
    "conversation",
)

Decision = Callable[[Session], Move]
"""Chooses a move from the session, and raises LimpetError against it."""


class Project(ProjectState):
    """A project as one call of a door or a job sees it, for who calls.

    What it has read stays as it is until a ``commit`` or a ``refresh``.
    """

    def __init__(self, workspace: Workspace, find_caller: Callable[[Project], Caller]) -> None:
        """Open the project; ``find_caller`` is asked once, when it first counts who calls."""
        super().__init__(workspace)
        self._find_caller = find_caller

    @cached_property
    def caller(self) -> Caller:
        """Who calls, through which door, and when."""
        return self._find_caller(self)

    @cached_property
    def conversation(self) -> dict[str, Any]:
        """The state of the caller's own conversation, empty where there is none."""
        return read_state(self.workspace, self.caller.conversation)

    @cached_property
    def actor(self) -> Actor:
        """The caller as the audit log names them."""
        caller = self.caller
        return Actor(caller.writer, caller.now, self.settings["retention"], session=caller.conversation)

    def commit(self, *decisions: Decision) -> Move:
        """Make the moves, each decided on the session that the one before leaves; return the last one.

        The state is written once, an event recorded for each, and the mirror made anew. Raises LimpetError, with
        nothing changed, as a decision and ``work.project.change_project`` do.
        """
        made: list[tuple[Move, Session]] = []

        def change(session: Session) -> dict[Any, Any]:
            if session != self.session:  # somebody wrote meanwhile: the decisions count on what is there now
                self._forget()
                self.session = session
            made.clear()
            changes: dict[Any, Any] = {}
            for decide in decisions:
                move = decide(session)
                session = with_changes(session, move.changes)
                made.append((move, session))
                changes |= move.changes
            return changes

        session = change_project(self.workspace, change)
        if any(move.changes for move, _ in made):
            kept = self.settings["work"]["closed_kept"]
            if closed_places(session, kept):
                archive_closed(self.workspace, kept)
            for move, after in made:
                if move.kind:
                    actor = self.actor.replace(agent=find_in_force(after).agent, why=str(move.data.get("reason") or ""))
                    record(self.workspace, actor, move.kind, move.data)
        self.refresh()
        return made[-1][0]

    def refresh(self) -> None:
        """Make the mirror anew, after a file of the project was written, and read again what is asked for next."""
        # Commands that read do without it.
        from limpet.operations.mirror import write_mirror

        self._forget()
        write_mirror(self)

    def _forget(self) -> None:
        for name in OF_THE_FILES:
            self.__dict__.pop(name, None)


def open_as(workspace: Workspace, caller: Caller) -> Project:
    return Project(workspace, lambda project: caller)


def open_unasked(workspace: Workspace) -> Project:
    """Return the project opened by a program of ours, for nobody."""
    return open_as(workspace, Caller(reader=WHOLE_STORE, now=0.0))


def clean(project: Project, text: str) -> str:
    """Return what somebody typed, without secrets."""
    return redact(text, known=project.secrets) if text else ""
