"""SQLite's module in C, without what it would import."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class _Remembered(dict):  # type: ignore[type-arg]
    """What ``make`` makes of a text, once for each."""

    def __init__(self, make: Callable[[str], Any]) -> None:
        self.make = make

    def __missing__(self, text: str) -> Any:
        made = self[text] = self.make(text)
        return made

    def __call__(self, text: str) -> Any:
        return self[text]


def load_sqlite() -> Any:
    """Return ``_sqlite3``; in a bare process it is loaded without ``functools``.

    It wants ``lru_cache`` for statements that are used again, of which a process of a few milliseconds has few.
    """
    # Without the stand-in a prompt that finds memories takes 11 % longer (6 ms): bench/prompt_path.py.
    kept = sys.modules.get("functools")
    if kept is None and "_sqlite3" not in sys.modules:
        stand_in: Any = type(sys)("functools")
        stand_in.lru_cache = lambda most: _Remembered
        sys.modules["functools"] = stand_in
    try:
        import _sqlite3
    finally:
        if kept is None:
            sys.modules.pop("functools", None)
    return _sqlite3
