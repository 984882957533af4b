"""Who is at the command line (decision 22): a person, or the agent of a conversation. Apart from the commands, so that
every door asks the same question."""

from __future__ import annotations

from collections.abc import Mapping

from holdfast.ground.errors import HoldfastError
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.memory.model.access import PERSON, Reader
from holdfast.work.in_force import find_in_force
from holdfast.work.project import read_project
from holdfast.work.session import read_state


class Host(Value):
    """What a coding agent leaves in the environment of the commands that it runs: variables that mark them, and the
    one that names the conversation."""

    markers: tuple[str, ...]
    conversation: str


HOSTS = (
    Host(
        markers=("CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT"),
        conversation="CLAUDE_CODE_SESSION_ID",
    ),
)


def reader_of(workspace: Workspace, environment: Mapping[str, str], interactive: bool, as_person: bool) -> Reader:
    """Who asks: inside a host the agent of that conversation; elsewhere the project's active agent where nobody sits at
    a terminal (``interactive``), else a person. ``as_person`` is a person's word, and taken at a terminal only.

    Raises HoldfastError for that word from elsewhere, and where ``session.yaml`` cannot be read.
    """
    if as_person:
        return _person_at(interactive)
    if is_inside_host(environment):
        return Reader(agent=_agent_of(workspace, conversation_of(environment)))
    agent = "" if interactive else _agent_of(workspace, "")
    return Reader(agent=agent) if agent else PERSON


def is_inside_host(environment: Mapping[str, str]) -> bool:
    """Whether a coding agent that we know started this process."""
    return any(environment.get(marker) for host in HOSTS for marker in host.markers)


def conversation_of(environment: Mapping[str, str]) -> str:
    """The id of the conversation around this process, "" where there is none."""
    return next((environment[host.conversation] for host in HOSTS if environment.get(host.conversation)), "")


def _person_at(interactive: bool) -> Reader:
    if not interactive:
        raise HoldfastError("--as-person needs a terminal", mend="run it in a terminal of your own")
    return PERSON


def _agent_of(workspace: Workspace, conversation: str) -> str:
    """Return the conversation's agent, else the project's, "" where none is active."""
    return find_in_force(read_project(workspace)[0], read_state(workspace, conversation)).agent
