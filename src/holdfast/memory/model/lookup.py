"""Choice among cards: the one that a key names, those that wait for a person, and their numbers. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from holdfast.ground.errors import HoldfastError
from holdfast.memory.model.card import Card
from holdfast.memory.model.entry import DURABLE

# The tag that keeps the id of an entry from elsewhere, where another one bears it here.
ALIAS = "alias:"
LEAST = 4
COUNTED = ("state", "owner", "type", "sector", "tier", "storage")


def pick(cards: Sequence[Card], key: str) -> Card | None:
    """Return the one card that ``key`` names, None for none.

    A key is an id, else an id that the entry had elsewhere, else a beginning of the id or of its last part. Raise
    HoldfastError where it names several.
    """
    for matching in (_by_id, _by_alias, _by_beginning):
        found = [card for card in cards if matching(card, key)]
        if len(found) == 1:
            return found[0]
        if found:
            raise HoldfastError(f"{len(found)} memories match this ID", key, "Use one of: " + ", ".join(_names(found)))
    return None


def waiting(cards: Iterable[Card], proposed: Collection[str]) -> tuple[Card, ...]:
    """Return the cards that were ``proposed`` (ids) as durable and about which nobody decided yet."""
    asked = (card for card in cards if card.id in proposed and card.state == "current")
    return tuple(card for card in asked if card.storage != DURABLE and not card.superseded_by)


def count_cards(cards: Iterable[Card]) -> dict[str, object]:
    """Return the number of cards, of each word of each field, of tokens, and of those that need a look."""
    known = list(cards)
    figures: dict[str, object] = {"total": len(known), "tokens": sum(card.size for card in known)}
    for field in COUNTED:
        figures[field] = dict(sorted(Counter(str(getattr(card, field)) for card in known).items()))
    for what in ("pinned", "stale", "flags", "superseded_by"):
        figures["superseded" if what == "superseded_by" else "flagged" if what == "flags" else what] = sum(
            bool(getattr(card, what)) for card in known
        )
    return figures


def _by_id(card: Card, key: str) -> bool:
    return card.id == key


def _by_alias(card: Card, key: str) -> bool:
    return ALIAS + key in card.tags


def _by_beginning(card: Card, key: str) -> bool:
    """Return whether the key is a beginning of the id or of its last part, which alone tells two of one day apart."""
    return len(key) >= LEAST and (card.id.startswith(key) or card.id.rpartition("-")[2].startswith(key))


def _names(cards: Sequence[Card]) -> list[str]:
    """Return their ids; their paths where several have one id."""
    ids = [card.id for card in cards]
    return (ids if len(set(ids)) == len(ids) else [card.path for card in cards])[:5]
