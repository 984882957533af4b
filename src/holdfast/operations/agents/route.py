"""Says whose work a request is, and the command that begins it."""

from __future__ import annotations

from holdfast.agents.routing.route import NONE, command, route
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.operations.conversations import find_conversation
from holdfast.work.in_force import find_in_force
from holdfast.work.project import read_project
from holdfast.work.session import read_state


class Routed(Value):
    """A request that was routed.

    ``ceremony``, ``workflow``, ``kind``, ``agent``, ``confidence``, ``why``: as the router has them.
    ``command``: what begins it, "" where it is just to be done.
    """

    ceremony: str
    workflow: str
    kind: str
    agent: str
    confidence: float
    why: tuple[str, ...]
    command: str


def route_request(workspace: Workspace | None, text: str, conversation: str | None = None) -> Routed:
    """Return whose work the request is; whether it leaves what is under way, by the project's or conversation's state.

    Raise HoldfastError where that cannot be read.
    """
    found = route(text, at_work=workspace is not None and _is_at_work(workspace, conversation))
    return Routed(
        ceremony=found.ceremony,
        workflow=found.workflow,
        kind=found.kind,
        agent=found.agent,
        confidence=round(found.confidence, 2),
        why=found.why,
        command=command(found) if found.ceremony != NONE else "",
    )


def _is_at_work(workspace: Workspace, conversation: str | None) -> bool:
    session = find_conversation(workspace, conversation) if conversation else ""
    found = find_in_force(read_project(workspace)[0], read_state(workspace, session))
    return bool(found.workflow or found.task)
