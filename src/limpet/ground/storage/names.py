"""File names for ids that come from outside."""

from __future__ import annotations

from limpet.ground.digest import digest

LONGEST = 80
_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")


def safe_name(name: str) -> str:
    """Return a file name for any id: the id itself when it is plain, else its plain characters and a hash."""
    if 0 < len(name) <= LONGEST and _CHARACTERS.issuperset(name):
        return name
    plain = "".join(c for c in name if c in _CHARACTERS)
    return f"{plain[:24]}-{digest(name)}"
