"""Hands work over to the next agent, and checks handoffs."""

from __future__ import annotations

from typing import Any

from holdfast.ground.config.settings import load_settings
from holdfast.ground.text.lookup import resolve_name
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.operations.caller import Caller
from holdfast.operations.mirror import refresh
from holdfast.operations.work.actor import actor_of
from holdfast.operations.work.documents import track_outputs
from holdfast.operations.work.facts import as_proven, seals_of
from holdfast.operations.work.pipeline import agent_id, known_agent, limits_of
from holdfast.work.handoffs.check import Bounds, check_handoff
from holdfast.work.handoffs.draft import known_handoff, threshold_of
from holdfast.work.handoffs.handoff import Handoff
from holdfast.work.handoffs.store import (
    Written,
    complete_text,
    handoff_agents,
    handoff_name,
    read_handoff,
    unknown,
    verify_handoff,
    write_handoff,
    write_handoff_file,
)
from holdfast.work.handoffs.text import read_handoff_text, split_decision
from holdfast.work.markdown_file import set_document_keys
from holdfast.work.pipeline.workflow import workflow_under_way
from holdfast.work.project import change_project, read_project
from holdfast.work.reason import Reason


class Content(Value):
    """The content of a handoff, as its author gives it.

    ``outputs``: paths of files that were made, from the project's root.
    ``decisions``: each as ``WHAT: HOW``.
    ``met``, ``unmet``: acceptance criteria.
    ``details``: the second layer.
    ``status``: "" for complete.
    ``task``: "" for the session's task.
    """

    summary: str
    outputs: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    blockers: tuple[str, ...] = ()
    met: tuple[str, ...] = ()
    unmet: tuple[str, ...] = ()
    details: str = ""
    status: str = ""
    task: str = ""


def hand_over(
    workspace: Workspace, caller: Caller, agent: str, to: str, content: Content, score: float | None = None
) -> Written:
    """Hand over from ``agent`` to another one, unless a grave reason refuses it; ``score`` replaces the gate's.

    Raises HoldfastError for an unknown agent, and where nothing can be written.
    """
    known, bounds = _known(workspace, agent, to, score)
    made = known.replace(
        summary=content.summary,
        status=content.status or known.status,
        from_task=content.task or known.from_task,
        decisions=tuple(split_decision(text) for text in content.decisions),
        **{key: getattr(content, key) for key in ("outputs", "blockers", "met", "unmet")},
    )
    return _finish(
        workspace, caller, write_handoff(workspace, made, content.details, actor_of(workspace, caller), bounds)
    )


def hand_over_text(
    workspace: Workspace, caller: Caller, agent: str, to: str, text: str, where: str, score: float | None = None
) -> Written:
    """Hand over with a handoff written as Markdown; ``where`` names it in errors. Raises HoldfastError."""
    known, bounds = _known(workspace, agent, to, score)
    actor = actor_of(workspace, caller)
    completed = complete_text(text, known.replace(status=""), actor.now, where)
    return _finish(workspace, caller, write_handoff_file(workspace, known.from_agent, completed, actor, bounds))


def hand_over_finished(workspace: Workspace, caller: Caller, known: Handoff, text: str, where: str) -> Written:
    """Write the document of a finished step as its handoff, with what is ``known`` in its frontmatter.

    Its score was counted elsewhere. Raises HoldfastError.
    """
    keys = {"status": known.status, "score": known.score}
    completed = complete_text(set_document_keys(text, keys, where), known, caller.now, where)
    bounds = paper_bounds(workspace)
    return _finish(
        workspace,
        caller,
        write_handoff_file(workspace, known.from_agent, completed, actor_of(workspace, caller), bounds),
    )


def paper_bounds(workspace: Workspace) -> Bounds:
    """Return the limits of a handoff whose score is judged elsewhere."""
    lines = load_settings(workspace)[0]["work"]["handoff"]
    return Bounds(threshold=0.0, first_lines=lines["first_lines"], second_lines=lines["second_lines"])


def find_handoff(workspace: Workspace, agent: str) -> Handoff:
    """Return the handoff of an agent, by id or alias; as verified only where the finish of its step says so.

    Raises HoldfastError where there is none.
    """
    session, _ = read_project(workspace)
    name = agent_id(session, agent)
    found = read_handoff(workspace, resolve_name(name, handoff_agents(workspace), lambda: unknown(name)))
    if found is None:
        raise unknown(name)
    return as_proven(session, found, seals_of(workspace))


def check_handoffs(workspace: Workspace, agent: str = "") -> dict[str, tuple[Reason, ...]]:
    """Return the reasons against each handoff by its agent: of one agent, or of all that have one.

    Raises HoldfastError where the one agent has none.
    """
    session, _ = read_project(workspace)
    names = [agent_id(session, agent)] if agent else handoff_agents(workspace)
    return {name: verify_handoff(workspace, name, _bounds(workspace, session, name)) for name in names}


def check_draft(workspace: Workspace, text: str, where: str) -> tuple[Reason, ...]:
    """Return every reason against a draft. Raises HoldfastError for one that cannot be read."""
    session, _ = read_project(workspace)
    draft = read_handoff_text(text, where)
    bounds = _bounds(workspace, session, agent_id(session, draft.from_agent))
    return check_handoff(draft, workspace.root, bounds, where)


def _known(workspace: Workspace, agent: str, to: str, score: float | None) -> tuple[Handoff, Bounds]:
    session, _ = read_project(workspace)
    giver, taker = (known_agent(workspace, name) for name in (agent, to))
    mode = load_settings(workspace)[0]["work"]["mode"]
    return known_handoff(session, giver, taker, mode, score), _bounds(workspace, session, giver)


def _bounds(workspace: Workspace, session: dict[str, Any], agent: str) -> Bounds:
    threshold = threshold_of(session, workflow_under_way(workspace, session), agent, limits_of(workspace))
    return paper_bounds(workspace).replace(threshold=threshold)


def _finish(workspace: Workspace, caller: Caller, written: Written) -> Written:
    """Record a handoff that was written as the session's last one, and track the documents that it names."""
    if not written.refused:
        name = handoff_name(written.handoff.from_agent)
        change_project(workspace, lambda _: {"last_handoff": name})
        track_outputs(workspace, caller, written.handoff.outputs)
        refresh(workspace)
    return written
