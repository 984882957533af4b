"""Evaluates a document: shows its checklist, records the answers, notes its path."""

from __future__ import annotations

from collections.abc import Mapping

from holdfast.ground.errors import HoldfastError
from holdfast.ground.event_log.append import Actor
from holdfast.ground.event_log.record import record
from holdfast.ground.safety.dotenv import without_secrets
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.work.documents.detail import Detail
from holdfast.work.documents.form import write_timestamp
from holdfast.work.documents.manifest import Artifact, Manifest, check_key
from holdfast.work.documents.project_files import is_file
from holdfast.work.documents.rubrics import Item, Rubric, load_rubrics, own_rubric, rubric_of
from holdfast.work.documents.scoring import LEVELS, Answer, Score, check_answers, merge_answers, score
from holdfast.work.documents.staleness import take_baseline
from holdfast.work.documents.store import State, need_manifest, read_detail, transact, untracked

EVALUATED, PLACED = "spec.evaluated", "spec.placed"
EVALUATING = "evaluation: "
"""How a note on work in progress begins that we wrote, and may take away."""


class Evaluation(Value):
    """An evaluation under way or done.

    ``answers``: one for each item of the rubric.
    ``before``: the level before, 0 for a document that had none.
    ``others``: answers to items of another rubric, which the file keeps.
    ``problems``: lines on values in the file that do not count.
    """

    artifact: Artifact
    rubric: Rubric
    answers: tuple[Answer, ...]
    score: Score
    before: int
    others: tuple[tuple[Item, Answer], ...] = ()
    problems: tuple[str, ...] = ()


def read_evaluation(workspace: Workspace, key: str, kind: str = "") -> Evaluation:
    """Return the checklist of a document with the recorded answers. Raise HoldfastError."""
    manifest = need_manifest(workspace)
    artifact = manifest.artifact(key) or _new_artifact(key, kind, "")
    return _as_it_stands(manifest, artifact, read_detail(workspace, key), kind)


def rubric_for(artifact: Artifact, detail: Detail, kind: str = "") -> Rubric | None:
    """Return the rubric of a document: the project's own, else the shipped one, None where there is none."""
    usual = rubric_of(artifact.key, kind or artifact.type or detail.type)
    return own_rubric(artifact.key, detail.asked, usual) or usual


def evaluate(
    workspace: Workspace,
    key: str,
    given: Mapping[str, Answer],
    actor: Actor,
    keep: bool = False,
    path: str = "",
    kind: str = "",
) -> Evaluation:
    """Record answers: the score once every item is answered, else work in progress. Without any, record the document's
    path and type, and track it if nobody does; earlier records of it stay.

    ``keep``: whether earlier answers stay where none is ``given``.
    ``path``, ``kind``: the document's file and type, "" for those that are known. Raise HoldfastError, with nothing
    written.
    """
    safe = {
        name: answer.replace(note=without_secrets(workspace, " ".join(answer.note.split())))
        for name, answer in given.items()
    }

    def work(state: State) -> Evaluation:
        before = state.manifest.artifact(key)
        artifact = before or _new_artifact(key, kind, path)
        placed = artifact.replace(path=path or artifact.path, type=kind or artifact.type)
        if not is_file(workspace.root, placed.path):
            what = f"File {placed.path} does not exist" if placed.path else "Document is not written yet"
            raise HoldfastError(what, key, "Write the document, then give its path with --path.")
        if given:
            return _answer(state, workspace.root, before, placed, safe, actor.now, keep, kind)
        return _place(state, before, placed, actor.now, kind)

    found = transact(workspace, work)
    if given:
        data = {"artifact": key, "before": found.before, "level": found.score.level, "points": found.score.points}
        record(workspace, actor, EVALUATED, data | {"unanswered": len(found.score.unanswered)})
    else:
        record(workspace, actor, PLACED, {"artifact": key, "path": path})
    return found


