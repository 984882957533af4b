"""Files that earlier versions wrote to the project's ``.holdfast``: none is read, and all can be removed.

A checkout may bring files of these names, which is why what is made of other files is in the user's folders.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator

from holdfast.ground.storage.confinement import is_linked
from holdfast.ground.storage.drafts import is_draft
from holdfast.ground.storage.files import remove_file
from holdfast.ground.storage.names import safe_name
from holdfast.ground.storage.user_folders import project_state

_DATABASES = ("memory.db", "memory-vectors.db")
_COMPANIONS = ("", "-wal", "-shm", "-journal", ".draft", ".draft-wal", ".draft-shm", ".draft-journal")
_LOCKS = ("mirror.json.lock", "session.yaml.lock", "config.yaml.lock", "config.local.yaml.lock")
_FILES = frozenset(
    (
        *("plan", "mirror.json", "mirror.failed", "tidied", "kept", "maintained", *_LOCKS),
        *(database + ending for database in _DATABASES for ending in _COMPANIONS),
    )
)
# Of the search index that tantivy made.
_SEARCH_FILES = frozenset(("state.json", "meta.json", ".managed.json", ".tantivy-meta.lock", ".tantivy-writer.lock"))
_SEARCH_ENDINGS = frozenset(("idx", "pos", "term", "store", "fast", "fieldnorm", "del", "temp"))
_RECORD = "install.json"


def old_files(home: str) -> tuple[str, ...]:
    """Return the paths of such files in the ``.holdfast`` folder ``home``, found by their names; no link is followed.

    The record of the installation is among them once it is in the user's folders.
    """
    cache = os.path.join(home, "cache")
    found = [
        *_files_in(cache, lambda name: name in _FILES or is_draft(name)),
        *_files_in(os.path.join(cache, "status"), lambda name: _is_named(name, ".json") or is_draft(name)),
        *_files_in(os.path.join(cache, "spawned"), lambda name: _is_named(name, ".log") or is_draft(name)),
        *_files_in(os.path.join(cache, "memory-fast"), _is_of_the_search),
    ]
    if os.path.isfile(os.path.join(project_state(home), _RECORD)):
        found += _files_in(home, lambda name: name == _RECORD)
    return tuple(found)


def remove_old_files(home: str) -> int:
    """Remove them, and the folders that are empty then; return how many files are gone."""
    paths = old_files(home)
    for path in paths:
        remove_file(path)
    _remove_empty(os.path.join(home, "cache", name) for name in ("status", "spawned", "memory-fast"))
    return sum(not os.path.lexists(path) for path in paths)


def _files_in(folder: str, is_ours: Callable[[str], bool]) -> Iterator[str]:
    if is_linked(folder):
        return
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError:
        return
    yield from (entry.path for entry in entries if is_ours(entry.name) and entry.is_file(follow_symlinks=False))


def _is_named(name: str, ending: str) -> bool:
    stem = name.removesuffix(ending)
    return name.endswith(ending) and safe_name(stem) == stem


def _is_of_the_search(name: str) -> bool:
    stem, _, rest = name.partition(".")
    is_segment = len(stem) == 32 and all(letter in "0123456789abcdef" for letter in stem)
    return name in _SEARCH_FILES or is_draft(name) or (is_segment and rest.rpartition(".")[2] in _SEARCH_ENDINGS)


def _remove_empty(folders: Iterable[str]) -> None:
    for folder in folders:
        if is_linked(folder):
            continue
        try:
            os.rmdir(folder)
        except OSError:  # it is not there, or somebody else's file is in it
            continue
