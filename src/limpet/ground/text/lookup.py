"""Names that people type: the known one that a unique prefix means, and the nearest one to a mistyped name."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from limpet.ground.errors import LimpetError

_LISTED = 5


def nearest_name(typed: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """``cutoff``: how alike the two must be, from 0 to 1; "" where none is."""
    import difflib  # which few commands need

    names = {name.lower(): name for name in known}
    close = difflib.get_close_matches(typed.lower(), names, 1, cutoff)
    return names[close[0]] if close else ""


def did_you_mean(typed: str, known: Iterable[str]) -> str:
    near = nearest_name(typed, known)
    return f"Did you mean {near}?" if near else ""


def resolve_name(typed: str, known: Iterable[str], unknown: Callable[[], LimpetError]) -> str:
    """The name that is typed, or the only one that begins so; upper and lower case count alike. Raise LimpetError with
    the candidates where several begin so, and ``unknown()`` where none does."""
    names, start = tuple(known), typed.lower()
    exact = [name for name in names if name == typed] or [name for name in names if name.lower() == start]
    found = exact or [name for name in names if start and name.lower().startswith(start)]
    if not found:
        raise unknown()
    if len(found) > 1:
        more = f" and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
        raise LimpetError(f"{typed} is ambiguous: {', '.join(found[:_LISTED])}{more}", hint="Type more of the name.")
    return found[0]
