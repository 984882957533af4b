"""What is done to the state: evaluate a document, add to and work off the backlog, note in the log. Each action is
worked out on the texts that ``store.transact`` hands out; details are changed before the manifest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from holdfast.ground.errors import HoldfastError
from holdfast.ground.redaction import redact
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.work.spec import detail as details
from holdfast.work.spec import manifest as manifests
from holdfast.work.spec.backlog import SHOWN, BacklogItem, is_same, rank, union
from holdfast.work.spec.dates import write_moment
from holdfast.work.spec.detail import EVALUATING, Detail, detail_name, new_detail_text, read_detail_text
from holdfast.work.spec.manifest import (
    NAME,
    Artifact,
    Manifest,
    add_log_line,
    check_key,
    read_manifest_text,
    set_artifact,
)
from holdfast.work.spec.rubrics import Rubric, custom_rubric, load_rubrics, rubric_of
from holdfast.work.spec.scoring import Answer, Score, check_answers, merge_answers, score
from holdfast.work.spec.store import Author, Files, detail_keys, read_detail, read_manifest, record, transact
from holdfast.work.spec.tree import is_file

EVALUATED, BACKLOGGED, DONE, LOGGED = "spec.evaluated", "spec.backlog", "spec.backlog-done", "spec.log"


class Evaluation(Value):
    """Where an evaluation stands: what is said to each item of the ``rubric``, the score, and the level ``before``, 0
    for a document that had none."""

    artifact: Artifact
    rubric: Rubric
    answers: tuple[Answer, ...]
    score: Score
    before: int


def read_evaluation(workspace: Workspace, key: str, kind: str = "") -> Evaluation:
    """The checklist of a document with what is recorded. Raises HoldfastError."""
    manifest = _existing(read_manifest(workspace))
    artifact = manifest.artifact(key) or _new_artifact(key, kind, "")
    detail = read_detail(workspace, check_key(key))
    rubric = _rubric(artifact, detail, kind)
    known = {answer.id: answer for answer in detail.answers}
    answers = tuple(known.get(item.id) or Answer(item.id) for item in rubric.items)
    return Evaluation(artifact, rubric, answers, score(rubric, answers, manifest.scaled), artifact.score)


def evaluate(
    workspace: Workspace,
    key: str,
    given: Mapping[str, Answer],
    author: Author,
    keep: bool = False,
    path: str = "",
    kind: str = "",
) -> Evaluation:
    """Record answers: the score once every item is answered, else work in progress. ``path`` and ``kind`` say where a
    document lies and by which rubric it is measured. Raises HoldfastError, with nothing written."""
    safe = {name: answer.replace(note=redact(" ".join(answer.note.split()))) for name, answer in given.items()}
    draft = _Draft(key, safe, author.now, keep, path, kind, workspace.root)
    found = transact(workspace, lambda files: _evaluate(files, draft))
    level = found.score.level
    data = {"artifact": key, "before": found.before, "level": level, "points": found.score.points}
    record(workspace, author, EVALUATED, data | {"unanswered": len(found.score.unanswered)})
    return found


def add_backlog(workspace: Workspace, item: BacklogItem, author: Author) -> bool:
    """Note a problem; False where it was known, whose priority is then this one. Raises HoldfastError."""
    noted = item.replace(item=redact(" ".join(item.item.split())), found=write_moment(author.now)[0])
    if not noted.item:
        raise HoldfastError("a problem needs a text", mend="say in a line what is wrong")
    is_new = transact(workspace, lambda files: _add(files, noted))
    record(workspace, author, BACKLOGGED, {"artifact": item.artifact, "priority": item.priority, "new": is_new})
    return is_new


def finish_backlog(workspace: Workspace, key: str, words: str, author: Author) -> BacklogItem:
    """Take the one problem of a document whose text holds ``words`` off its backlog. Raises HoldfastError."""
    item = transact(workspace, lambda files: _finish(files, key, words))
    left = [one for one in list_backlog(workspace)[0] if not is_same(one, item)]
    transact(workspace, lambda files: _refill(files, left))
    record(workspace, author, DONE, {"artifact": key, "priority": item.priority})
    return item


def list_backlog(workspace: Workspace, key: str = "") -> tuple[tuple[BacklogItem, ...], tuple[str, ...]]:
    """All problems, or one document's, the most urgent first; and a line for each detail file that cannot be read.

    Raises HoldfastError where the manifest, or the file of ``key``, cannot be read.
    """
    manifest = _existing(read_manifest(workspace))
    found, unread = ([read_detail(workspace, check_key(key)).backlog], ()) if key else _all_backlogs(workspace)
    return union(*found, [item for item in manifest.backlog if key in ("", item.artifact)]), unread


def add_log(workspace: Workspace, text: str, author: Author) -> None:
    """Note in a line what was done. Raises HoldfastError."""
    day, line = write_moment(author.now)[0], redact(" ".join(text.split()))
    if not line:
        raise HoldfastError("a line of the log needs a text")
    transact(workspace, lambda files: files.put_manifest(add_log_line(_open(files)[0], day, line)))
    record(workspace, author, LOGGED, {"bytes": len(line)})


def _all_backlogs(workspace: Workspace) -> tuple[list[tuple[BacklogItem, ...]], tuple[str, ...]]:
    found, unread = [], []
    for key in detail_keys(workspace):
        try:
            found.append(read_detail(workspace, key).backlog)
        except HoldfastError as error:
            unread.append(str(error))
    return found, tuple(unread)


class _Draft(Value):
    """What ``evaluate`` was asked for."""

    key: str
    given: Mapping[str, Answer]
    now: float
    keep: bool
    path: str
    kind: str
    root: str


def _evaluate(files: Files, draft: _Draft) -> Evaluation:
    key, kind = check_key(draft.key), draft.kind
    text, manifest = _open(files)
    before = manifest.artifact(key)
    artifact = _placed(before or _new_artifact(key, kind, draft.path), draft)
    detail_text, detail = _open_detail(files, key, artifact.type)
    rubric = _rubric(artifact, detail, kind)
    check_answers(rubric, draft.given.values())
    answers = merge_answers(rubric, detail.answers, draft.given, draft.keep)
    found = score(rubric, answers, manifest.scaled)
    day, time = write_moment(draft.now) if found.level else (detail.day, detail.time)
    files.put_detail(key, details.set_answers(detail_text, detail, answers, day, time, _wip(detail, rubric, found)))
    after = _graded(artifact, found, day, time)
    text = set_artifact(text, before, after)
    if found.level:
        text = add_log_line(text, day, f"Evaluated {key} {_progress(before, found.level)}")
    files.put_manifest(text)
    return Evaluation(after, rubric, answers, found, before.score if before else 0)


def _graded(artifact: Artifact, found: Score, day: str, time: str) -> Artifact:
    if found.level is None:
        return artifact.replace(status="wip")
    return artifact.replace(score=found.level, status="current", day=day, time=time)


def _wip(detail: Detail, rubric: Rubric, found: Score) -> str:
    """The note on work in progress: ours comes and goes with the evaluation, anybody else's stays."""
    if detail.wip and not detail.wip.startswith(EVALUATING):
        return detail.wip
    answered = len(rubric.items) - len(found.unanswered)
    return "" if found.level else f"{EVALUATING}{answered} of {len(rubric.items)} answered"


