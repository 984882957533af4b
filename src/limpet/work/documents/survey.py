"""A survey of all documents: the manifest, the details, and what changed since each document was judged. Git or the
disk is asked once, whatever the number of documents, and only where one watches other files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from limpet.ground.clock import seconds_of
from limpet.ground.errors import LimpetError
from limpet.ground.formats.schema import nearest
from limpet.ground.text.escaping import clip
from limpet.ground.text.tokens import estimate_tokens
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.work.documents.detail import Detail, detail_name
from limpet.work.documents.form import PRIORITIES, rank
from limpet.work.documents.manifest import Artifact, DocumentsManifest
from limpet.work.documents.project_files import ProjectFiles, content_id, read_project_document
from limpet.work.documents.requirements import (
    Touched,
    changed_requirements,
    describe_touched,
    in_short,
    watched_change,
    with_mentions,
)
from limpet.work.documents.rubrics import load_rubrics, rubric_of
from limpet.work.documents.store import read_detail, read_document_limits, read_documents_manifest, read_stories

UNCOMPARED = "evaluated by an older version: evaluate it again"
STATES = ("broken", "missing", "draft", "wip", "stale", "current")
NEXT, LOG = "next: ", "log "
"""How the line of the next action begins."""
CHARACTERS = 110
# Documents that are listed at most, and those of them that go before backlog and log.
_LISTED, _FIRST = 20, 8
# Items of the backlog, and lines of the log, that go before the other documents.
_SOON, _RECENT = 5, 2
_MOST_PROBLEMS = 3
_MOST_TOUCHED = 5
# Tokens kept free for the line that counts the documents left out.
_FOR_THE_REST = 50
DIRECTED, VAGUE, UNPROMPTED = "directed", "vague", "unprompted"
MOST = {VAGUE: 3, UNPROMPTED: 1}
_ACTIONS = {"broken": "mend", "missing": "write", "draft": "evaluate", "wip": "evaluate", "stale": "evaluate"}
_DONE = 5


class Survey(Value):
    """The state of all documents, those first that need work most. ``problems``: lines on what does not count or may
    not be written. ``limits``: the settings ``work.spec``."""

    manifest: DocumentsManifest
    statuses: tuple[DocumentStatus, ...]
    problems: tuple[str, ...]
    limits: Mapping[str, int]


def make_survey(workspace: Workspace) -> Survey | None:
    """Return None where there is no manifest. Raise LimpetError where it cannot be read."""
    manifest = read_documents_manifest(workspace)
    if manifest is None:
        return None
    # Sorted backwards, so that of several problems the most urgent one stays.
    needs = {item.artifact: item.priority for item in sorted(manifest.backlog, key=rank, reverse=True)}
    files, statuses = ProjectFiles(workspace.root), []
    read_only = ["read-only: a newer Limpet wrote the manifest"] if manifest.newer else []
    for artifact in manifest.artifacts:
        document = read_project_document(workspace.root, artifact.path)
        detail: Detail | LimpetError
        change, touched = "", tuple[Touched, ...]()
        try:
            detail = read_detail(workspace, artifact.key)
        except LimpetError as error:
            detail = error
        else:
            read_only += [f"read-only: a newer Limpet wrote {detail_name(artifact.key)}"] if detail.newer else []
            if artifact.last_evaluated and detail.baseline.document_hash and document is not None:
                change, touched = _change(workspace, manifest, artifact, detail, document, files)
        need = needs.get(artifact.key, "")
        statuses.append(judge_priority(artifact, detail, document is not None, change, need, touched))
    limits = read_document_limits(workspace)
    return Survey(manifest, tuple(rank_statuses(statuses)), (*read_only, *manifest.problems), limits)


class DocumentStatus(Value):
    """``state``: one of STATES; ``reason`` says why. ``evaluated_at``: in seconds since 1970, 0.0 for never. ``need``:
    the priority of its most urgent backlog item, "" for none. ``best``: the best level that it can have.
    ``requirements``: those that changed since."""

    key: str
    type: str
    path: str
    score: int
    max_score: int
    state: str
    reason: str
    core: bool
    evaluated_at: float
    need: str = ""
    best: int = 5
    requirements: tuple[Touched, ...] = ()


def judge_priority(
    artifact: Artifact,
    detail: Detail | LimpetError,
    exists: bool,
    change: str,
    need: str = "",
    requirements: tuple[Touched, ...] = (),
) -> DocumentStatus:
    """``detail``: the error where its file cannot be read. ``exists``: the document's file does. ``change``: what
    changed since its evaluation. ``need``: the priority of its most urgent backlog item. ``requirements``: those that
    changed since."""
    kind = artifact.type or (detail.type if isinstance(detail, Detail) else "")
    rubric = rubric_of(artifact.key, kind)
    state, reason = _state(artifact, detail, exists, in_short(requirements) or change)
    day, time = artifact.last_evaluated, artifact.time
    return DocumentStatus(
        key=artifact.key,
        type=rubric.type if rubric else kind,
        path=artifact.path,
        score=0 if state == "missing" else artifact.score,
        max_score=artifact.max_score,
        state=state,
        reason=reason,
        core=bool(rubric and rubric.core and rubric.type == artifact.key),
        evaluated_at=seconds_of(f"{day}T{time}" if time else day),
        need=need,
        best=artifact.reachable or artifact.max_score,
        requirements=requirements,
    )


def count_states(statuses: Iterable[DocumentStatus]) -> dict[str, int]:
    states = [status.state for status in statuses]
    return {state: states.count(state) for state in STATES}


def mean_level(statuses: Sequence[DocumentStatus]) -> float:
    """A document that is missing or not evaluated counts as 1."""
    levels = [max(1, status.score) for status in statuses]
    return round(sum(levels) / len(levels), 1) if levels else 0.0


def cold_start(workspace: Workspace, agent: str = "") -> tuple[str, ...]:
    """Return one line with the error for a manifest that cannot be read, none without a manifest."""
    try:
        survey = make_survey(workspace)
    except LimpetError as error:
        return (clip(f"cannot read the spec state: {error}", 3 * CHARACTERS),)
    return describe_documents(survey, agent) if survey else ()


def without_next(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(line for line in lines if not line.startswith(NEXT))


def describe_documents(survey: Survey, agent: str = "") -> tuple[str, ...]:
    """Return counts, the next action, the documents that need work most, backlog and log. ``agent``: whose step of a
    workflow is under way; then the next action is on what that agent makes, or else the workflow's."""
    limits, statuses = survey.limits, survey.statuses
    backlog = sorted(survey.manifest.backlog, key=rank)[: limits["backlog"]]
    # Each line with its rank: lower ones are taken first, the order of lines stays.
    head = [(0, line) for line in _head(survey, agent)]
    documents = [(1 if place < _FIRST else 4, _document(one)) for place, one in enumerate(statuses[:_LISTED])]
    rest = [
        (2 if place < _SOON else 3, f"backlog {item.priority}, {item.artifact}: {item.item}")
        for place, item in enumerate(backlog)
    ]
    log = survey.manifest.log[: limits["log"]]
    rest += [(2 if place < _RECENT else 3, f"{LOG}{line}") for place, line in enumerate(log)]
    lines = [(rank, clip(" ".join(text.split()), CHARACTERS)) for rank, text in (*head, *documents, *rest)]
    taken = _within_budget(lines, limits["cold_start_tokens"])
    behind = len(head) + len(documents)
    front = [text for place, (_, text) in enumerate(lines[:behind]) if place in taken]
    left = statuses[max(0, len(front) - len(head)) :]
    more = [f"and {len(left)} more: {_counts(left)}"] if left else []
    return (*front, *more, *(text for place, (_, text) in enumerate(lines) if place in taken and place >= behind))


