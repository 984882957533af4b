"""The project's own files: which there are, and what they hold. Git is asked where there is one, else the disk."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cached_property

from holdfast.ground.git import content_ids, listed_files
from holdfast.work.documents.staleness.content import content_id, short
from holdfast.work.documents.staleness.paths import PathIndex
from holdfast.work.documents.staleness.scope import OURS

PATIENCE = 2.0
MOST = 50_000
MOST_BYTES = 8 * 1024 * 1024
"""Of a longer file only the beginning counts."""
_SKIPPED = frozenset(
    ("node_modules", "venv", "__pycache__", "build", "dist", "target", "vendor", "coverage", "site-packages")
)
_OTHERS = frozenset(("node_modules", "vendor", "site-packages"))


class ProjectFiles:
    """The files of a project as they are now. Git is asked when the first question needs it, and once."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._read: dict[str, str | None] = {}

    @cached_property
    def index(self) -> PathIndex:
        """The paths, as ``list_files`` gives them."""
        return PathIndex(_own(path for path, identity in self._ids.items() if identity or self._is_there(path)))

    def quick_id(self, path: str) -> str | None:
        """Return the id of a watched file's content: git's own where it knows the file unchanged. That of a file which
        git itself keeps with CRLF is another than ``content_id``."""
        known = self._ids.get(path)
        return short(known) if known else self.content_id(path)

    def content_id(self, path: str) -> str | None:
        """Return the id of a watched file's content as it is on disk, None where there is no file. A link is what it
        points to in words; nothing outside is read."""
        if path not in self._read:
            self._read[path] = _identify(os.path.join(self._root, path))
        return self._read[path]

    @cached_property
    def _ids(self) -> dict[str, str]:
        found = content_ids(self._root, PATIENCE)
        return dict.fromkeys(_walk(self._root), "") if found is None else found

    def _is_there(self, path: str) -> bool:
        return os.path.lexists(os.path.join(self._root, path))


def list_files(root: str) -> list[str]:
    """Return the paths from ``root``, with ``/``, of the project's files, at most MOST: without those that git ignores,
    and those of tools and other people."""
    found = listed_files(root, PATIENCE)
    return _own(sorted(_walk(root)) if found is None else found)


def document_id(root: str, path: str) -> str:
    """Return the id of a document's content, "" where there is none that ``is_file`` accepts."""
    return _identify(os.path.realpath(os.path.join(root, path))) or "" if is_file(root, path) else ""


def is_file(root: str, path: str) -> bool:
    """Return whether there is a file at this path from ``root``; what is outside counts as missing."""
    full = os.path.normpath(os.path.join(root, path))
    if not path or not os.path.isfile(full):
        return False
    top = os.path.realpath(root)
    return os.path.commonpath([top, os.path.realpath(full)]) == top


def read_document(root: str, path: str) -> str:
    """Return the text of a document, "" where there is none; what is no UTF-8 is replaced."""
    data = _read(os.path.realpath(os.path.join(root, path))) if is_file(root, path) else None
    return (data or b"").decode("utf-8", "replace")


def _identify(full: str) -> str | None:
    try:
        if os.path.islink(full):
            return content_id(os.fsencode(os.readlink(full).replace(os.sep, "/")))
    except OSError:
        return None
    data = _read(full)
    return None if data is None else content_id(data)


def _read(full: str) -> bytes | None:
    """Return the first MOST_BYTES of a regular file, None for anything else."""
    try:
        if not os.path.isfile(full):
            return None
        with open(full, "rb") as file:
            return file.read(MOST_BYTES)
    except (OSError, ValueError):
        return None


def _own(paths: Iterable[str]) -> list[str]:
    return [path for path in paths if not _is_foreign(path)][:MOST]


def _walk(root: str) -> Iterator[str]:
    count = 0
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED and not _is_hidden(name))
        start = os.path.relpath(folder, root).replace(os.sep, "/")
        for name in sorted(names):
            count += 1
            yield name if start == "." else f"{start}/{name}"
        if count >= MOST:
            return


def _is_foreign(path: str) -> bool:
    return path.startswith(OURS) or any(name in _OTHERS or _is_hidden(name) for name in path.split("/")[:-1])


def _is_hidden(name: str) -> bool:
    return name.startswith(".") and name not in (".github", ".cursor", ".claude", ".circleci", ".storybook")
