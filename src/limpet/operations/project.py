"""The project that a door or a job opened: what is in force in it, each file read once, and the one way to change it.

It has no methods but reading and committing; what is done with it are functions, which take it (decision 55).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from limpet.ground.config.settings import load_settings
from limpet.ground.event_log import Actor
from limpet.ground.recording import record
from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.safety.redaction import redact
from limpet.ground.workspace import Workspace
from limpet.memory.model.layout import WHOLE_STORE
from limpet.operations.caller import Caller
from limpet.work.archive import archive_closed, closed_places
from limpet.work.in_force import InForce, find_in_force
from limpet.work.pipeline.state import Limits, Move, read_limits
from limpet.work.pipeline.workflow import Workflow, workflow_under_way
from limpet.work.project import Session, change_project, read_project, with_changes
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
    "conversation",
)

Decision = Callable[[Session], Move]
"""Chooses a move from the session, and raises LimpetError against it."""


class Project:
    """A project as one call of a door or a job sees it.

    What it has read stays as it is until a ``commit`` or a ``refresh``; a property whose file cannot be read raises
    LimpetError, always anew.
    """

    def __init__(self, workspace: Workspace, find_caller: Callable[[Project], Caller]) -> None:
        """Open the project; ``find_caller`` is asked once, when it first counts who calls."""
        self.workspace = workspace
        self._find_caller = find_caller

    @cached_property
    def caller(self) -> Caller:
        """Who calls, through which door, and when."""
        return self._find_caller(self)

    @cached_property
    def settings(self) -> dict[str, Any]:
        return self._settings[0]

    @cached_property
    def mistakes(self) -> list[str]:
        """A line for each setting that does not count."""
        return self._settings[1]

    @cached_property
    def session(self) -> Session:
        """The project's session, as ``work.project.read_project`` returns it."""
        return self._session[0]

    @cached_property
    def problems(self) -> list[str]:
        """A line for each value of the session that does not count."""
        return self._session[1]

    @cached_property
    def conversation(self) -> dict[str, Any]:
        """The state of the caller's own conversation, empty where there is none."""
        return read_state(self.workspace, self.caller.conversation)

    @cached_property
    def in_force(self) -> InForce:
        """What is in force for the project, whatever a conversation has chosen for itself."""
        return find_in_force(self.session)

    @cached_property
    def workflow(self) -> Workflow | None:
        """The workflow under way; None without one, and for a name that brings rules only."""
        return workflow_under_way(self.workspace, self.session)

    @cached_property
    def limits(self) -> Limits:
        """The configured gate and rounds of correction."""
        return read_limits(self.settings)

    @cached_property
    def secrets(self) -> frozenset[str]:
        """The values of the project's ``.env`` files, which no file of ours may hold."""
        return read_secrets(self.workspace.root)

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
        # The mirror is made of the project, so it is known only here; commands that read do without it.
        from limpet.operations.mirror import write_mirror

        self._forget()
        write_mirror(self)

    def _forget(self) -> None:
        for name in OF_THE_FILES:
            self.__dict__.pop(name, None)

    @cached_property
    def _settings(self) -> tuple[dict[str, Any], list[str]]:
        return load_settings(self.workspace)

    @cached_property
    def _session(self) -> tuple[Session, list[str]]:
        return read_project(self.workspace)


def open_as(workspace: Workspace, caller: Caller) -> Project:
    return Project(workspace, lambda project: caller)


def open_unasked(workspace: Workspace) -> Project:
    """Return the project opened by a program of ours, for nobody."""
    return open_as(workspace, Caller(reader=WHOLE_STORE, now=0.0))


def clean(project: Project, text: str) -> str:
    """Return what somebody typed, without secrets."""
    return redact(text, known=project.secrets) if text else ""
