"""The project's documents (``limpet work spec``): found, evaluated, and their problems and log kept."""

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
from limpet.operations.commit import refresh
from limpet.operations.project import Project
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
    """``vague`` proposes up to three actions. While a step of a workflow is under way, nothing is proposed but what its
    agent makes, unless it is asked for. Where the mirror says something else it is refreshed: it has no stamps of the
    files that documents are about."""
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
    """Track those of an agent's output files (from the root) that are documents of a workflow; return their keys. The
    caller refreshes the mirror. A manifest that cannot be read or written stays as it is: `work spec status` tells why,
    and the agent's work is not held up."""
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