class PriorityProposal(Value):
    """The next ``action`` on a document: mend, write, evaluate, improve or backlog; ``why`` is for people."""

    action: str
    key: str
    why: str


def propose_priorities(statuses: Iterable[DocumentStatus], mode: str, target: str = "") -> tuple[PriorityProposal, ...]:
    """Directed, one for the ``target``; vague, the first three; unprompted, the first. None where all is well. Raise
    LimpetError for a target that is not tracked."""
    ranked = rank_statuses(statuses)
    if mode != DIRECTED:
        return tuple(_proposal(one) for one in ranked if _rank(one)[0] < _DONE)[: MOST[mode]]
    known = {status.key: status for status in ranked}
    if target not in known:
        what = f"Document {target!r} is not tracked{nearest(target, known)}"
        raise LimpetError(what, hint="Run: limpet work spec status")
    return (_proposal(known[target]),)


def for_agent(statuses: Iterable[DocumentStatus], agent: str) -> tuple[DocumentStatus, ...]:
    made = {kind for kind, rubric in load_rubrics().items() if agent in rubric.agents}
    return tuple(status for status in statuses if not agent or status.type in made)


def rank_statuses(statuses: Iterable[DocumentStatus]) -> list[DocumentStatus]:
    types = [*load_rubrics(), ""]

    def order(status: DocumentStatus) -> tuple[object, ...]:
        kind = types.index(status.type if status.type in types else "")
        return (*_rank(status), not status.core, status.state == "current", status.evaluated_at, kind, status.key)

    return sorted(statuses, key=order)


