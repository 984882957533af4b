"""Hands work over to the next agent, and checks handoffs."""

from __future__ import annotations

from limpet.ground.text.lookup import resolve_name
from limpet.ground.values import Value
from limpet.operations.commit import commit
from limpet.operations.project import Project
from limpet.operations.work.documents import track_outputs
from limpet.operations.work.facts import agent_id, known_agent
from limpet.operations.work.situation import seals_of
from limpet.work.handoff import (
    Handoff,
    as_proven,
    known_handoff,
    read_handoff_text,
    split_decision,
    threshold_of,
)
from limpet.work.handoff_store import (
    Bounds,
    WrittenHandoff,
    check_handoff,
    complete_text,
    handoff_agents,
    handoff_name,
    read_handoff,
    unknown_handoff,
    verify_handoff,
    write_handoff,
    write_handoff_file,
)
from limpet.work.markdown_file import Reason, set_document_keys
from limpet.work.pipeline.state import Move


class Content(Value):
    """The content of a handoff, as its author gives it.

    ``outputs``: paths of files that were made, from the project's root.
    ``decisions``: each as ``WHAT: HOW``.
    ``met``, ``unmet``: acceptance criteria. ``details``: the second layer.
    ``status``: "" for complete. ``task``: "" for the session's task.
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


def hand_over(project: Project, agent: str, to: str, content: Content, score: float | None = None) -> WrittenHandoff:
    """A grave reason refuses it; ``score`` replaces the gate's. Raises LimpetError for an unknown agent."""
    known, bounds = _known(project, agent, to, score)
    made = known.replace(
        summary=content.summary,
        status=content.status or known.status,
        from_task=content.task or known.from_task,
        decisions=tuple(split_decision(text) for text in content.decisions),
        **{key: getattr(content, key) for key in ("outputs", "blockers", "met", "unmet")},
    )
    return _finish(project, write_handoff(project.workspace, made, content.details, project.actor, bounds))


def hand_over_text(
    project: Project, agent: str, to: str, text: str, where: str, score: float | None = None
) -> WrittenHandoff:
    """``where`` names the text in errors."""
    known, bounds = _known(project, agent, to, score)
    completed = complete_text(text, known.replace(status=""), project.caller.now, where)
    return _finish(project, write_handoff_file(project.workspace, known.from_agent, completed, project.actor, bounds))


def write_finished(project: Project, known: Handoff, text: str, where: str) -> WrittenHandoff:
    """Write a step's document as its handoff, and track the documents that it names; the caller commits. ``known``:
    what its frontmatter gets."""
    keys = {"status": known.status, "score": known.score}
    completed = complete_text(set_document_keys(text, keys, where), known, project.caller.now, where)
    bounds = paper_bounds(project)
    written = write_handoff_file(project.workspace, known.from_agent, completed, project.actor, bounds)
    if not written.refused:
        track_outputs(project, written.handoff.outputs)
    return written


def paper_bounds(project: Project) -> Bounds:
    """The limits of a handoff whose score is judged elsewhere."""
    lines = project.settings["work"]["handoff"]
    return Bounds(threshold=0.0, first_lines=lines["first_lines"], second_lines=lines["second_lines"])


def find_handoff(project: Project, agent: str) -> Handoff:
    """Verified only where the finish of its step says so. Raises LimpetError where there is none."""
    workspace, name = project.workspace, agent_id(project, agent)
    found = read_handoff(workspace, resolve_name(name, handoff_agents(workspace), lambda: unknown_handoff(name)))
    if found is None:
        raise unknown_handoff(name)
    return as_proven(project.session, found, seals_of(workspace))


def check_handoffs(project: Project, agent: str = "") -> dict[str, tuple[Reason, ...]]:
    """Return the reasons by agent, of all that have one without ``agent``. Raises LimpetError where that has none."""
    names = [agent_id(project, agent)] if agent else handoff_agents(project.workspace)
    return {name: verify_handoff(project.workspace, name, _bounds(project, name)) for name in names}


def check_draft(project: Project, text: str, where: str) -> tuple[Reason, ...]:
    """Raises LimpetError for a draft that cannot be read."""
    draft = read_handoff_text(text, where)
    bounds = _bounds(project, agent_id(project, draft.from_agent))
    return check_handoff(draft, project.workspace.root, bounds, where)


def _known(project: Project, agent: str, to: str, score: float | None) -> tuple[Handoff, Bounds]:
    giver, taker = (known_agent(project, name) for name in (agent, to))
    mode = project.settings["work"]["mode"]
    return known_handoff(project.session, giver, taker, mode, score), _bounds(project, giver)


def _bounds(project: Project, agent: str) -> Bounds:
    threshold = threshold_of(project.session, project.workflow, agent, project.limits)
    return paper_bounds(project).replace(threshold=threshold)


def _finish(project: Project, written: WrittenHandoff) -> WrittenHandoff:
    if not written.refused:
        track_outputs(project, written.handoff.outputs)
        name = handoff_name(written.handoff.from_agent)
        commit(project, lambda session: Move({"last_handoff": name}))
    return written
