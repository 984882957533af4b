"""Choice among cards: the one that a key names, those that wait for a person, and their numbers. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from limpet.ground.errors import LimpetError
from limpet.memory.model.card import Card
from limpet.memory.model.entry import DURABLE

# The tag that keeps the id of an entry from elsewhere, where another one bears it here.
ALIAS = "alias:"
LEAST = 4
COUNTED = ("state", "owner", "type", "sector", "tier", "storage")


def pick(cards: Sequence[Card], key: str) -> Card | None:
    """Return the one card that ``key`` names, None for none.

    A key is an id, else an id that the entry had elsewhere, else a beginning of the id or of its last part. Raise
    LimpetError where it names several.
    """
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
    looks = {"pinned": "pinned", "stale": "stale", "flagged": "flags", "superseded": "superseded_by"}
    return figures | {name: sum(bool(getattr(card, field)) for card in known) for name, field in looks.items()}