def _change(
    workspace: Workspace,
    manifest: DocumentsManifest,
    artifact: Artifact,
    detail: Detail,
    document: bytes,
    files: ProjectFiles,
) -> tuple[str, tuple[Touched, ...]]:
    """Return (what changed since a document was evaluated, "" for nothing; its requirements that did)."""
    rubric, baseline = rubric_of(artifact.key, artifact.type or detail.type), detail.baseline
    if content_id(document) == baseline.document_hash:
        return watched_change(files, artifact.path, rubric, baseline), ()
    found = changed_requirements(baseline.requirements, document) if rubric and rubric.requirements else ()
    if found:
        others = {one.key: read_project_document(workspace.root, one.path) or b"" for one in manifest.artifacts}
        texts = {key: data.decode("utf-8", "replace") for key, data in others.items() if key != artifact.key}
        found = with_mentions(found, read_stories(workspace), texts)
    return f"{artifact.path} changed", found


def _state(artifact: Artifact, detail: Detail | LimpetError, exists: bool, change: str) -> tuple[str, str]:
    if isinstance(detail, LimpetError):
        return "broken", str(detail)
    if not exists:
        gone = f"{artifact.path or 'its file'} does not exist any more"
        return "missing", gone if artifact.last_evaluated else "not written yet"
    evaluations = [(one.last_evaluated, one.time) for one in (detail, artifact)]
    if detail.last_evaluated and evaluations[0] != evaluations[1]:
        return "stale", "its last evaluation was interrupted before the manifest was updated"
    if detail.wip or artifact.status == "wip":
        return "wip", detail.wip or "its evaluation is not finished"
    if not artifact.last_evaluated:
        return "draft", "never evaluated"
    if change or artifact.status == "stale":
        return "stale", change or "marked in the manifest"
    return "current", "" if detail.baseline.document_hash else UNCOMPARED


def _within_budget(lines: Sequence[tuple[int, str]], tokens: int) -> set[int]:
    taken, spent = set(), _FOR_THE_REST
    for place in sorted(range(len(lines)), key=lambda place: lines[place][0]):
        spent += estimate_tokens(lines[place][1])
        if spent > tokens:
            break
        taken.add(place)
    return taken


def _head(survey: Survey, agent: str) -> list[str]:
    manifest, statuses = survey.manifest, survey.statuses
    counts = _counts(statuses)
    score = f"; level {mean_level(statuses)} of 5" if statuses else ""
    lines = [f"{clip(manifest.name or 'specs', 40)}: {len(statuses)} documents{': ' if counts else ''}{counts}{score}"]
    proposed = propose_priorities(for_agent(statuses, agent), UNPROMPTED)
    found = [f"{one.action} {one.key} ({one.why})" for one in proposed]
    if not found and agent:
        found = [f"{agent} is active: limpet work status"]
    lines += [f"{NEXT}{what}" for what in found]
    lines += [] if manifest.auto_evaluate else ["auto_evaluate is off: evaluate only what the user asks for"]
    touched: list[str] = []
    for status in statuses:
        touched += [describe_touched(one) for one in status.requirements]
    lines += touched[:_MOST_TOUCHED]
    return [*lines, *survey.problems[:_MOST_PROBLEMS]]


def _document(one: DocumentStatus) -> str:
    reason = f": {one.reason}" if one.reason else ""
    return f"- {one.key} {one.score}/{one.max_score} {one.state}, {one.path or 'no file'}{reason}"


def _counts(statuses: Sequence[DocumentStatus]) -> str:
    return ", ".join(f"{count} {state}" for state, count in count_states(statuses).items() if count)


def _rank(status: DocumentStatus) -> tuple[int, float]:
    """Return (the class of what it needs, from the most urgent to _DONE; its place within the class)."""
    if status.state in ("broken", "missing"):
        return ("broken", "missing").index(status.state), 0
    if status.score < status.best:
        return 2, status.score
    if status.state != "current":
        return 3, status.evaluated_at
    return (4, PRIORITIES.index(status.need)) if status.need else (_DONE, 0)


def _proposal(status: DocumentStatus) -> PriorityProposal:
    if status.state != "current":
        return PriorityProposal(_ACTIONS[status.state], status.key, status.reason)
    if status.score < status.best:
        return PriorityProposal("improve", status.key, f"level {status.score} of {status.max_score}")
    why = f"{status.need} priority in its backlog" if status.need else "no known problem"
    return PriorityProposal("backlog" if status.need else "improve", status.key, why)