def _progress(before: Artifact | None, level: int) -> str:
    return f"({before.score} -> {level}/5)" if before and before.score not in (0, level) else f"({level}/5)"


def _add(files: Files, item: BacklogItem) -> bool:
    text, manifest = _open(files)
    if manifest.artifact(item.artifact) is None:
        raise _untracked(item.artifact)
    twin = _keep_in_detail(files, item)
    shown = [one for one in manifest.backlog if not is_same(one, item)]
    if len(shown) != len(manifest.backlog):
        text = manifests.hide_item(text, item)
    text, gone = manifests.show_item(text, shown, item)
    for one in gone:
        _keep_in_detail(files, one)
    files.put_manifest(text)
    return twin is None and len(shown) == len(manifest.backlog)


def _keep_in_detail(files: Files, item: BacklogItem) -> BacklogItem | None:
    """See to it that the detail file holds the problem, and give back what it held of it before."""
    text, detail = _open_detail(files, check_key(item.artifact))
    twin = next((one for one in detail.backlog if is_same(one, item)), None)
    if twin and (twin.priority == item.priority or not item.found):
        return twin
    text = details.drop_item(text, detail, item) if twin else text
    kept = item.replace(item=max(item.item, twin.item, key=len), found=twin.found or item.found) if twin else item
    files.put_detail(item.artifact, details.add_item(text, detail, kept))
    return twin


