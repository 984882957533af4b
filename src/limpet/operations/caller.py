"""The caller of an operation (decision 22): a person or the agent of a conversation, through which door, and when.

Separate from the doors, so that all of them find the caller by the same rules.
"""

from __future__ import annotations

import os

from limpet.ground.errors import LimpetError
from limpet.ground.event import NOWHERE, Surroundings
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.memory.model.layout import WHOLE_STORE, Reader
from limpet.memory.model.rights import owner_name_of
from limpet.work.in_force import find_in_force
from limpet.work.project import read_project
from limpet.work.session import read_state, session_path


class Caller(Value):
    """Who calls an operation; ``by``: what the audit log and the lock call the door (``limpet work exit``), the
    reader's name where it is empty; ``language``: that of the request, for a project that sets none."""

    reader: Reader
    now: float
    surroundings: Surroundings = NOWHERE
    by: str = ""
    language: str = ""

    @property
    def writer(self) -> str:
        return self.by or owner_name_of(self.reader)

    @property
    def conversation(self) -> str:
        """ "" for none."""
        return self.surroundings.conversation


def find_reader(workspace: Workspace, around: Surroundings, interactive: bool) -> Reader:
    """Inside a host the agent of that conversation; elsewhere the project's active agent where nobody sits at a
    terminal (``interactive``), else a person. Raises LimpetError where ``session.yaml`` cannot be read."""
    if around.host:
        return _reader_of(workspace, around)
    agent = "" if interactive else _agent_of(workspace, "")
    return Reader(agent=agent) if agent else WHOLE_STORE


def find_client_reader(workspace: Workspace, around: Surroundings) -> Reader:
    """The agent of the conversation that a client of the MCP server named, else the project's, which sees what is
    shared only. Raises LimpetError where ``session.yaml`` cannot be read."""
    known = bool(around.conversation) and os.path.isfile(session_path(workspace, around.conversation))
    return _reader_of(workspace, around) if known else Reader(agent=_agent_of(workspace, ""), own=False)


def active_agent(workspace: Workspace, conversation: str) -> str:
    """The conversation's agent, else the project's; "" for none, and where the session cannot be read."""
    try:
        session = read_project(workspace)[0]
    except LimpetError:
        session = {}
    return find_in_force(session, read_state(workspace, conversation)).agent


def _reader_of(workspace: Workspace, around: Surroundings) -> Reader:
    """Where several conversations may be the caller's, an agent's own entries are only for one that all have."""
    agent = _agent_of(workspace, around.conversation)
    return Reader(agent=agent, own=all(_agent_of(workspace, each) == agent for each in around.beside))


def _agent_of(workspace: Workspace, conversation: str) -> str:
    return find_in_force(read_project(workspace)[0], read_state(workspace, conversation)).agent


def from_root(workspace: Workspace, path: str) -> str:
    """Return a path typed in the process's folder from the project's root; unchanged where it leads out of that."""
    inside = os.path.relpath(os.path.abspath(path), workspace.root)
    return path if inside.startswith(os.pardir) else inside.replace(os.sep, "/")
