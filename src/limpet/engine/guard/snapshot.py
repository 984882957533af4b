"""The working tree and the references of a repository at a moment, and what differs later.

Kept in the user's state folder: of a file that git has as it is only its commit, of others their text, unless it may
hold a secret.
"""

from __future__ import annotations

import os
import stat

from limpet.ground.clock import Patience
from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.formats.json_text import dumps, loads
from limpet.ground.git import (
    BRANCHES,
    HEAD,
    REMOTES,
    entries_at,
    files_between,
    files_of,
    look_at_tree,
    new_commits,
    read_contents,
    references,
    was_pushed,
)
from limpet.ground.repository import find_repository, read_branch
from limpet.ground.storage.confinement import lies_in
from limpet.ground.storage.files import read_bytes, read_text, write_if_possible
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
# Repositories within one that are looked at, how deep, and files that a sparse checkout leaves out.
MOST_WITHIN, DEEPEST, MOST_LEFT_OUT = 20, 2, 5_000
Mark = tuple[int, int, str, int]
# What a file holds: the id of its content, "" for no file, and its mode.
Content = tuple[str, int]
# Stands for a file that is not there, and for one that git was told to leave out; for a content that was not read.
GONE: Mark = (-1, 0, "", 0)
LEFT_OUT: Mark = (-2, 0, "", 0)
NOTHING: Content = ("", 0)
UNKNOWN = "?"
# What decides how git writes a file that it has.
_DRESS = ("core.autocrlf", "core.eol", "core.attributesfile", "core.filemode", "core.symlinks", "filter.")
_ATTRIBUTES = ".gitattributes"


class Snapshot(Value):
    """A repository at a moment.

    ``at``: seconds since 1970; ``root``: the folder that it is seen from; ``folder``: git's own; ``branch``: the one
    checked out.
    ``references``: the name of each -> the id that it points to.
    ``files``: path -> (bytes, time of change, id of the content, mode) of all that differs from the commit checked
    out, or that git does not look at; the id is UNKNOWN where the time did not suffice.
    ``dress``: what decides how git writes a file here; ``keeps_modes``: whether a file can be made a program here.
    ``within``: the repositories in it.
    """

    at: float
    root: str
    folder: str
    branch: str
    references: dict[str, str]
    files: dict[str, Mark]
    dress: str
    keeps_modes: bool
    within: tuple[Snapshot, ...] = ()


class Difference(Value):
    """What became of a repository.

    ``paths``: path -> what was there, and is now.
    ``commits``: those that were made; ``moved``: branches that were set to another commit; ``pushed``: branches of
    remotes that this repository moved.
    """

    paths: dict[str, tuple[Content, Content]]
    commits: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    pushed: tuple[str, ...] = ()


def take_snapshot(root: str, clock: Clock, texts: str = "", depth: int = 0) -> Snapshot | None:
    """None where git cannot tell in time. ``texts``: the folder in which texts are kept, "" for none."""
    repository = find_repository(root)
    patience = Patience(SECONDS, clock)
    refs = references(root, patience) if repository else None
    tree = look_at_tree(root, HEAD in refs, patience) if refs is not None else None
    if repository is None or refs is None or tree is None or not _is_same(tree.top, repository.root):
        return None
    name = "sha256" if len(refs.get(HEAD, "")) == SHA256 else "sha1"
    alarm = clock.alarm(SECONDS)
    files: dict[str, Mark] = {}
    for path in (*tree.changed, *tree.hidden):
        is_late = alarm() or not clock.left()
        keeps = texts if len(files) < MOST else ""
        mark = mark_file(os.path.join(root, path), name, "" if is_late else keeps, is_late)
        files[path] = LEFT_OUT if mark == GONE and path not in tree.changed else mark
    if [*files.values()].count(LEFT_OUT) > MOST_LEFT_OUT and texts:
        files = {path: mark for path, mark in files.items() if mark != LEFT_OUT} | {"": LEFT_OUT}
    folders = (os.path.join(root, each) for each in tree.within[:MOST_WITHIN] if depth < DEEPEST)
    taken = (take_snapshot(each, clock, texts, depth + 1) for each in folders if os.path.lexists(f"{each}/.git"))
    return Snapshot(
        at=clock.now(),
        root=root,
        folder=tree.folder,
        branch=read_branch(repository),
        references=refs,
        files=files,
        dress=read_dress(tree.folder, tree.settings),
        keeps_modes=tree.settings.get("core.filemode") != "false" and os.name == "posix",
        within=tuple(each for each in taken if each),
    )