def _finish(files: Files, key: str, words: str) -> BacklogItem:
    text, manifest = _open(files)
    detail_text, detail = _open_detail(files, check_key(key))
    item = _find(union(detail.backlog, [one for one in manifest.backlog if one.artifact == key]), key, words)
    files.put_detail(key, details.drop_item(detail_text, detail, item))
    files.put_manifest(manifests.hide_item(text, item))
    return item


def _find(items: Iterable[BacklogItem], key: str, words: str) -> BacklogItem:
    wanted = " ".join(words.split()).lower()
    found = [item for item in items if wanted in item.item.lower()]
    exact = [item for item in found if item.item.lower() == wanted]
    if len(exact or found) != 1:
        what = f"{len(found)} problems of {key} have these words" if found else f"no problem of {key} has these words"
        raise HoldfastError(what, words, f"see `holdfast spec backlog list {key}`")
    return (exact or found)[0]


def _refill(files: Files, items: Iterable[BacklogItem]) -> None:
    """Show the most urgent problems that the manifest has room for."""
    text, manifest = _open(files)
    shown = list(manifest.backlog)
    for item in sorted(items, key=rank):
        if len(shown) < SHOWN and not any(is_same(one, item) for one in shown):
            text, _ = manifests.show_item(text, shown, item)
            shown = list(read_manifest_text(text).backlog)
    files.put_manifest(text)


def _open(files: Files) -> tuple[str, Manifest]:
    text = files.manifest
    manifest = _existing(read_manifest_text(text) if text else None)
    manifests.refuse_newer(manifest)
    return text, manifest


def _open_detail(files: Files, key: str, kind: str = "") -> tuple[str, Detail]:
    text = files.detail(key) or new_detail_text(key, kind)
    detail = read_detail_text(key, text)
    if detail.version > manifests.VERSION:
        what = f"has version {detail.version}, and this holdfast writes up to {manifests.VERSION}"
        raise HoldfastError(what, detail_name(key), "update holdfast; until then the file is read only")
    return text, detail


def _existing(manifest: Manifest | None) -> Manifest:
    if manifest is None:
        raise HoldfastError("there is no spec state yet", NAME, "run `holdfast spec scan --write`")
    return manifest


def _new_artifact(key: str, kind: str, path: str) -> Artifact:
    """A document that is not tracked yet: only one whose file and rubric are known."""
    if not path and not kind:
        raise _untracked(key)
    return Artifact(check_key(key), path=path, type=kind)


def _placed(artifact: Artifact, draft: _Draft) -> Artifact:
    """The document where it lies and with its type. Raises HoldfastError where nothing lies there."""
    placed = artifact.replace(path=draft.path or artifact.path, type=draft.kind or artifact.type)
    if not is_file(draft.root, placed.path):
        what = f"there is no file {placed.path} to evaluate" if placed.path else "it is not written yet"
        raise HoldfastError(what, draft.key, "write the document, then say where it lies with --path")
    return placed


def _rubric(artifact: Artifact, detail: Detail, kind: str) -> Rubric:
    own = custom_rubric(artifact.key, detail.custom, detail_name(artifact.key))
    found = own or rubric_of(artifact.key, kind or artifact.type or detail.type)
    if found is None:
        known = ", ".join(load_rubrics())
        raise HoldfastError("no rubric is known for it", artifact.key, f"say one with --type: {known}")
    return found


def _untracked(key: str) -> HoldfastError:
    return HoldfastError(f"no document {key!r} is tracked", NAME, "see `holdfast spec status`, `holdfast spec scan`")
