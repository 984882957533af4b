"""Evaluates a document: shows its checklist, records the answers, notes its path."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from limpet.ground.errors import LimpetError
from limpet.ground.event_log import Actor
from limpet.ground.recording import record
from limpet.ground.safety.dotenv import without_secrets
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.work.documents.detail import Detail
from limpet.work.documents.form import BacklogItem, is_same_form, show_form, union, without, write_timestamp
from limpet.work.documents.manifest import Artifact, DocumentsManifest, check_key
from limpet.work.documents.project_files import is_file
from limpet.work.documents.requirements import take_baseline
from limpet.work.documents.rubrics import (
    LEVELS,
    NO,
    Rubric,
    RubricAnswer,
    RubricItem,
    Score,
    check_answers,
    load_rubrics,
    merge_answers,
    own_rubric,
    rubric_of,
    score,
)
from limpet.work.documents.store import DocumentState, detail_keys, need_manifest, read_detail, transact, untracked

EVALUATED, PLACED = "spec.evaluated", "spec.placed"
EVALUATING = "evaluation: "
"""How a note on work in progress begins that we wrote, and may take away."""
BACKLOGGED, DONE, LOGGED = "spec.backlog", "spec.backlog-done", "spec.log"


class Evaluation(Value):
    """An evaluation under way or done. ``answers``: one for each item of the rubric; ``others``: to items of another
    rubric, which the file keeps. ``before``: the level before, 0 for none. ``problems``: lines on values in the file
    that do not count."""

    artifact: Artifact
    rubric: Rubric
    answers: tuple[RubricAnswer, ...]
    score: Score
    before: int
    others: tuple[tuple[RubricItem, RubricAnswer], ...] = ()
    problems: tuple[str, ...] = ()


def read_evaluation(workspace: Workspace, key: str, kind: str = "") -> Evaluation:
    manifest = need_manifest(workspace)
    artifact = manifest.artifact(key) or _new_artifact(key, kind, "")
    return _as_it_stands(manifest, artifact, read_detail(workspace, key), kind)


def rubric_for(artifact: Artifact, detail: Detail, kind: str = "") -> Rubric | None:
    usual = rubric_of(artifact.key, kind or artifact.type or detail.type)
    return own_rubric(artifact.key, detail.asked, usual) or usual


def evaluate(
    workspace: Workspace,
    key: str,
    given: Mapping[str, RubricAnswer],
    actor: Actor,
    keep: bool = False,
    path: str = "",
    kind: str = "",
) -> Evaluation:
    """Record answers: the score once every item is answered, else work in progress. Without any, record the document's
    path and type, and track it if nobody does; earlier records of it stay. ``keep``: earlier answers stay where none is
    ``given``. ``path``, ``kind``: "" for those that are known. Raise LimpetError, with nothing written."""
    safe = {}
    for name, answer in given.items():
        safe[name] = answer.replace(note=without_secrets(workspace, " ".join(answer.note.split())))

    def work(state: DocumentState) -> Evaluation:
        manifest = state.manifest
        before = manifest.artifact(key)
        artifact = before or _new_artifact(key, kind, path)
        artifact = artifact.replace(path=path or artifact.path, type=kind or artifact.type)
        if not is_file(workspace.root, artifact.path):
            what = f"File {artifact.path} does not exist" if artifact.path else "Document is not written yet"
            raise LimpetError(what, key, "Write the document, then give its path with --path.")
        detail, (day, time) = state.detail(key), write_timestamp(actor.now)
        found = _as_it_stands(manifest, artifact, detail, kind)
        line = "" if before else f"Tracked {key}"
        if given:
            found, detail = _answer(found, detail, safe, keep, manifest.scaled)
            line = _line(key, found)
            if line:
                usual = rubric_of(key, artifact.type or detail.type)
                baseline = take_baseline(workspace.root, artifact.path, usual, state.limits["hashes"])
                detail = detail.replace(last_evaluated=day, time=time, baseline=baseline)
            state.put(detail)
        artifact = _graded(artifact, found.score, day, time) if given else _noted(artifact)
        manifest = manifest.logged(day, line, state.limits["log"]) if line else manifest
        state.put(manifest.with_artifact(artifact))
        return found.replace(artifact=artifact)

    found = transact(workspace, work)
    if given:
        data = {"artifact": key, "before": found.before, "level": found.score.level, "points": found.score.points}
        record(workspace, actor, EVALUATED, data | {"unanswered": len(found.score.unanswered)})
    else:
        record(workspace, actor, PLACED, {"artifact": key, "path": path})
    return found


def add_backlog(workspace: Workspace, item: BacklogItem, actor: Actor) -> bool:
    """Return False where the problem was known, whose priority is then this one. Raise LimpetError."""
    text = without_secrets(workspace, " ".join(item.item.split()))
    if not text:
        raise LimpetError("A problem needs a text", hint="Say what is wrong in one line.")
    noted = item.replace(item=text, found=write_timestamp(actor.now)[0])
    is_new = transact(workspace, lambda state: _add(state, noted))
    record(workspace, actor, BACKLOGGED, {"artifact": item.artifact, "priority": item.priority, "new": is_new})
    return is_new


def finish_backlog(workspace: Workspace, key: str, words: str, actor: Actor) -> BacklogItem:
    """Remove the one problem of a document whose text holds ``words``; the most urgent of the others gets its room in
    the manifest. Raise LimpetError for none and for several."""
    item = transact(workspace, lambda state: _finish(state, key, words, detail_keys(workspace)))
    record(workspace, actor, DONE, {"artifact": key, "priority": item.priority})
    return item


def list_backlog(workspace: Workspace, key: str = "") -> tuple[tuple[BacklogItem, ...], tuple[str, ...]]:
    """The most urgent first; and a line for each detail file that cannot be read. Raise LimpetError where the manifest,
    or the file of ``key``, cannot be read, and for a key of which nothing is known."""
    manifest = need_manifest(workspace)
    if not key:
        found, unread = _open_problems(detail_keys(workspace), lambda key: read_detail(workspace, key))
        return union(found, manifest.backlog), unread
    shown = [item for item in manifest.backlog if item.artifact == key]
    items = union(read_detail(workspace, key).backlog, shown)
    if not items and manifest.artifact(key) is None:
        raise untracked(key)
    return items, ()


def add_log(workspace: Workspace, text: str, actor: Actor) -> None:
    line = without_secrets(workspace, " ".join(text.split()))
    if not line:
        raise LimpetError("A log line needs a text")
    day = write_timestamp(actor.now)[0]
    transact(workspace, lambda state: state.put(state.manifest.logged(day, line, state.limits["log"])))
    record(workspace, actor, LOGGED, {"bytes": len(line)})


def _as_it_stands(manifest: DocumentsManifest, artifact: Artifact, detail: Detail, kind: str) -> Evaluation:
    rubric = rubric_for(artifact, detail, kind)
    if rubric is None:
        known_types = ", ".join(load_rubrics())
        raise LimpetError("No rubric for this document", artifact.key, f"Give its type with --type: {known_types}")
    known, asked = {answer.id: answer for answer in detail.answers}, {item.id: item for item in detail.asked}
    answers = tuple(known.pop(item.id, RubricAnswer(item.id)) for item in rubric.items)
    others = tuple((asked.get(name) or RubricItem(name, "", 0), answer) for name, answer in known.items())
    found = score(rubric, answers, manifest.scaled)
    return Evaluation(artifact, rubric, answers, found, artifact.score, others, detail.problems)


def _line(key: str, found: Evaluation) -> str:
    """Return "" while some items are not answered."""
    level = found.score.level
    if not level:
        return ""
    before = f"{found.before} -> " if found.before not in (0, level) else ""
    return f"Evaluated {key} ({before}{level}/5)"


def _answer(
    found: Evaluation, detail: Detail, given: Mapping[str, RubricAnswer], keep: bool, scaled: bool
) -> tuple[Evaluation, Detail]:
    """The note on work in progress: ours comes and goes with the evaluation, anyone else's stays. What lost its result
    keeps the note that told why, for whoever answers."""
    rubric = found.rubric
    check_answers(rubric, given.values())
    known = {answer.id: answer for answer in detail.answers}
    answers = merge_answers(rubric, detail.answers, given, keep)
    answers = tuple(_with_earlier_note(answer, known.get(answer.id)) for answer in answers)
    check_answers(rubric, [answer for answer in answers if answer.result])
    reached = score(rubric, answers, scaled)
    for answer in answers:
        if answer.result or answer.id in known:
            known[answer.id] = answer if answer.result else known[answer.id].replace(result="")
    wip, total = detail.wip, len(rubric.items)
    if not wip or wip.startswith(EVALUATING):
        wip = "" if reached.level else f"{EVALUATING}{total - len(reached.unanswered)} of {total} answered"
    kind = detail.type or found.artifact.type
    return (
        found.replace(answers=answers, score=reached, others=()),
        detail.replace(type=kind, answers=tuple(known.values()), wip=wip),
    )


def _with_earlier_note(answer: RubricAnswer, earlier: RubricAnswer | None) -> RubricAnswer:
    """An answer given without a note keeps the one that it had before, where that still tells why: the result is the
    same, or one that a new evaluation took away is no."""
    if earlier is None or answer.note or answer.result != (earlier.result or NO):
        return answer
    return answer.replace(note=earlier.note)


def _graded(artifact: Artifact, found: Score, day: str, time: str) -> Artifact:
    if found.level is None:
        return artifact.replace(status="wip")
    reachable = found.reachable if found.reachable < LEVELS else 0
    return artifact.replace(score=found.level, status="current", last_evaluated=day, time=time, reachable=reachable)


def _noted(artifact: Artifact) -> Artifact:
    is_begun = artifact.last_evaluated or artifact.status == "wip"
    return artifact if is_begun else artifact.replace(status="draft")


def _new_artifact(key: str, kind: str, path: str) -> Artifact:
    """Raise LimpetError unless the document's file or rubric is given."""
    if not path and not kind:
        raise untracked(key)
    return Artifact(check_key(key), path=path, type=kind)


