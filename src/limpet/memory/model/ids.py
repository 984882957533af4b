"""Names of entries: ids that no two processes or machines make alike, file names that every system takes, and the place
of each by its owner. Pure."""

from __future__ import annotations

import os
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from limpet.ground.digest import safe_name
from limpet.ground.errors import LimpetError
from limpet.ground.text.folding import fold
from limpet.ground.text.words import split_words
from limpet.memory.model.entry import DURABLE, Card, MemoryEntry
from limpet.memory.model.layout import ENDING, SHARED, TEAM, MemoryPlace

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
_DEVICES = {"con", "prn", "aux", "nul", *(f"com{n}" for n in range(1, 10)), *(f"lpt{n}" for n in range(1, 10))}
# The tag that keeps the id of an entry from elsewhere, where another one bears it here.
ALIAS = "alias:"
LEAST = 4
COUNTED = ("state", "owner", "type", "sector", "tier", "storage")


def new_id(now: float, random: Callable[[int], bytes] = os.urandom) -> str:
    """Return an id like ``mem-2026-11-21-k7q2m9xa``: the day in UTC and 40 bits of the system's randomness."""
    day = time.strftime("%Y-%m-%d", time.gmtime(now))
    return f"mem-{day}-" + "".join(ALPHABET[byte % 32] for byte in random(8))


def is_id(text: str) -> bool:
    return _ID.fullmatch(text) is not None


def short_id(name: str) -> str:
    """Return the random part of one of our ids, which commands take too; any other id whole."""
    found = _ID.fullmatch(name)
    return found[2] if found and len(found[2]) > len("001") else name


def slug(title: str) -> str:
    """Return ``a-z0-9`` and ``-``, at most 48 of them, never empty."""
    words = (word.encode("ascii", "ignore").decode("ascii") for word in split_words(fold(title)))
    name = "-".join(word for word in words if word)
    if len(name) > LONGEST:
        name = name[: LONGEST + 1].rpartition("-")[0] or name[:LONGEST]
    return f"{NAMELESS}-{name}" if name in _DEVICES else name or NAMELESS


def file_name(entry: MemoryEntry) -> str:
    """Return day, title and end of the id, as in ``2026-11-21-jwt-auth-k7q2m9xa.md``."""
    day, end = entry.id[4:14], entry.id[15:]
    return f"{day}-{slug(entry.title)}-{end}{ENDING}"


def place_of(entry: MemoryEntry, owner: str, state: str = "current") -> MemoryPlace:
    group = {"daily": entry.created_at[:10] or entry.id[4:14], "session": safe_name(entry.session or NO_SESSION)}
    return MemoryPlace(owner=owner, storage=entry.storage, group=group.get(entry.storage, ""), state=state)


def id_scope_of(owner: str) -> str:
    return "shared" if owner in _COMMON else "private"


def owned(entry: MemoryEntry, owner: str) -> dict[str, object]:
    """Return the fields that say whose the entry is: an agent's own was recorded by that agent."""
    agent = entry.agent if owner in _COMMON or not entry.agent else owner
    return {"scope": id_scope_of(owner), "agent": agent}


def pick(cards: Sequence[Card], key: str) -> Card | None:
    """Return the one card that ``key`` names, None for none. A key is an id, else an id that the entry had elsewhere,
    else a beginning of the id or of its last part. Raise LimpetError where it names several."""
    matches: tuple[Callable[[Card], bool], ...] = (
        lambda card: card.id == key,
        lambda card: ALIAS + key in card.tags,
        # The last part alone tells two of one day apart.
        lambda card: len(key) >= LEAST and (card.id.startswith(key) or card.id.rpartition("-")[2].startswith(key)),
    )
    for match in matches:
        found = [card for card in cards if match(card)]
        if len(found) == 1:
            return found[0]
        if found:
            ids = [card.id for card in found]
            names = ids if len(set(ids)) == len(ids) else [card.path for card in found]
            raise LimpetError(f"{len(found)} memories match this ID", key, "Use one of: " + ", ".join(names[:5]))
    return None


def proposed(cards: Iterable[Card], evidence: int) -> tuple[Card, ...]:
    """Return the cards that so much evidence proposes as durable, and about which nobody decided yet."""
    proved = (card for card in cards if card.evidence >= evidence and card.state == "current")
    return tuple(card for card in proved if not (card.storage == DURABLE or card.superseded_by or card.flags))


def count_cards(cards: Iterable[Card]) -> dict[str, object]:
    """Return the number of cards, of each word of each field, of tokens, and of those that need a look."""
    known = list(cards)
    figures: dict[str, object] = {"total": len(known), "tokens": sum(card.size for card in known)}
    for field in COUNTED:
        figures[field] = dict(sorted(Counter(str(getattr(card, field)) for card in known).items()))
    figures["pinned"] = sum(card.pinned for card in known)
    figures["stale"] = sum(card.stale for card in known)
    figures["flagged"] = sum(bool(card.flags) for card in known)
    figures["superseded"] = sum(bool(card.superseded_by) for card in known)
    return figures
