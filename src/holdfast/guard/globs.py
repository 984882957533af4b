"""Globs over paths with ``/``: ``*`` and ``?`` within a name, ``**`` over folders; brackets stand for themselves,
because frameworks name files ``[id].tsx``. Linear, and without ``re``."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


def matches(path: str, pattern: str) -> bool:
    """Return whether a glob means this path.

    A glob without ``/`` means a name in any folder; one that names a folder means all that is below it, but for a name
    with ``*``, which is a file's.
    """
    pattern = pattern.removeprefix("./")
    wanted = pattern.rstrip("/").split("/")
    is_name = len(wanted) == 1 and not pattern.endswith("/")
    wanted = ["**", *wanted] if is_name else wanted
    parts = path.split("/")
    if _fits(parts, wanted, "**", _same_name):
        return True
    return not (is_name and "*" in pattern) and _fits(parts, [*wanted, "**"], "**", _same_name)


def any_matches(path: str, patterns: Iterable[str]) -> bool:
    """Return whether one of the globs means this path."""
    return any(matches(path, pattern) for pattern in patterns)


def _same_name(name: str, pattern: str) -> bool:
    return name == pattern or _fits(name, pattern, "*", lambda one, other: other in (one, "?"))


def _fits(items: Sequence[str], pattern: Sequence[str], star: str, same: Callable[[str, str], bool]) -> bool:
    """Return whether the items are what the pattern says, where ``star`` stands for any number of them."""
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
