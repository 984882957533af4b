"""Shared by the use-cases of the pipeline: finds the limits, workflow, step and agent, and makes a move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from holdfast.ground.config.settings import load_settings
from holdfast.ground.errors import HoldfastError
from holdfast.ground.text.lookup import resolve_name
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.operations.agents.known import own_agents, unknown_agent
from holdfast.operations.caller import Caller
from holdfast.operations.mirror import refresh
from holdfast.operations.work.actor import actor_of
from holdfast.roles.roster import AGENTS
from holdfast.work.in_force import find_in_force, resolve_agent
from holdfast.work.journal import make_move
from holdfast.work.pipeline.deviation import settle
from holdfast.work.pipeline.move import Limits, Move, read_limits
from holdfast.work.pipeline.view import require_step
from holdfast.work.pipeline.workflow import Workflow, agent_name, workflow_under_way
from holdfast.work.pipeline.workflow_files import workflow_names
from holdfast.work.project import Session, read_project
from holdfast.work.session import read_state

# Kinds of moves that leave the pipeline where it stands, and the one that begins it.
NOT_OF_THE_PIPELINE = ("work.started", "work.mode", "work.backlog_added", "work.backlog_changed")


class Moved(Value):
    """A move that was made.

    ``move``: its kind and data.
    ``session``: the project's session after it.
    ``lines``: the answer for the person, and questions to them.
    """

    move: Move
    session: dict[str, Any]
    lines: tuple[str, ...]


class NeedsAgreement(HoldfastError):
    """The user has to agree first; nothing was changed. ``lines`` is the text to read before that."""

    def __init__(self, what: str, lines: tuple[str, ...] = ()) -> None:
        super().__init__(what, "", "ask the user")
        self.lines = lines


def make(workspace: Workspace, caller: Caller, decide: Callable[[Session], Move]) -> Moved:
    """Make the move that ``decide`` chooses, record it and refresh the mirror.

    Raises HoldfastError, with nothing changed, also for a move of a pipeline that the caller's conversation is not
    shown.
    """

    def decide_shown(session: Session) -> Move:
        move = decide(session)
        if move.kind not in NOT_OF_THE_PIPELINE:
            _refuse_unseen(workspace, session, caller.conversation)
        return settle(session, move, caller.now)

    session, move = make_move(workspace, decide_shown, actor_of(workspace, caller))
    refresh(workspace)
    return Moved(move=move, session=session, lines=(move.message,))


def _refuse_unseen(workspace: Workspace, session: Session, conversation: str) -> None:
    """Raise HoldfastError where the conversation has a workflow of its own: its block shows no pipeline."""
    found = find_in_force(session, read_state(workspace, conversation))
    if not found.follows_project:
        what = f"This conversation follows {found.workflow}, not the project's {session.get('workflow') or 'work'}"
        hint = f"To return to the project's, run: holdfast work start --clear --session {conversation}"
        raise HoldfastError(what, "", hint)


def limits_of(workspace: Workspace) -> Limits:
    """Return the configured gate and rounds of correction."""
    return read_limits(load_settings(workspace)[0])


def require_workflow(workspace: Workspace, session: Session) -> Workflow:
    """Return the workflow under way. Raises HoldfastError where there is none, or none of its name."""
    found = workflow_under_way(workspace, session)
    if found is not None:
        return found
    name, names = find_in_force(session).workflow, ", ".join(workflow_names(workspace))
    if not name:
        raise HoldfastError("No workflow is active", "", f"Run: holdfast work start WORKFLOW ({names})")
    hint = f"Workflows: {names}. To add one, write it to .holdfast/workflows/."
    raise HoldfastError(f"Unknown workflow: {name}", "", hint)


def agent_at(workspace: Workspace, name: str = "") -> str:
    """Return the agent that an id or alias stands for, without a name that of the current step.

    A move names this agent, so that one which somebody else made meanwhile is noticed. Raises HoldfastError where no
    workflow is under way.
    """
    session = read_project(workspace)[0]
    if name:
        return agent_id(session, name)
    return require_step(session, require_workflow(workspace, session)).agent


def agent_id(session: Session, name: str) -> str:
    """Return the agent that an id or alias stands for; names in the project's workflow come first."""
    plain = agent_name(name)
    known = session.get("agents") or {}
    found = find_in_force(session)
    return plain if plain in known else resolve_agent(name, found.workflow, found.own_agents) or plain


def known_agent(workspace: Workspace, name: str) -> str:
    """Return the same as ``agent_id``; the beginning of one shipped agent's id stands for it too.

    Raises HoldfastError for an agent neither shipped nor in the workflow.
    """
    session = read_project(workspace)[0]
    found = agent_id(session, name)
    workflow = workflow_under_way(workspace, session)
    own = own_agents(workspace)
    if found in (*AGENTS, *own) or (workflow and workflow.step_of(found)):
        return found
    return resolve_name(found, (*AGENTS, *own), lambda: unknown_agent(name, own))
