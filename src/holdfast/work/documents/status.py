"""The status of each document: what the manifest says, corrected by its detail file and by the project's files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from holdfast.ground.values import Value
from holdfast.work.documents.dates import seconds_of_day
from holdfast.work.documents.detail import Glance
from holdfast.work.documents.manifest import Artifact
from holdfast.work.documents.requirements.touched import Touched, in_short
from holdfast.work.documents.rubrics import Rubric, rubric_of

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


def rubric_for(artifact: Artifact, glance: Glance | None) -> Rubric | None:
    """Return the shipped rubric for a document, None where it has none."""
    return rubric_of(artifact.key, artifact.type or (glance.type if glance else ""))


def judge(
    artifact: Artifact,
    glance: Glance | None,
    exists: bool,
    change: str,
    need: str = "",
    requirements: tuple[Touched, ...] = (),
) -> DocumentStatus:
    """Return the status of a document.

    ``exists``: whether its file does.
    ``change``: what changed since its evaluation, "" for nothing.
    ``need``: the priority of its most urgent backlog item, "" for none.
    ``requirements``: those that changed since.
    """
    rubric = rubric_for(artifact, glance)
    state, reason = _state(artifact, glance, exists, in_short(requirements) or change)
    return DocumentStatus(
        key=artifact.key,
        type=rubric.type if rubric else artifact.type or (glance.type if glance else ""),
        path=artifact.path,
        score=0 if state == "missing" else artifact.score,
        max_score=artifact.max_score,
        state=state,
        reason=reason,
        core=bool(rubric and rubric.core and rubric.type == artifact.key),
        evaluated_at=seconds_of_day(artifact.day, artifact.time),
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


def _state(artifact: Artifact, glance: Glance | None, exists: bool, change: str) -> tuple[str, str]:
    if glance and glance.problem:
        return "broken", glance.problem
    if not exists and artifact.day:
        return "broken", f"{artifact.path or 'its file'} does not exist"
    if not exists:
        return "missing", "not written yet"
    if glance and glance.day and (glance.day, glance.time) != (artifact.day, artifact.time):
        return "stale", "its last evaluation was interrupted before the manifest was updated"
    if glance and glance.wip or artifact.status == "wip":
        return "wip", glance.wip if glance and glance.wip else "its evaluation is not finished"
    if not artifact.day:
        return "draft", "never evaluated"
    if change:
        return "stale", change
    if artifact.status == "stale":
        return "stale", "marked in the manifest"
    return "current", "" if glance and glance.document else UNCOMPARED