def _answer(
    state: State,
    root: str,
    before: Artifact | None,
    artifact: Artifact,
    given: Mapping[str, Answer],
    now: float,
    keep: bool,
    kind: str,
) -> Evaluation:
    manifest, detail = state.manifest, state.detail(artifact.key)
    rubric = _need_rubric(artifact, detail, kind)
    check_answers(rubric, given.values())
    answers = merge_answers(rubric, detail.answers, given, keep)
    check_answers(rubric, [answer for answer in answers if answer.result])
    found = score(rubric, answers, manifest.scaled)
    level_before = before.score if before else 0
    detail = _answered(detail, artifact, rubric, answers, found)
    if found.level:
        day, time = write_timestamp(now)
        usual = rubric_of(artifact.key, artifact.type or detail.type)
        baseline = take_baseline(root, artifact.path, usual, state.limits["hashes"])
        detail = detail.replace(last_evaluated=day, time=time, baseline=baseline)
        reachable = found.reachable if found.reachable < LEVELS else 0
        artifact = artifact.replace(
            score=found.level, status="current", last_evaluated=day, time=time, reachable=reachable
        )
        change = f"{level_before} -> " if level_before not in (0, found.level) else ""
        line = f"Evaluated {artifact.key} ({change}{found.level}/5)"
        manifest = manifest.logged(day, line, state.limits["log"])
    else:
        artifact = artifact.replace(status="wip")
    state.put(detail)
    state.put(manifest.with_artifact(artifact))
    return Evaluation(artifact, rubric, answers, found, level_before, problems=detail.problems)


def _place(state: State, before: Artifact | None, artifact: Artifact, now: float, kind: str) -> Evaluation:
    manifest = state.manifest
    found = _as_it_stands(manifest, artifact, state.detail(artifact.key), kind)
    if not artifact.last_evaluated and artifact.status != "wip":
        artifact = artifact.replace(status="draft")
    if before is None:
        manifest = manifest.logged(write_timestamp(now)[0], f"Tracked {artifact.key}", state.limits["log"])
    state.put(manifest.with_artifact(artifact))
    return found.replace(artifact=artifact)


def _as_it_stands(manifest: Manifest, artifact: Artifact, detail: Detail, kind: str) -> Evaluation:
    rubric = _need_rubric(artifact, detail, kind)
    known, asked = {answer.id: answer for answer in detail.answers}, {item.id: item for item in detail.asked}
    answers = tuple(known.pop(item.id, Answer(item.id)) for item in rubric.items)
    others = tuple((asked.get(name) or Item(name, "", 0), answer) for name, answer in known.items())
    found = score(rubric, answers, manifest.scaled)
    return Evaluation(artifact, rubric, answers, found, artifact.score, others, detail.problems)


def _answered(detail: Detail, artifact: Artifact, rubric: Rubric, answers: tuple[Answer, ...], found: Score) -> Detail:
    """Return the detail with these answers, and the note on work in progress: ours comes and goes with the evaluation,
    anyone else's stays. What lost its result keeps the note that told why, for whoever answers."""
    known = {answer.id: answer for answer in detail.answers}
    for answer in answers:
        if answer.result:
            known[answer.id] = answer
        elif answer.id in known:
            known[answer.id] = known[answer.id].replace(result="")
    wip, total = detail.wip, len(rubric.items)
    if not wip or wip.startswith(EVALUATING):
        wip = "" if found.level else f"{EVALUATING}{total - len(found.unanswered)} of {total} answered"
    return detail.replace(type=detail.type or artifact.type, answers=tuple(known.values()), wip=wip)


def _new_artifact(key: str, kind: str, path: str) -> Artifact:
    """Return a document that is not tracked yet. Raise HoldfastError unless its file or rubric is given."""
    if not path and not kind:
        raise untracked(key)
    return Artifact(check_key(key), path=path, type=kind)


def _need_rubric(artifact: Artifact, detail: Detail, kind: str) -> Rubric:
    found = rubric_for(artifact, detail, kind)
    if found is None:
        known = ", ".join(load_rubrics())
        raise HoldfastError("No rubric for this document", artifact.key, f"Give its type with --type: {known}")
    return found
