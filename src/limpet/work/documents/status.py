"""The status of each document: what the manifest says, corrected by its detail file and by the project's files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from limpet.ground.errors import LimpetError
from limpet.ground.timestamps import seconds_of
from limpet.ground.values import Value
from limpet.work.documents.detail import Detail
from limpet.work.documents.manifest import Artifact
from limpet.work.documents.requirements import Touched, in_short
from limpet.work.documents.rubrics import rubric_of

UNCOMPARED = "evaluated by an older version: evaluate it again"
STATES = ("broken", "missing", "draft", "wip", "stale", "current")


class DocumentStatus(Value):
    """The status of a document.

    ``state``: one of STATES; ``reason`` says why.
    ``evaluated_at``: its last evaluation in seconds since 1970, 0.0 for never.
    ``need``: the priority of its most urgent backlog item, "" for none.
    ``best``: the best level that it can have.
    ``requirements``: those that changed since.
    """

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


def judge(
    artifact: Artifact,
    detail: Detail | LimpetError,
    exists: bool,
    change: str,
    need: str = "",
    requirements: tuple[Touched, ...] = (),
) -> DocumentStatus:
    """Return the status of a document.

    ``detail``: the error where its detail file cannot be read.
    ``exists``: whether its file does.
    ``change``: what changed since its evaluation, "" for nothing.
    ``need``: the priority of its most urgent backlog item, "" for none.
    ``requirements``: those that changed since.
    """
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
    """Return the number of documents by state, for each of STATES."""
    states = [status.state for status in statuses]
    return {state: states.count(state) for state in STATES}


def mean_level(statuses: Sequence[DocumentStatus]) -> float:
    """Return the project's score: the mean of all levels, a document that is missing or not evaluated counting as 1."""
    levels = [max(1, status.score) for status in statuses]
    return round(sum(levels) / len(levels), 1) if levels else 0.0


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
