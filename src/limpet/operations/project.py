"""The project that a door or a job opened, for who calls. It only reads: what is done with it are functions, which
take it (decision 55)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

from limpet.ground.event_log import Actor
from limpet.ground.safety.redaction import redact
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.memory.model.layout import WHOLE_STORE
from limpet.operations.caller import Caller
from limpet.operations.project_state import ProjectState
from limpet.work.session import read_state

Told = TypeVar("Told", bound=Value)
# What a project forgets where its files were written.
OF_THE_FILES = (
    *("_settings", "settings", "mistakes", "limits", "_session", "session"),
    *("problems", "in_force", "workflow", "step", "conversation"),
)


class Project(ProjectState):
    """A project as one call of a door or a job sees it, for who calls; what it has read stays as it is until
    ``operations.commit`` changed it."""

    def __init__(self, workspace: Workspace, find_caller: Callable[[Project], Caller]) -> None:
        """``find_caller`` is asked once, when the project first counts who calls."""
        super().__init__(workspace)
        self._find_caller = find_caller

    @cached_property
    def caller(self) -> Caller:
        return self._find_caller(self)

    @cached_property
    def conversation(self) -> dict[str, Any]:
        return read_state(self.workspace, self.caller.conversation)

    @cached_property
    def actor(self) -> Actor:
        caller = self.caller
        return Actor(caller.writer, caller.now, self.settings["retention"], session=caller.conversation)

    def forget(self) -> None:
        """Read the files again for what is asked next."""
        for name in OF_THE_FILES:
            self.__dict__.pop(name, None)


def open_as(workspace: Workspace, caller: Caller) -> Project:
    return Project(workspace, lambda project: caller)


def open_unasked(workspace: Workspace) -> Project:
    """Open the project for a program of ours."""
    return open_as(workspace, Caller(reader=WHOLE_STORE, now=0.0))


def handed(project: Project, told: Told, *texts: str) -> Told:
    """As the caller gets it: an agent without these fields, where they read like an instruction."""
    if project.caller.reader.person:
        return told
    from limpet.ground.safety.instructions import withheld

    return withheld(told, *texts)


def clean(project: Project, text: str) -> str:
    """Without secrets."""
    return redact(text, known=project.secrets) if text else ""
