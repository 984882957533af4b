"""Bookkeeping of backlog and log: adds and resolves problems, and logs finished work in a line.

Each action works on the texts that ``store.transact`` hands out; details are changed before the manifest.
"""

from __future__ import annotations

from collections.abc import Iterable

from holdfast.ground.errors import HoldfastError
from holdfast.ground.event_log.record import record
from holdfast.ground.safety.dotenv import without_secrets
from holdfast.ground.workspace import Workspace
from holdfast.work.documents import detail as details
from holdfast.work.documents import manifest as manifests
from holdfast.work.documents.backlog import BacklogItem, is_same, rank, union
from holdfast.work.documents.dates import write_timestamp
from holdfast.work.documents.manifest import add_log_line, check_key, read_manifest_text
from holdfast.work.documents.opening import existing, open_detail, open_manifest, untracked
from holdfast.work.documents.store import Author, Files, detail_keys, read_detail, read_manifest, transact

BACKLOGGED, DONE, LOGGED = "spec.backlog", "spec.backlog-done", "spec.log"


def add_backlog(workspace: Workspace, item: BacklogItem, author: Author) -> bool:
    """Add a problem; False where it was known, whose priority is then this one. Raise HoldfastError."""
    text = without_secrets(workspace, " ".join(item.item.split()))
    noted = item.replace(item=text, found=write_timestamp(author.now)[0])
    if not noted.item:
        raise HoldfastError("A problem needs a text", hint="Say what is wrong in one line.")
    is_new = transact(workspace, lambda files: _add(files, noted, author.limits.backlog))
    record(workspace, author, BACKLOGGED, {"artifact": item.artifact, "priority": item.priority, "new": is_new})
    return is_new


def finish_backlog(workspace: Workspace, key: str, words: str, author: Author) -> BacklogItem:
    """Remove the one problem of a document whose text holds ``words``. Raise HoldfastError for none and for
    several."""
    item = transact(workspace, lambda files: _finish(files, key, words))
    left = [one for one in list_backlog(workspace)[0] if not is_same(one, item)]
    transact(workspace, lambda files: _refill(files, left, author.limits.backlog))
    record(workspace, author, DONE, {"artifact": key, "priority": item.priority})
    return item


def list_backlog(workspace: Workspace, key: str = "") -> tuple[tuple[BacklogItem, ...], tuple[str, ...]]:
    """Return all problems, or one document's, the most urgent first; and a line for each detail file that cannot be
    read.

    Raises HoldfastError where the manifest, or the file of ``key``, cannot be read, and for a key of which nothing is
    known.
    """
    manifest = existing(read_manifest(workspace))
    found, unread = ([read_detail(workspace, check_key(key)).backlog], ()) if key else _all_backlogs(workspace)
    items = union(*found, [item for item in manifest.backlog if key in ("", item.artifact)])
    if key and not items and manifest.artifact(key) is None:
        raise untracked(key)
    return items, unread


def add_log(workspace: Workspace, text: str, author: Author) -> None:
    """Add a line to the log. Raise HoldfastError."""
    day, line = write_timestamp(author.now)[0], without_secrets(workspace, " ".join(text.split()))
    if not line:
        raise HoldfastError("A log line needs a text")
    most = author.limits.log
    transact(workspace, lambda files: files.put_manifest(add_log_line(open_manifest(files)[0], day, line, most)))
    record(workspace, author, LOGGED, {"bytes": len(line)})


def _all_backlogs(workspace: Workspace) -> tuple[list[tuple[BacklogItem, ...]], tuple[str, ...]]:
    found, unread = [], []
    for key in detail_keys(workspace):
        try:
            found.append(read_detail(workspace, key).backlog)
        except HoldfastError as error:
            unread.append(str(error))
    return found, tuple(unread)


def _add(files: Files, item: BacklogItem, most: int) -> bool:
    text, manifest = open_manifest(files)
    if manifest.artifact(item.artifact) is None:
        raise untracked(item.artifact)
    twin = _keep_in_detail(files, item)
    shown = [one for one in manifest.backlog if not is_same(one, item)]
    if len(shown) != len(manifest.backlog):
        text = manifests.hide_item(text, item)
    text, gone = manifests.show_item(text, shown, item, most)
    for one in gone:
        _keep_in_detail(files, one)
    files.put_manifest(text)
    return twin is None and len(shown) == len(manifest.backlog)


def _keep_in_detail(files: Files, item: BacklogItem) -> BacklogItem | None:
    """Put the problem into the detail file, and return the item that it had for it before."""
    text, detail = open_detail(files, check_key(item.artifact))
    twin = next((one for one in detail.backlog if is_same(one, item)), None)
    if twin and (twin.priority == item.priority or not item.found):
        return twin
    text = details.drop_item(text, detail, item) if twin else text
    kept = item.replace(item=max(item.item, twin.item, key=len), found=twin.found or item.found) if twin else item
    files.put_detail(item.artifact, details.add_item(text, detail, kept))
    return twin


def _finish(files: Files, key: str, words: str) -> BacklogItem:
    text, manifest = open_manifest(files)
    detail_text, detail = open_detail(files, check_key(key))
    item = _find(union(detail.backlog, [one for one in manifest.backlog if one.artifact == key]), key, words)
    files.put_detail(key, details.drop_item(detail_text, detail, item))
    files.put_manifest(manifests.hide_item(text, item))
    return item


def _find(items: Iterable[BacklogItem], key: str, words: str) -> BacklogItem:
    wanted = " ".join(words.split()).lower()
    found = [item for item in items if wanted in item.item.lower()]
    exact = [item for item in found if item.item.lower() == wanted]
    if len(exact or found) != 1:
        what = (
            f"{len(found)} problems of {key} contain these words"
            if found
            else f"No problem of {key} contains these words"
        )
        raise HoldfastError(what, words, f"Run: holdfast spec backlog list {key}")
    return (exact or found)[0]


def _refill(files: Files, items: Iterable[BacklogItem], most: int) -> None:
    """Show the most urgent of these problems that the manifest has room for and that nobody has solved meanwhile."""
    text, manifest = open_manifest(files)
    shown = list(manifest.backlog)
    for item in sorted(items, key=rank):
        if len(shown) < most and not any(is_same(one, item) for one in shown) and _is_open(files, item):
            text, _ = manifests.show_item(text, shown, item, most)
            shown = list(read_manifest_text(text).backlog)
    files.put_manifest(text)


def _is_open(files: Files, item: BacklogItem) -> bool:
    return any(is_same(one, item) for one in open_detail(files, item.artifact)[1].backlog)