def read_dress(folder: str, settings: dict[str, str]) -> str:
    """``folder``: git's own."""
    own = [f"{name}={value}" for name, value in sorted(settings.items()) if name.startswith(_DRESS)]
    own.append(read_text(os.path.join(folder, "info", "attributes"), STATE_BYTES) or "")
    return snapshot_id_of("\n".join(own).encode("utf-8", "surrogateescape"))


def mark_file(path: str, name: str = "sha1", texts: str = "", is_late: bool = False) -> Mark:
    """Keeps the file's text too, where that is wanted."""
    try:
        found = os.lstat(path)
    except OSError:
        return GONE
    size, changed, mode = found.st_size, found.st_mtime_ns, found.st_mode
    if is_late or size > LONGEST:
        return size, changed, UNKNOWN, mode
    raw = os.fsencode(os.readlink(path)) if os.path.islink(path) else read_bytes(path, LONGEST)
    if raw is None:
        return size, changed, UNKNOWN, mode
    content = snapshot_id_of(raw, name)
    if texts and len(raw) <= KEPT and not _holds_secret(raw):
        write_if_possible(os.path.join(texts, content), raw)
    return size, changed, content, mode


def snapshot_id_of(raw: bytes, name: str = "sha1") -> str:
    """The id that git gives."""
    import hashlib

    return hashlib.new(name, b"blob %d\0" % len(raw) + raw, usedforsecurity=False).hexdigest()


def find_difference(before: Snapshot, after: Snapshot, patience: Patience = PATIENCE) -> Difference | None:
    """What came with a commit of others, or by changing to another branch, is no change of a file. None where git
    cannot tell."""
    found = _difference(before, after, patience) if before.folder == after.folder else None
    if found is None:
        return None
    old, new = ({each.root: each for each in one.within} for one in (before, after))
    paths = {
        path: each for path, each in found.paths.items() if not any(lies_in(top, _at(before, path)) for top in old)
    }
    commits, moved, pushed = found.commits, found.moved, found.pushed
    for root, nested in new.items():
        was = old.get(root)
        inner = find_difference(was or _empty(nested, before), nested, patience)
        if inner is None:
            return None
        name = os.path.relpath(root, before.root).replace(os.sep, "/")
        joined = {f"{name}/{path}": each for path, each in inner.paths.items()}
        if was is None:  # made around what may have been there
            stood = _contents(before.root, before.files, {*joined}, before.references.get(HEAD, ""), patience)
            joined = {path: ((stood or {}).get(path, (UNKNOWN, 0)), now) for path, (_, now) in joined.items()}
            joined = {path: each for path, each in joined.items() if _differs(*each, before.keeps_modes)}
        paths.update(joined)
        commits, moved, pushed = commits + inner.commits, moved + inner.moved, pushed + inner.pushed
    for root in old.keys() - new.keys():  # what was in it is not known
        name = os.path.relpath(root, before.root).replace(os.sep, "/")
        paths[name] = ((UNKNOWN, 0), NOTHING)
        loose = (path for path in found.paths if path.startswith(f"{name}/"))
        paths.update((path, ((UNKNOWN, 0), found.paths[path][1])) for path in loose)
    return Difference(paths, *(tuple(dict.fromkeys(each)) for each in (commits, moved, pushed)))


def decides_dress(path: str) -> bool:
    return path.rpartition("/")[2] == _ATTRIBUTES


def git_mode(mode: int, keeps_modes: bool = True) -> int:
    """What git tells apart: a link, a program, another file."""
    if stat.S_ISLNK(mode):
        return stat.S_IFLNK
    return stat.S_IFMT(mode) | (0o755 if keeps_modes and mode & stat.S_IXUSR else 0o644)


