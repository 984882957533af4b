"""Hands work over to the next agent, and checks handoffs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import partial

from limpet.ground.config.mirror import mirror_path, read_mirror
from limpet.ground.errors import LimpetError
from limpet.ground.text.lookup import resolve_name
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.operations.commit import commit, refresh
from limpet.operations.project import Project
from limpet.operations.work.facts import agent_id, known_agent
from limpet.operations.work.situation import seals_of
from limpet.work.documents import evaluation
from limpet.work.documents.evaluation import Evaluation, read_evaluation, rubric_for
from limpet.work.documents.form import BacklogItem
from limpet.work.documents.project_files import is_file
from limpet.work.documents.rubrics import RubricAnswer
from limpet.work.documents.scan import DocumentCandidate, find_outputs, scan_documents, write_candidates
from limpet.work.documents.store import detail_keys, read_detail, read_documents_manifest, untracked
from limpet.work.documents.survey import (
    DIRECTED,
    UNPROMPTED,
    VAGUE,
    PriorityProposal,
    Survey,
    describe_documents,
    for_agent,
    make_survey,
    propose_priorities,
    without_next,
)
from limpet.work.handoff import Handoff, as_proven, known_handoff, read_handoff_text, split_decision, threshold_of
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


class DocumentsStatus(Value):
    """The state of the documents, which a session reads first.

    ``mode``: DIRECTED for a request about one document, VAGUE for something to do, else UNPROMPTED.
    ``survey``: None where the project has no state of its documents; then all else is empty.
    ``known``, ``problems``: of the one document asked for: its evaluation, None without a rubric, and its problems.
    """

    mode: str
    survey: Survey | None = None
    offers: tuple[PriorityProposal, ...] = ()
    lines: tuple[str, ...] = ()
    known: Evaluation | None = None
    problems: tuple[BacklogItem, ...] = ()


def find_documents(project: Project, track: bool = False) -> tuple[DocumentCandidate, ...]:
    """With ``track`` they are tracked now."""
    found = scan_documents(project.workspace)
    if track:
        write_candidates(project.workspace, found, project.actor)
        refresh(project)
    return found


def resolve_key(workspace: Workspace, typed: str) -> str:
    """Without a manifest every key is taken as it is. Raises LimpetError for one that is unknown or ambiguous."""
    manifest = read_documents_manifest(workspace)
    if manifest is None:
        return typed
    keys = tuple(dict.fromkeys((*(artifact.key for artifact in manifest.artifacts), *detail_keys(workspace))))
    return resolve_name(typed, keys, lambda: untracked(typed, keys))


def show_status(project: Project, key: str = "", vague: bool = False) -> DocumentsStatus:
    """Return the state of the documents, with ``key`` also that document's; ``vague`` proposes up to three actions.
    Raises LimpetError.

    While a step of a workflow is under way, nothing is proposed but what its agent makes, unless it is asked for. Where
    the mirror says something else it is refreshed: it has no stamps of the files that documents are about.
    """
    workspace = project.workspace
    survey = make_survey(workspace)
    mode = VAGUE if vague else UNPROMPTED
    if key:
        mode = DIRECTED
    if survey is None:
        return DocumentsStatus(mode)
    agent = _agent_at_work(project) if mode == UNPROMPTED else ""
    lines, offers = describe_documents(survey, agent), propose_priorities(for_agent(survey.statuses, agent), mode, key)
    mirrored = read_mirror(workspace).work.get("spec") if os.path.exists(mirror_path(workspace)) else None
    if mirrored is not None and without_next(mirrored) != without_next(lines):
        refresh(project)
    found = DocumentsStatus(mode, survey, offers, lines)
    artifact = survey.manifest.artifact(key)
    if artifact is None:
        return found
    has_rubric = rubric_for(artifact, read_detail(workspace, key)) is not None
    known = read_evaluation(workspace, key) if has_rubric else None
    return found.replace(known=known, problems=evaluation.list_backlog(workspace, key)[0])


def evaluate_document(
    project: Project,
    key: str,
    given: Mapping[str, RubricAnswer],
    *,
    keep: bool = False,
    path: str = "",
    kind: str = "",
) -> Evaluation:
    """``given``: answers by id; without any only ``path`` is recorded. ``keep``: answers that are not given stay.
    ``kind``: the type of the rubric, "" for that of the key."""
    found = evaluation.evaluate(project.workspace, key, given, project.actor, keep, path, kind)
    refresh(project)
    return found


def track_outputs(project: Project, paths: Iterable[str]) -> tuple[str, ...]:
    """Track those of an agent's output files (from the root) that are documents of a workflow; return their keys.

    The caller refreshes the mirror. A manifest that cannot be read or written stays as it is, and nothing is tracked:
    `spec status` tells why, and the agent's work is not held up.
    """
    try:
        workspace = project.workspace
        found = find_outputs(paths, read_documents_manifest(workspace), partial(is_file, workspace.root))
        if found:
            write_candidates(workspace, found, project.actor)
    except LimpetError:
        return ()
    return tuple(one.key for one in found)


def add_problem(project: Project, key: str, text: str, priority: str = "medium") -> bool:
    """Return False where it was known and only got this priority."""
    is_new = evaluation.add_backlog(project.workspace, BacklogItem(key, text, priority), project.actor)
    refresh(project)
    return is_new


def finish_problem(project: Project, key: str, words: str) -> BacklogItem:
    """``words``: what only this problem has."""
    item = evaluation.finish_backlog(project.workspace, key, words, project.actor)
    refresh(project)
    return item


def add_document_log(project: Project, text: str) -> None:
    evaluation.add_log(project.workspace, text, project.actor)
    refresh(project)


def read_log(workspace: Workspace) -> tuple[str, ...]:
    """The newest line comes first."""
    manifest = read_documents_manifest(workspace)
    return manifest.log if manifest else ()


def _agent_at_work(project: Project) -> str:
    with suppress(LimpetError):
        step = project.step_under_way
        return step.agent if step else ""
    return ""