def _open_problems(
    keys: Iterable[str], read: Callable[[str], Detail]
) -> tuple[tuple[BacklogItem, ...], tuple[str, ...]]:
    found: list[BacklogItem] = []
    unread: list[str] = []
    for key in keys:
        try:
            found += read(key).backlog
        except LimpetError as error:
            unread.append(str(error))
    return tuple(found), tuple(unread)


def _add(state: DocumentState, item: BacklogItem) -> bool:
    manifest = state.manifest
    if manifest.artifact(item.artifact) is None:
        raise untracked(item.artifact)
    is_new = _keep_in_detail(state, item)
    others = without(manifest.backlog, item)
    shown, gone = show_form(others, item, state.limits["backlog"])
    for one in gone:
        _keep_in_detail(state, one)
    state.put(manifest.replace(backlog=shown))
    return is_new and others == manifest.backlog


def _keep_in_detail(state: DocumentState, item: BacklogItem) -> bool:
    """Put the problem into the detail file, in its longer form, and return whether it is new there. One that the
    manifest shows has no day, and changes nothing of what the detail says."""
    detail = state.detail(item.artifact)
    twin = next((one for one in detail.backlog if is_same_form(one, item)), None)
    if twin is None:
        state.put(detail.replace(backlog=(*detail.backlog, item)))
    elif item.found and twin.priority != item.priority:
        kept = item.replace(item=max(item.item, twin.item, key=len), found=twin.found or item.found)
        state.put(detail.replace(backlog=(*without(detail.backlog, item), kept)))
    return twin is None


def _finish(state: DocumentState, key: str, words: str, keys: Iterable[str]) -> BacklogItem:
    manifest, detail = state.manifest, state.detail(key)
    item = _find(union(detail.backlog, [one for one in manifest.backlog if one.artifact == key]), key, words)
    state.put(detail.replace(backlog=without(detail.backlog, item)))
    shown = without(manifest.backlog, item)
    for one in union(_open_problems(keys, state.detail)[0]):
        if len(shown) < state.limits["backlog"] and not any(is_same_form(one, other) for other in shown):
            shown, _ = show_form(shown, one, state.limits["backlog"])
    state.put(manifest.replace(backlog=shown))
    return item


def _find(items: Iterable[BacklogItem], key: str, words: str) -> BacklogItem:
    wanted = " ".join(words.split()).lower()
    found = [item for item in items if wanted in item.item.lower()]
    exact = [item for item in found if item.item.lower() == wanted]
    if len(exact or found) != 1:
        several = f"{len(found)} problems of {key} contain these words"
        what = several if found else f"No problem of {key} contains these words"
        raise LimpetError(what, words, f"Run: limpet work spec backlog {key}")
    return (exact or found)[0]
