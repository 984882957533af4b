"""The project's own files: which there are, what they hold, and the ids of their content. Git is asked where there is
one, else the disk. The same text has the same id on every machine, however git ends its lines there."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Collection, Iterable, Mapping
from fnmatch import fnmatchcase
from functools import cached_property
from itertools import islice

from limpet.ground.clock import Patience
from limpet.ground.git import content_ids
from limpet.ground.storage.walking import files_below

PATIENCE = Patience(2.0)
MOST = 50_000
MOST_BYTES = 8 * 1024 * 1024
"""Of a longer file only the beginning counts."""
LENGTH = 12
"""Hexadecimal digits of an id that are kept: enough to tell versions of a file apart."""
OURS = (
    ".limpet/",
    ".git/",
    ".claude/settings.local.json",
    ".claude/skills/limpet/",
    ".github/copilot/settings.local.json",
    *(".specify/scripts/", ".specify/templates/", ".specify/extensions/"),
)
"""What git, Limpet itself and spec-kit put into a project."""
_LOOKED_AT = 8000
"""Bytes in which git looks for a NUL, by which it tells what is no text."""
_OTHERS = frozenset(("node_modules", "vendor", "site-packages"))
_SKIPPED = _OTHERS | {"venv", "__pycache__", "build", "dist", "target", "coverage"}
_WILD = re.compile(r"[*?\[]")


class ProjectFiles:
    """The files of a project as they are now. Git is asked when the first question needs it, and once."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._read: dict[str, str | None] = {}

    @cached_property
    def paths(self) -> list[str]:
        """From the root, with ``/``, at most MOST: without what git ignores, tools' files and other people's."""
        there = (path for path, known in self._ids.items() if known or os.path.lexists(os.path.join(self._root, path)))
        own = (path for path in there if not path.startswith(OURS))
        return sorted(path for path in own if not any(map(_is_foreign, path.split("/")[:-1])))[:MOST]

    @cached_property
    def index(self) -> PathIndex:
        return PathIndex(self.paths)

    def quick_id(self, path: str) -> str | None:
        """Git's own where it knows the file unchanged: another than ``content_id`` where git keeps CRLF."""
        known = self._ids.get(path)
        return known[:LENGTH] if known else self.content_id(path)

    def content_id(self, path: str) -> str | None:
        """Return None where there is no file. A link is what it points to in words; nothing outside is read."""
        if path not in self._read:
            self._read[path] = _identify(os.path.join(self._root, path))
        return self._read[path]

    @cached_property
    def _ids(self) -> dict[str, str]:
        found = content_ids(self._root, PATIENCE)
        if found is not None:
            return found
        listed = files_below(self._root, enters=lambda name: name not in _SKIPPED and not _is_hidden(name))
        return dict.fromkeys(islice(listed, MOST), "")


def is_file(root: str, path: str) -> bool:
    """What is outside ``root`` counts as missing."""
    full = os.path.normpath(os.path.join(root, path))
    if not path or not os.path.isfile(full):
        return False
    top = os.path.realpath(root)
    return os.path.commonpath([top, os.path.realpath(full)]) == top


def read_project_document(root: str, path: str) -> bytes | None:
    """Return None where there is none that ``is_file`` accepts."""
    return _read(os.path.realpath(os.path.join(root, path))) if is_file(root, path) else None


def content_id(data: bytes) -> str:
    """Return the id that git gives this content (SHA-1, kept short), of text with CRLF read as LF."""
    text = data if b"\0" in data[:_LOOKED_AT] else data.replace(b"\r\n", b"\n")
    return _sha1(b"blob %d\0" % len(text) + text)


def digest_file(entries: Mapping[str, str]) -> str:
    lines = (f"{path}\0{entries[path]}\n" for path in sorted(entries))
    return _sha1("".join(lines).encode("utf-8", "surrogateescape"))


class PathIndex:
    """The paths of a project, from its root and with ``/``, to be asked by patterns. A pattern without a slash is the
    name of a file or folder anywhere; one with a slash, in front too, is a path from the root. A folder stands for all
    that is in it."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = set(paths)
        self._places: dict[str, set[str]] = {}
        for path in self._paths:
            for name in path.split("/"):
                self._places.setdefault(name, set()).add(path)
        self._known: dict[tuple[str, ...], frozenset[str]] = {}

    def match(self, patterns: tuple[str, ...]) -> frozenset[str]:
        if patterns not in self._known:
            names = [one.rstrip("/") for one in patterns if "/" not in one.rstrip("/")]
            rooted = [one.strip("/") for one in patterns if "/" in one.rstrip("/")]
            below = [f"{one}/*" for one in rooted]
            places = [self._places[name] for name in _matching(self._places, names)]
            self._known[patterns] = frozenset(_matching(self._paths, [*rooted, *below])).union(*places)
        return self._known[patterns]

    def folders(self, patterns: tuple[str, ...], depth: int) -> frozenset[str]:
        """With a slash at their end, if they hold a match at any level; those below ``depth`` are not told apart."""
        found: set[str] = set()
        for path in self.match(patterns):
            parts = path.split("/")[:-1][:depth]
            found.update("/".join(parts[:count]) + "/" for count in range(1, len(parts) + 1))
        return frozenset(found)


def _sha1(data: bytes) -> str:
    return hashlib.sha1(data, usedforsecurity=False).hexdigest()[:LENGTH]


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


def _is_foreign(folder: str) -> bool:
    return folder in _OTHERS or _is_hidden(folder)


def _is_hidden(name: str) -> bool:
    return name.startswith(".") and name not in (
        *(".github", ".cursor", ".claude", ".circleci", ".storybook", ".specify"),
    )


def _matching(texts: Collection[str], patterns: Iterable[str]) -> list[str]:
    """As ``fnmatch`` finds; the usual forms need no regular expression."""
    wild = [one for one in patterns if _WILD.search(one)]
    plain = {one for one in patterns if one not in wild}
    starts = tuple(one[:-1] for one in wild if one[-1] == "*" and not _WILD.search(one[:-1]))
    ends = tuple(one[1:] for one in wild if one[0] == "*" and not _WILD.search(one[1:]))
    others = [one for one in wild if one[:-1] not in starts and one[1:] not in ends]
    if not wild:
        return [one for one in plain if one in texts]

    def fits(text: str) -> bool:
        usual = text in plain or text.startswith(starts) or text.endswith(ends)
        return usual or any(fnmatchcase(text, one) for one in others)

    return [text for text in texts if fits(text)]
