"""Evaluates a document: shows its checklist, records the answers, notes its path.

Each action works on the texts that ``store.transact`` hands out; the detail is changed before the manifest.
"""

from __future__ import annotations

from collections.abc import Mapping

from holdfast.ground.errors import HoldfastError
from holdfast.ground.event_log.record import record
from holdfast.ground.safety.dotenv import without_secrets
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.work.documents.dates import write_timestamp
from holdfast.work.documents.detail import EVALUATING, Detail, detail_name, set_answers, set_baseline
from holdfast.work.documents.manifest import Artifact, Manifest, add_log_line, check_key, set_artifact
from holdfast.work.documents.opening import existing, open_detail, open_manifest, untracked
from holdfast.work.documents.rubrics import Item, Rubric, custom_rubric, load_rubrics, own_rubric, rubric_of
from holdfast.work.documents.scoring import LEVELS, Answer, Score, check_answers, merge_answers, score
from holdfast.work.documents.staleness.judgement import take_baseline
from holdfast.work.documents.store import Author, Files, read_detail, read_manifest, transact
from holdfast.work.documents.tree import is_file

EVALUATED, PLACED = "spec.evaluated", "spec.placed"


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
    manifest = existing(read_manifest(workspace))
    artifact = manifest.artifact(key) or _new_artifact(key, kind, "")
    return _as_it_stands(manifest, artifact, read_detail(workspace, check_key(key)), kind)


def has_rubric(workspace: Workspace, key: str) -> bool:
    """Return whether a rubric for a tracked document is known. Raise HoldfastError."""
    artifact, detail = existing(read_manifest(workspace)).artifact(key), read_detail(workspace, check_key(key))
    return artifact is not None and _known_rubric(artifact, detail, "") is not None


def evaluate(
    workspace: Workspace,
    key: str,
    given: Mapping[str, Answer],
    author: Author,
    keep: bool = False,
    path: str = "",
    kind: str = "",
) -> Evaluation:
    """Record answers: the score once every item is answered, else work in progress.

    ``keep``: whether earlier answers stay where none is ``given``.
    ``path``, ``kind``: the document's file and type, "" for those that are known. Raise HoldfastError, with nothing
    written.
    """
    safe = {
        name: answer.replace(note=without_secrets(workspace, " ".join(answer.note.split())))
        for name, answer in given.items()
    }
    draft = _Draft(key, safe, author, keep, path, kind, workspace.root)
    found = transact(workspace, lambda files: _evaluate(files, draft))
    level = found.score.level
    data = {"artifact": key, "before": found.before, "level": level, "points": found.score.points}
    record(workspace, author, EVALUATED, data | {"unanswered": len(found.score.unanswered)})
    return found


def place(workspace: Workspace, key: str, path: str, kind: str, author: Author) -> Evaluation:
    """Record the path of a document, and track it if nobody does; earlier records of it stay. Raise HoldfastError."""
    draft = _Draft(key, {}, author, True, path, kind, workspace.root)
    found = transact(workspace, lambda files: _place(files, draft))
    record(workspace, author, PLACED, {"artifact": key, "path": path})
    return found


class _Draft(Value):
    """The arguments of one evaluation, as asked for."""

    key: str
    given: Mapping[str, Answer]
    author: Author
    keep: bool
    path: str
    kind: str
    root: str


def _evaluate(files: Files, draft: _Draft) -> Evaluation:
    key = check_key(draft.key)
    text, manifest, before, artifact = _placed(files, draft)
    detail_text, detail = open_detail(files, key, artifact.type)
    rubric = _rubric(artifact, detail, draft.kind)
    check_answers(rubric, draft.given.values())
    answers = merge_answers(rubric, detail.answers, draft.given, draft.keep)
    check_answers(rubric, [answer for answer in answers if answer.result])
    found = score(rubric, answers, manifest.scaled)
    day, time = write_timestamp(draft.author.now) if found.level else (detail.day, detail.time)
    edited = set_answers(detail_text, detail, answers, day, time, _wip(detail, rubric, found))
    if found.level:
        usual = rubric_of(key, artifact.type or detail.type)
        edited = set_baseline(
            edited, detail, take_baseline(draft.root, artifact.path, usual, draft.author.limits.hashes)
        )
    files.put_detail(key, edited)
    after = _graded(artifact, found, day, time)
    text = set_artifact(text, before, after)
    if found.level:
        change = f"{before.score} -> " if before and before.score not in (0, found.level) else ""
        text = add_log_line(text, day, f"Evaluated {key} ({change}{found.level}/5)", draft.author.limits.log)
    files.put_manifest(text)
    score_before = before.score if before else 0
    return Evaluation(after, rubric, answers, found, score_before, problems=detail.problems)