def _difference(before: Snapshot, after: Snapshot, patience: Patience) -> Difference | None:
    root, old, new = before.root, before.references, after.references
    remotes = _moved(old, new, REMOTES, also_new=True)
    pushed = tuple(name for name in remotes if was_pushed(root, name, before.at, patience))
    foreign = {at for name, at in new.items() if name.startswith(REMOTES) and name not in pushed}
    tips = {at for name, at in new.items() if name == HEAD or name.startswith(BRANCHES)} - {*old.values()}
    commits = tuple(new_commits(root, tips, {*old.values()} | foreign, patience)) if tips else ()
    moved = tuple(name for name in _moved(old, new, BRANCHES) if new[name] not in foreign and new[name] not in commits)
    now_files = after.files
    if "" in before.files:  # too much was left out to be kept
        now_files = {path: mark for path, mark in now_files.items() if mark != LEFT_OUT}
    paths = {*before.files, *now_files} - {""} | (files_of(root, commits, patience) if commits else set())
    head = (old.get(HEAD, ""), new.get(HEAD, ""))
    if head[0] and before.branch == after.branch and (commits or moved):
        others = new_commits(root, foreign, {*old.values()}, patience) if foreign else []
        theirs = files_of(root, others, patience) - files_of(root, commits, patience) if others else set()
        paths |= files_between(root, *head, patience) - theirs
    stayed = {path for path, mark in before.files.items() if now_files.get(path) == mark}
    if head[0] != head[1] and not commits and not moved:  # another branch: what it has is as it was committed there
        stayed |= paths - {*now_files}
    was = _contents(root, before.files, paths - stayed, head[0], patience)
    now = _contents(root, now_files, paths - stayed, head[1], patience)
    if was is None or now is None:
        return None
    changed = (path for path in sorted(paths - stayed) if _differs(was[path], now[path], before.keeps_modes))
    return Difference({path: (was[path], now[path]) for path in changed}, commits, moved, pushed)


def read_texts_of(root: str, contents: set[str], texts: str, patience: Patience = PATIENCE) -> dict[str, bytes]:
    """Return contents by their ids: of those that were kept, else git's; what neither has is left out."""
    wanted = sorted(contents - {"", UNKNOWN})
    kept = {each: raw for each in wanted if (raw := read_bytes(os.path.join(texts, each), KEPT)) is not None}
    others = [each for each in wanted if each not in kept]
    return kept | (read_contents(root, others, patience) if others else {})


def write_snapshot(path: str, snapshot: Snapshot) -> None:
    """A disk that refuses loses the snapshot."""
    write_if_possible(path, dumps(_as_data(snapshot)))


def read_snapshot(path: str) -> Snapshot | None:
    raw = read_bytes(path, 16 * STATE_BYTES)
    try:
        return _from_data(loads(raw.decode()) if raw else {})
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        return None


def _as_data(snapshot: Snapshot) -> dict[str, Any]:
    return {**snapshot.__dict__, "within": [_as_data(each) for each in snapshot.within]}


def _from_data(data: Any) -> Snapshot:
    files = {name: (mark[0], mark[1], mark[2], mark[3]) for name, mark in data["files"].items()}
    return Snapshot(**{**data, "files": files, "within": tuple(map(_from_data, data["within"]))})


def _is_same(path: str, other: str) -> bool:
    return os.path.realpath(path) == os.path.realpath(other)


def _at(snapshot: Snapshot, path: str) -> str:
    return os.path.join(snapshot.root, *path.split("/"))


def _empty(nested: Snapshot, outer: Snapshot) -> Snapshot:
    """A repository before it was made; of a worktree of the one around it the branches are known."""
    is_linked = lies_in(outer.folder, nested.folder)
    return nested.replace(at=outer.at, files={}, within=(), references=outer.references if is_linked else {})


def _moved(old: dict[str, str], new: dict[str, str], kind: str, also_new: bool = False) -> list[str]:
    return [name for name, at in new.items() if name.startswith(kind) and old.get(name, "" if also_new else at) != at]


def _contents(
    root: str, files: dict[str, Mark], paths: set[str], head: str, patience: Patience
) -> dict[str, Content] | None:
    kept = {path: mark[2:] for path, mark in files.items() if path in paths}
    others = paths - {*kept}
    committed = entries_at(root, head, sorted(others), patience) if head and others else {}
    return None if committed is None else dict.fromkeys(others, NOTHING) | committed | kept


def _differs(was: Content, now: Content, keeps_modes: bool) -> bool:
    if was[0] != now[0] or now[0] == UNKNOWN:
        return True
    return bool(now[0]) and git_mode(was[1], keeps_modes) != git_mode(now[1], keeps_modes)


def _holds_secret(raw: bytes) -> bool:
    from limpet.ground.safety.hints import may_hold_secret

    text = raw.decode("utf-8", "replace")
    if not may_hold_secret(text):
        return False
    from limpet.ground.safety.redaction import redact

    return redact(text) != text
