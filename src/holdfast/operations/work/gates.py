"""The gate of the current step: its score, the commands run as evidence for it, and its rounds of correction."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from holdfast.ground.errors import HoldfastError
from holdfast.ground.safety.dotenv import without_secrets
from holdfast.ground.workspace import Workspace
from holdfast.operations.caller import Caller
from holdfast.operations.work.pipeline import Moved, agent_at, limits_of, make, require_workflow
from holdfast.work.pipeline.evidence import run_command
from holdfast.work.pipeline.gate import add_evidence, reopen, set_score
from holdfast.work.pipeline.overview import overview
from holdfast.work.project import read_project


def show_gates(workspace: Workspace) -> dict[str, Any]:
    """Return every gate so far by its agent, the current step's last; ``score`` is None before the first one."""
    session, _ = read_project(workspace)
    data = overview(session, require_workflow(workspace, session), limits_of(workspace), "")
    gates, step = data["gates"], data["step"]
    if step and step["agent"] not in gates:
        gates[step["agent"]] = {"score": None, "verified": False, "missing": step["missing"]}
    return dict(gates)


def score_step(
    workspace: Workspace, caller: Caller, score: float, agent: str = "", criteria: int | None = None
) -> Moved:
    """Record the current step's score in percent; below the gate a round of correction begins. Raises HoldfastError."""
    name, limits = agent_at(workspace, agent), limits_of(workspace)
    return make(
        workspace,
        caller,
        lambda session: set_score(session, require_workflow(workspace, session), name, score, limits, criteria),
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
    """Run a command in ``folder`` and keep its exit code and output's digest as evidence for the current step's gate.

    ``show``: called with each chunk of its output.
    ``now``: the clock, read when the command has ended.

    Raises HoldfastError, with nothing run, where ``agent`` is not the current one.
    """
    name = agent_at(workspace, agent)
    if agent and name != agent_at(workspace):
        raise HoldfastError(f"{name} is not the current agent", f"gate of {name}", "the command was not run")
    done = run_command(words, workspace, folder, show)
    ended = caller.replace(now=now())
    return make(
        workspace,
        ended,
        lambda session: add_evidence(session, require_workflow(workspace, session), name, done, ended.now),
    )


def reopen_gate(workspace: Workspace, caller: Caller, agent: str, reason: str) -> Moved:
    """Reset the agent's rounds of correction, as a person decided. Raises HoldfastError."""
    name, why = agent_at(workspace, agent), without_secrets(workspace, reason)
    return make(workspace, caller, lambda session: reopen(session, require_workflow(workspace, session), name, why))