def _place(files: Files, draft: _Draft) -> Evaluation:
    text, manifest, before, artifact = _placed(files, draft)
    found = _as_it_stands(manifest, artifact, open_detail(files, draft.key, artifact.type)[1], draft.kind)
    after = artifact if artifact.day or artifact.status == "wip" else artifact.replace(status="draft")
    text = set_artifact(text, before, after)
    if before is None:
        day = write_timestamp(draft.author.now)[0]
        text = add_log_line(text, day, f"Tracked {draft.key}", draft.author.limits.log)
    files.put_manifest(text)
    return found.replace(artifact=after)


def _placed(files: Files, draft: _Draft) -> tuple[str, Manifest, Artifact | None, Artifact]:
    """Return the manifest's text and value, the document as the manifest has it, and the document with path and type.
    Raises HoldfastError where no file is there."""
    text, manifest = open_manifest(files)
    before = manifest.artifact(draft.key)
    artifact = before or _new_artifact(draft.key, draft.kind, draft.path)
    placed = artifact.replace(path=draft.path or artifact.path, type=draft.kind or artifact.type)
    if not is_file(draft.root, placed.path):
        what = f"File {placed.path} does not exist" if placed.path else "Document is not written yet"
        raise HoldfastError(what, draft.key, "Write the document, then give its path with --path.")
    return text, manifest, before, placed


def _as_it_stands(manifest: Manifest, artifact: Artifact, detail: Detail, kind: str) -> Evaluation:
    rubric = _rubric(artifact, detail, kind)
    known = {answer.id: answer for answer in detail.answers}
    answers = tuple(known.get(item.id) or Answer(item.id) for item in rubric.items)
    found = score(rubric, answers, manifest.scaled)
    return Evaluation(artifact, rubric, answers, found, artifact.score, _others(rubric, detail), detail.problems)


def _others(rubric: Rubric, detail: Detail) -> tuple[tuple[Item, Answer], ...]:
    asked = {item.id: item for item in detail.asked}
    own = {item.id for item in rubric.items}
    rest = [answer for answer in detail.answers if answer.id not in own]
    return tuple((asked.get(answer.id) or Item(answer.id, "", 0), answer) for answer in rest)


def _graded(artifact: Artifact, found: Score, day: str, time: str) -> Artifact:
    if found.level is None:
        return artifact.replace(status="wip")
    reachable = found.reachable if found.reachable < LEVELS else 0
    return artifact.replace(score=found.level, status="current", day=day, time=time, reachable=reachable)


def _wip(detail: Detail, rubric: Rubric, found: Score) -> str:
    """Return the note on work in progress: ours comes and goes with the evaluation, anyone else's stays."""
    if detail.wip and not detail.wip.startswith(EVALUATING):
        return detail.wip
    answered = len(rubric.items) - len(found.unanswered)
    return "" if found.level else f"{EVALUATING}{answered} of {len(rubric.items)} answered"


def _new_artifact(key: str, kind: str, path: str) -> Artifact:
    """Return a document that is not tracked yet. Raise HoldfastError unless its file or rubric is given."""
    if not path and not kind:
        raise untracked(key)
    return Artifact(check_key(key), path=path, type=kind)


def _rubric(artifact: Artifact, detail: Detail, kind: str) -> Rubric:
    found = _known_rubric(artifact, detail, kind)
    if found is None:
        known = ", ".join(load_rubrics())
        raise HoldfastError("No rubric for this document", artifact.key, f"Give its type with --type: {known}")
    return found


def _known_rubric(artifact: Artifact, detail: Detail, kind: str) -> Rubric | None:
    own = custom_rubric(artifact.key, detail.custom, detail_name(artifact.key))
    usual = rubric_of(artifact.key, kind or artifact.type or detail.type)
    return own or own_rubric(artifact.key, detail.asked, usual) or usual
