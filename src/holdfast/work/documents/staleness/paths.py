"""Finds paths by patterns, many patterns at once: a project has thousands of files, and each type its own patterns."""

from __future__ import annotations

import fnmatch
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

_WILD = re.compile(r"[*?\[]")


class PathIndex:
    """The paths of a project, from its root and with ``/``, to be asked by patterns.

    A pattern without a slash is the name of a file or folder anywhere; one with a slash, in front too, is a path from
    the root. A folder stands for all that is in it.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = sorted(set(paths))
        self._places: dict[str, set[str]] = {}
        self._endings: dict[str, list[str]] = {}
        for path in self._paths:
            for name in path.split("/"):
                self._places.setdefault(name, set()).add(path)
        for name in self._places:
            self._endings.setdefault(name.rpartition(".")[2], []).append(name)
        self._known: dict[tuple[str, ...], frozenset[str]] = {}

    def match(self, patterns: tuple[str, ...]) -> frozenset[str]:
        """Return the paths that match one of the patterns."""
        if patterns not in self._known:
            self._known[patterns] = frozenset(path for pattern in patterns for path in self._match(pattern))
        return self._known[patterns]

    def folders(self, patterns: tuple[str, ...], depth: int) -> frozenset[str]:
        """Return the folders, with a slash at their end, that hold a match at any level; those deeper than ``depth``
        are not told apart."""
        found: set[str] = set()
        for path in self.match(patterns):
            parts = path.split("/")[:-1][:depth]
            found.update("/".join(parts[:count]) + "/" for count in range(1, len(parts) + 1))
        return frozenset(found)

    def _match(self, pattern: str) -> Iterator[str]:
        body, wild = pattern.strip("/"), bool(_WILD.search(pattern))
        if "/" not in pattern.rstrip("/"):
            for name in self._names(body, wild):
                yield from self._places.get(name, ())
        elif wild:
            shape = re.compile(f"{_shape(body)}(?:/.*)?", re.DOTALL)
            yield from (path for path in self._paths if shape.fullmatch(path))
        else:
            yield from self._starting(body)

    def _names(self, pattern: str, wild: bool) -> Iterable[str]:
        """Return the names of files and folders that match."""
        if not wild:
            return (pattern,)
        rest = pattern.removeprefix("*")
        if rest != pattern and "." in rest and not _WILD.search(rest):
            return [name for name in self._endings.get(rest.rpartition(".")[2], ()) if name.endswith(rest)]
        shape = re.compile(_shape(pattern), re.DOTALL)
        return [name for name in self._places if shape.fullmatch(name)]

    def _starting(self, body: str) -> Iterator[str]:
        """Yield the file of this path, or all that is in the folder of this path."""
        for start, is_whole in ((body, True), (f"{body}/", False)):
            for place in range(bisect_left(self._paths, start), len(self._paths)):
                path = self._paths[place]
                if not (path == start if is_whole else path.startswith(start)):
                    break
                yield path


def _shape(pattern: str) -> str:
    """Return the pattern as a regular expression without its end mark."""
    return fnmatch.translate(pattern).removesuffix(r"\Z").removesuffix(r"\z")
