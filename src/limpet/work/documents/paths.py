"""Finds paths by patterns, many patterns at once: a project has thousands of files, and each type its own patterns."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from fnmatch import fnmatchcase

_WILD = re.compile(r"[*?\[]")


class PathIndex:
    """The paths of a project, from its root and with ``/``, to be asked by patterns.

    A pattern without a slash is the name of a file or folder anywhere; one with a slash, in front too, is a path from
    the root. A folder stands for all that is in it.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = set(paths)
        self._places: dict[str, set[str]] = {}
        for path in self._paths:
            for name in path.split("/"):
                self._places.setdefault(name, set()).add(path)
        self._known: dict[tuple[str, ...], frozenset[str]] = {}

    def match(self, patterns: tuple[str, ...]) -> frozenset[str]:
        """Return the paths that match one of the patterns."""
        if patterns not in self._known:
            names = [one.rstrip("/") for one in patterns if "/" not in one.rstrip("/")]
            rooted = [one.strip("/") for one in patterns if "/" in one.rstrip("/")]
            below = [f"{one}/*" for one in rooted]
            places = [self._places[name] for name in _matching(self._places, names)]
            self._known[patterns] = frozenset(_matching(self._paths, [*rooted, *below])).union(*places)
        return self._known[patterns]

    def folders(self, patterns: tuple[str, ...], depth: int) -> frozenset[str]:
        """Return the folders, with a slash at their end, that hold a match at any level; those deeper than ``depth``
        are not told apart."""
        found: set[str] = set()
        for path in self.match(patterns):
            parts = path.split("/")[:-1][:depth]
            found.update("/".join(parts[:count]) + "/" for count in range(1, len(parts) + 1))
        return frozenset(found)


def _matching(texts: Collection[str], patterns: Iterable[str]) -> list[str]:
    """Return the texts that ``fnmatch`` finds for one of the patterns; the usual forms need no regular expression."""
    wild = [one for one in patterns if _WILD.search(one)]
    plain = {one for one in patterns if one not in wild}
    starts = tuple(one[:-1] for one in wild if one[-1] == "*" and not _WILD.search(one[:-1]))
    ends = tuple(one[1:] for one in wild if one[0] == "*" and not _WILD.search(one[1:]))
    others = [one for one in wild if one[:-1] not in starts and one[1:] not in ends]
    if not wild:
        return [one for one in plain if one in texts]
    return [
        text
        for text in texts
        if text in plain
        or text.startswith(starts)
        or text.endswith(ends)
        or any(fnmatchcase(text, one) for one in others)
    ]
