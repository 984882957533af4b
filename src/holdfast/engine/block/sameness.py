"""Which memories say the same as each other, or as the block says elsewhere: what was decided stands once.

Separate from ``recall``, because it knows neither the index nor the event.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.memory.model.card import Card

# Characters of a title by which the same words elsewhere in the block are known.
SAME = 60


def apart(cards: list[Card], told: str, shown: list[Card]) -> list[Card]:
    """Return the cards that say something else than each other, than the continuation ``told``, and than those that are
    shown: after a compaction a decision stands once."""
    titles = {plain(card.title) for card in shown}
    fresh: dict[str, Card] = {}
    for card in cards:
        if not _begins_in(told, card) and plain(card.title) not in titles:
            fresh.setdefault(_beginning(card) or card.id, card)
    return list(fresh.values())


def standing(cards: list[Card], told: str, shown: list[Card]) -> tuple[str, ...]:
    """Return the ids of those that are not shown because their words are: in the continuation, or as the title of
    another one that is."""
    titles, ids = {plain(card.title) for card in shown}, {card.id for card in shown}
    alike = (card for card in cards if _begins_in(told, card) or plain(card.title) in titles)
    return tuple(dict.fromkeys(card.id for card in alike if card.id not in ids))


def plain(words: str) -> str:
    """Return the words in the form in which they are compared."""
    return " ".join(words.casefold().split())


def _begins_in(told: str, card: Card) -> bool:
    beginning = _beginning(card)
    return bool(beginning) and beginning in told


def _beginning(card: Card) -> str:
    return plain(card.title.removesuffix("..."))[:SAME].rstrip(" .")
