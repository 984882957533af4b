"""Bookkeeping of backlog and log: adds and resolves problems, and logs finished work in a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from limpet.ground.errors import LimpetError
from limpet.ground.event_log.append import Actor
from limpet.ground.event_log.record import record
from limpet.ground.safety.dotenv import without_secrets
from limpet.ground.workspace import Workspace
from limpet.work.documents.backlog import BacklogItem, is_same, show, union, without
from limpet.work.documents.detail import Detail
from limpet.work.documents.form import write_timestamp
from limpet.work.documents.store import (
    State,
    detail_keys,
    need_manifest,
    read_detail,
    transact,
    untracked,
)

BACKLOGGED, DONE, LOGGED = "spec.backlog", "spec.backlog-done", "spec.log"


def add_backlog(workspace: Workspace, item: BacklogItem, actor: Actor) -> bool:
    """Add a problem; False where it was known, whose priority is then this one. Raise LimpetError."""
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
    """Return all problems, or one document's, the most urgent first; and a line for each detail file that cannot be
    read.

    Raises LimpetError where the manifest, or the file of ``key``, cannot be read, and for a key of which nothing is
    known.
    """
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
    """Add a line to the log. Raise LimpetError."""
    line = without_secrets(workspace, " ".join(text.split()))
    if not line:
        raise LimpetError("A log line needs a text")
    day = write_timestamp(actor.now)[0]
    transact(workspace, lambda state: state.put(state.manifest.logged(day, line, state.limits["log"])))
    record(workspace, actor, LOGGED, {"bytes": len(line)})


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


def _add(state: State, item: BacklogItem) -> bool:
    manifest = state.manifest
    if manifest.artifact(item.artifact) is None:
        raise untracked(item.artifact)
    is_new = _keep_in_detail(state, item)
    others = without(manifest.backlog, item)
    shown, gone = show(others, item, state.limits["backlog"])
    for one in gone:
        _keep_in_detail(state, one)
    state.put(manifest.replace(backlog=shown))
    return is_new and others == manifest.backlog


def _keep_in_detail(state: State, item: BacklogItem) -> bool:
    """Put the problem into the detail file, in its longer form, and return whether it is new there. One that the
    manifest shows has no day, and changes nothing of what the detail says."""
    detail = state.detail(item.artifact)
    twin = next((one for one in detail.backlog if is_same(one, item)), None)
    if twin is None:
        state.put(detail.replace(backlog=(*detail.backlog, item)))
    elif item.found and twin.priority != item.priority:
        kept = item.replace(item=max(item.item, twin.item, key=len), found=twin.found or item.found)
        state.put(detail.replace(backlog=(*without(detail.backlog, item), kept)))
    return twin is None


def _finish(state: State, key: str, words: str, keys: Iterable[str]) -> BacklogItem:
    manifest, detail = state.manifest, state.detail(key)
    item = _find(union(detail.backlog, [one for one in manifest.backlog if one.artifact == key]), key, words)
    state.put(detail.replace(backlog=without(detail.backlog, item)))
    shown = without(manifest.backlog, item)
    for one in union(_open_problems(keys, state.detail)[0]):
        if len(shown) < state.limits["backlog"] and not any(is_same(one, other) for other in shown):
            shown, _ = show(shown, one, state.limits["backlog"])
    state.put(manifest.replace(backlog=shown))
    return item


def _find(items: Iterable[BacklogItem], key: str, words: str) -> BacklogItem:
    wanted = " ".join(words.split()).lower()
    found = [item for item in items if wanted in item.item.lower()]
    exact = [item for item in found if item.item.lower() == wanted]
    if len(exact or found) != 1:
        several = f"{len(found)} problems of {key} contain these words"
        what = several if found else f"No problem of {key} contains these words"
        raise LimpetError(what, words, f"Run: limpet spec backlog list {key}")
    return (exact or found)[0]
