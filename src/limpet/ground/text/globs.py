"""Globs over paths with ``/``: ``*`` and ``?`` within a name, ``**`` across folders; brackets stand for themselves,
because frameworks name files ``[id].tsx``. Linear, without ``re`` and ``fnmatch``, which the hook does not import."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

ANY = "**"
# Systems whose file systems usually take ``README`` and ``readme`` for one name.
FOLDED = sys.platform in ("win32", "darwin")


def find_glob(globs: Iterable[str], path: str, folded: bool = FOLDED) -> str:
    """The first that matches, "" for none. A glob without a ``/`` before its end matches in every folder; one that
    begins with ``/`` only at the start of the path; one that names a folder matches all that the folder holds, but for
    a name with ``*``, which is a file's."""
    names = (path.casefold() if folded else path).removeprefix("/").split("/")
    return next(
        (glob for glob in globs if _fits(names, _parts(glob.casefold() if folded else glob), ANY, _same_name)), ""
    )


def _parts(glob: str) -> list[str]:
    bare = glob.removeprefix("./").removesuffix("/")
    parts = bare.strip("/").split("/")
    is_file = "*" in parts[-1] and not glob.endswith("/")
    below = [] if is_file else [ANY]
    return [*parts, *below] if "/" in bare else [ANY, *parts, *below]


def _same_name(name: str, pattern: str) -> bool:
    return name == pattern or _fits(name, pattern, "*", lambda one, other: other in (one, "?"))


def _fits(items: Sequence[str], pattern: Sequence[str], star: str, same: Callable[[str, str], bool]) -> bool:
    """``star`` stands for any number of items; of several only the last may have to take more."""
    at = place = 0
    resume, taken = -1, 0
    while at < len(items):
        if place < len(pattern) and pattern[place] == star:
            resume, taken = place, at
            place += 1
        elif place < len(pattern) and same(items[at], pattern[place]):
            at, place = at + 1, place + 1
        elif resume >= 0:
            taken += 1
            at, place = taken, resume + 1
        else:
            return False
    return all(each == star for each in pattern[place:])
