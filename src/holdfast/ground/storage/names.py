"""File names for ids that come from outside."""

from __future__ import annotations

from holdfast.ground.digest import digest

LONGEST = 80
_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")


def safe_name(name: str) -> str:
    """Return a file name for any id: the id itself when it is plain, else its plain characters and a hash."""
    plain = "".join(c for c in name if c in _CHARACTERS)
    if plain == name and 0 < len(plain) <= LONGEST:
        return plain
    return f"{plain[:24]}-{digest(name)}"
