"""The working tree and the references of a repository at a moment, and what differs later.

Kept in the user's state folder: of a file that git has as it is only its commit, of others their text, unless it may
hold a secret.
"""

from __future__ import annotations

import os

from limpet.ground.clock import Patience
from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.formats.json_text import dumps, loads
from limpet.ground.git import (
    BRANCHES,
    HEAD,
    REMOTES,
    changed_files,
    content_at,
    files_between,
    files_of,
    new_commits,
    read_contents,
    references,
    was_pushed,
)
from limpet.ground.repository import find_repository, read_branch
from limpet.ground.storage.files import read_bytes, write_if_possible
from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.ground.clock import Clock

# Bytes of a file whose content is compared, and of one whose text is kept.
LONGEST, KEPT = 8_000_000, 400_000
# Files whose text is kept of one moment, and seconds that reading them takes at most, and each git for it.
MOST, SECONDS = 300, 2.0
PATIENCE = Patience(SECONDS)
# Digits of an id where a repository names its contents by SHA-256.
SHA256 = 64
Mark = tuple[int, int, str]
# Stands for a file that is not there, and for a content that was not read.
GONE: Mark = (-1, 0, "")
UNKNOWN = "?"


class Snapshot(Value):
    """A repository at a moment.

    ``at``: seconds since 1970; ``root``: the folder that it is seen from; ``branch``: the one checked out.
    ``references``: the name of each -> the id that it points to.
    ``files``: path -> (bytes, time of change, id of the content) of all that differs from the commit checked out; the
    id is UNKNOWN where the time did not suffice.
    """

    at: float
    root: str
    branch: str
    references: dict[str, str]
    files: dict[str, Mark]


class Difference(Value):
    """What became of a repository.

    ``paths``: path -> (id of the content before, and after), "" for none.
    ``commits``: those that were made; ``moved``: branches that were set to another commit; ``pushed``: branches of
    remotes that this repository moved.
    """

    paths: dict[str, tuple[str, str]]
    commits: tuple[str, ...]
    moved: tuple[str, ...]
    pushed: tuple[str, ...]


def take_snapshot(root: str, clock: Clock, texts: str = "") -> Snapshot | None:
    """None where git cannot tell in time. ``texts``: the folder in which texts are kept, "" for none."""
    repository = find_repository(root)
    patience = Patience(SECONDS, clock)
    refs = references(root, patience) if repository else None
    changed = changed_files(root, patience) if refs is not None else None
    if repository is None or refs is None or changed is None:
        return None
    name = "sha256" if len(refs.get(HEAD, "")) == SHA256 else "sha1"
    alarm = clock.alarm(SECONDS)
    files: dict[str, Mark] = {}
    for path in changed:
        is_late = alarm() or not clock.left()
        keeps = texts if len(files) < MOST else ""
        files[path] = mark_file(os.path.join(root, path), name, "" if is_late else keeps, is_late)
    return Snapshot(clock.now(), root, read_branch(repository), refs, files)


def mark_file(path: str, name: str = "sha1", texts: str = "", is_late: bool = False) -> Mark:
    """Keeps the file's text too, where that is wanted."""
    try:
        found = os.lstat(path)
    except OSError:
        return GONE
    if is_late or found.st_size > LONGEST:
        return found.st_size, found.st_mtime_ns, UNKNOWN
    raw = os.fsencode(os.readlink(path)) if os.path.islink(path) else read_bytes(path, LONGEST)
    if raw is None:
        return found.st_size, found.st_mtime_ns, UNKNOWN
    content = snapshot_id_of(raw, name)
    if texts and len(raw) <= KEPT and not _holds_secret(raw):
        write_if_possible(os.path.join(texts, content), raw)
    return found.st_size, found.st_mtime_ns, content


def snapshot_id_of(raw: bytes, name: str = "sha1") -> str:
    """The id that git gives."""
    import hashlib

    return hashlib.new(name, b"blob %d\0" % len(raw) + raw, usedforsecurity=False).hexdigest()


def find_difference(before: Snapshot, after: Snapshot, patience: Patience = PATIENCE) -> Difference:
    """What came with a commit of others, or by changing to another branch, is no change of a file."""
    root, old, new = before.root, before.references, after.references
    remotes = _moved(old, new, REMOTES, also_new=True)
    pushed = tuple(name for name in remotes if was_pushed(root, name, before.at, patience))
    foreign = {at for name, at in new.items() if name.startswith(REMOTES) and name not in pushed}
    tips = {at for name, at in new.items() if name == HEAD or name.startswith(BRANCHES)} - {*old.values()}
    commits = tuple(new_commits(root, tips, {*old.values()} | foreign, patience)) if tips else ()
    moved = tuple(name for name in _moved(old, new, BRANCHES) if new[name] not in foreign and new[name] not in commits)
    paths = {*before.files, *after.files} | (files_of(root, commits, patience) if commits else set())
    head = (old.get(HEAD, ""), new.get(HEAD, ""))
    if head[0] and before.branch == after.branch and (commits or moved):
        others = new_commits(root, foreign, {*old.values()}, patience) if foreign else []
        theirs = files_of(root, others, patience) - files_of(root, commits, patience) if others else set()
        paths |= files_between(root, *head, patience) - theirs
    was = _contents(before, paths, head[0], patience)
    now = _contents(after, paths, head[1], patience)
    stayed = {path for path, mark in before.files.items() if after.files.get(path) == mark}
    if head[0] != head[1] and not commits and not moved:  # another branch: what it has is as it was committed there
        stayed |= paths - {*after.files}
    changed = (path for path in sorted(paths - stayed) if was[path] != now[path] or now[path] == UNKNOWN)
    return Difference({path: (was[path], now[path]) for path in changed}, commits, moved, pushed)


def read_texts_of(root: str, contents: set[str], texts: str, patience: Patience = PATIENCE) -> dict[str, bytes]:
    """Return contents by their ids: of those that were kept, else git's; what neither has is left out."""
    wanted = sorted(contents - {"", UNKNOWN})
    kept = {each: raw for each in wanted if (raw := read_bytes(os.path.join(texts, each), KEPT)) is not None}
    others = [each for each in wanted if each not in kept]
    return kept | (read_contents(root, others, patience) if others else {})


def write_snapshot(path: str, snapshot: Snapshot) -> None:
    """A disk that refuses loses the snapshot."""
    write_if_possible(path, dumps(snapshot.__dict__))


def read_snapshot(path: str) -> Snapshot | None:
    raw = read_bytes(path, 16 * STATE_BYTES)
    try:
        data: Any = loads(raw.decode()) if raw else {}
        files = {name: (mark[0], mark[1], mark[2]) for name, mark in data["files"].items()}
        return Snapshot(**{**data, "files": files})
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        return None


def _moved(old: dict[str, str], new: dict[str, str], kind: str, also_new: bool = False) -> list[str]:
    return [name for name, at in new.items() if name.startswith(kind) and old.get(name, "" if also_new else at) != at]


def _contents(snapshot: Snapshot, paths: set[str], head: str, patience: Patience) -> dict[str, str]:
    kept = {path: mark[2] for path, mark in snapshot.files.items() if path in paths}
    others = paths - {*kept}
    committed = content_at(snapshot.root, head, sorted(others), patience) if head and others else {}
    return {path: kept.get(path, committed.get(path, "")) for path in paths}


def _holds_secret(raw: bytes) -> bool:
    from limpet.ground.safety.hints import may_hold_secret

    text = raw.decode("utf-8", "replace")
    if not may_hold_secret(text):
        return False
    from limpet.ground.safety.redaction import redact

    return redact(text) != text
