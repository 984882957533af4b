"""Names of entries: ids that no two processes or machines make alike, file names that every system takes, and the place
of each by its owner. Pure."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable

from limpet.ground.storage.names import safe_name
from limpet.ground.text.words import fold, split_words
from limpet.memory.model.entry import Entry
from limpet.memory.model.layout import ENDING, SHARED, TEAM, Place

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
LONGEST = 48
NAMELESS = "memory"
NO_SESSION = "no-session"
# Owners of what is no agent's own.
_COMMON = (SHARED, TEAM)

_DATE = r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
# Three digits: an entry that chati.dev numbered. The tail of ours is read in any base 32.
_ID = re.compile(rf"mem-({_DATE})-([0-9]{{3}}|[0-9a-z]{{8}})")
# What Windows takes for a device, whatever the ending.
_DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10))}


def new_id(now: float, random: Callable[[int], bytes] = os.urandom) -> str:
    """Return an id like ``mem-2026-11-21-k7q2m9xa``: the day in UTC and 40 bits from the system's source of
    randomness."""
    day = time.strftime("%Y-%m-%d", time.gmtime(now))
    return f"mem-{day}-" + "".join(ALPHABET[byte % 32] for byte in random(8))


def is_id(text: str) -> bool:
    """Return whether the text is an entry's id, ours or one of chati.dev with three digits."""
    return _ID.fullmatch(text) is not None


def short_id(name: str) -> str:
    """Return the random part of one of our ids, which commands take too; any other id whole."""
    found = _ID.fullmatch(name)
    return found[2] if found and len(found[2]) > len("001") else name


def slug(title: str) -> str:
    """Return the title as part of a file name: ``a-z0-9`` and ``-``, at most 48 of them, never empty."""
    words = (word.encode("ascii", "ignore").decode("ascii") for word in split_words(fold(title)))
    name = "-".join(word for word in words if word)
    if len(name) > LONGEST:
        name = name[: LONGEST + 1].rpartition("-")[0] or name[:LONGEST]
    return f"{NAMELESS}-{name}" if name in _DEVICES else name or NAMELESS


def file_name(entry: Entry) -> str:
    """Return the name of the entry's file: day, title and end of the id, as in ``2026-11-21-jwt-auth-k7q2m9xa.md``."""
    day, end = entry.id[4:14], entry.id[15:]
    return f"{day}-{slug(entry.title)}-{end}{ENDING}"


def place_of(entry: Entry, owner: str, state: str = "current") -> Place:
    """Return the place of an entry whose owner this is."""
    group = {"daily": entry.created_at[:10] or entry.id[4:14], "session": safe_name(entry.session or NO_SESSION)}
    return Place(owner=owner, storage=entry.storage, group=group.get(entry.storage, ""), state=state)


def scope_of(owner: str) -> str:
    """Return the scope of what this owner has: the folder decides."""
    return "shared" if owner in _COMMON else "private"


def owned(entry: Entry, owner: str) -> dict[str, object]:
    """Return the entry's fields that say whose it is: an agent's own was recorded by that agent."""
    agent = entry.agent if owner in _COMMON or not entry.agent else owner
    return {"scope": scope_of(owner), "agent": agent}
