"""The gate of the current step: claims about it, commands that were run for it, and its rounds of correction."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from holdfast.ground.errors import HoldfastError
from holdfast.ground.safety.dotenv import without_secrets
from holdfast.ground.workspace import Workspace
from holdfast.operations.approval import Obtain
from holdfast.operations.caller import Caller
from holdfast.operations.work.facts import facts_of, seals_of
from holdfast.operations.work.pipeline import Moved, agent_at, limits_of, make, require_workflow
from holdfast.work.checks.run import run_command
from holdfast.work.pipeline.gate import reopen
from holdfast.work.pipeline.move import Move
from holdfast.work.pipeline.overview import overview
from holdfast.work.pipeline.records import claim_run, claim_score, forget
from holdfast.work.pipeline.view import current_step
from holdfast.work.project import Session, read_project


def show_gates(workspace: Workspace) -> dict[str, Any]:
    """Return every gate so far by its agent, the current step's among them; ``score`` is None before the first one.

    Raises HoldfastError where no workflow is under way, or the working tree cannot be read.
    """
    session, _ = read_project(workspace)
    workflow = require_workflow(workspace, session)
    step = current_step(session, workflow)
    facts = facts_of(workspace, session, step.agent) if step else seals_of(workspace)
    return dict(overview(session, workflow, limits_of(workspace), "", facts)["gates"])


def claim_step_score(
    workspace: Workspace, caller: Caller, score: float, agent: str = "", criteria: int | None = None
) -> Moved:
    """Record the score, in percent, that the current step is said to have reached: a claim, which opens nothing.

    Raises HoldfastError.
    """
    name, limits = agent_at(workspace, agent), limits_of(workspace)
    return make(
        workspace,
        caller,
        lambda session: claim_score(session, require_workflow(workspace, session), name, score, limits, criteria),
    )


def run_for_gate(
    workspace: Workspace,
    caller: Caller,
    words: Sequence[str],
    folder: str,
    show: Callable[[bytes], object],
    agent: str = "",
    now: Callable[[], float] = time.time,
) -> Moved:
    """Run a command in ``folder`` and keep its exit code and output's digest with the current step's gate, as a claim.

    ``show``: called with each chunk of its output.
    ``now``: the clock, read when the command has ended.

    Raises HoldfastError, with nothing run, where ``agent`` is not the current one.
    """
    name = agent_at(workspace, agent)
    if agent and name != agent_at(workspace):
        raise HoldfastError(f"{name} is not the current agent", "", "The command was not run.")
    done = run_command(words, workspace, folder, show)
    ended = caller.replace(now=now())
    return make(
        workspace,
        ended,
        lambda session: claim_run(session, require_workflow(workspace, session), name, done, ended.now),
    )


def forget_run(workspace: Workspace, caller: Caller, command: str) -> Moved:
    """Withdraw the runs of a check or command from the current step's gate. Raise HoldfastError."""
    name, meant = agent_at(workspace), without_secrets(workspace, command)
    return make(workspace, caller, lambda session: forget(session, require_workflow(workspace, session), name, meant))


def reopen_gate(workspace: Workspace, caller: Caller, obtain: Obtain, agent: str, reason: str) -> Moved:
    """Reset the agent's rounds of correction, on a person's word. Raise HoldfastError where it has some left."""
    name, why, limits = agent_at(workspace, agent), without_secrets(workspace, reason), limits_of(workspace)

    def decide(session: Session) -> Move:
        return reopen(session, require_workflow(workspace, session), name, limits, why)

    decide(read_project(workspace)[0])
    obtain(f"Give {name} new rounds of correction at its gate ({why})")
    return make(workspace, caller, decide)
