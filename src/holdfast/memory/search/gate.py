"""The gate before the memories of a prompt: whether it earns any, and which (decision 6).

Separate from ``search``, which ranks whatever it is asked. Here nobody asked, so silence is the usual answer. What a
prompt and an entry have in common is counted over the index's postings alone, without reading a text.
"""

from __future__ import annotations

from math import log2

from holdfast.memory.index.database import posting
from holdfast.memory.index.reading import STALE, read_cards, searched
from holdfast.memory.model.entry import PERSON
from holdfast.memory.model.tiers import current_tier
from holdfast.memory.model.types import PRIVATE_TYPES
from holdfast.memory.search.common_terms import COMMON_TERMS
from holdfast.memory.search.postings import FEW, docs_holding, inverse_frequency, read_frequencies
from holdfast.memory.search.prompt_words import USUAL_TERMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Container, Iterator
    from typing import Any

    from holdfast.memory.model.card import Card, Query
    from holdfast.memory.search.prompt_words import Word

# Terms of a prompt that are looked up, rarest first, and postings read over all of them.
LOOKED_UP = 24
POSTINGS = 1000
# Entries whose cards are read at a time, and in all.
CARDS, MOST_CARDS = 12, 60
# Worth of a part of an identifier or path, where the whole is worth 1; of a term that is common anywhere; of an entry
# that was concluded from an error, beside one that somebody stated.
PART, COMMON, CONCLUDED = 0.5, 0.45, 0.75
# Terms of a usual prompt, and the power with which a longer one's terms count for less, up to so many terms: of many
# words some are in any entry.
PROMPT, LENGTHENED, MOST_TERMS = 12, 0.4, 40
# Tokens above which an entry is long, and how much less each doubling makes it worth: of many words some are in any
# prompt.
LONG, DOUBLED = 100, 0.3


def earned(
    connection: Connection,
    query: Query,
    words: tuple[Word, ...],
    settings: dict[str, Any],
    known: Container[str] = (),
) -> list[Card]:
    """Return the cards that the prompt's words earn, those with most in common first, ``query.limit`` at most.

    An entry is earned by two terms in common that are rare enough together (``gate.evidence``, where 1 is the rarity of
    a term that one entry alone holds), by an identifier or a file's name (``gate.identifier``), or by all that a short
    prompt says. A cold one wants rarer terms (``gate.cold_evidence``), and comes without its excerpt. ``known`` are ids
    of entries that are passed over.
    """
    gate = settings["gate"]
    worth, several, certain = _weigh_common(connection, query, words, gate["identifier"])
    passed = [doc for doc, total in worth.items() if doc in certain or (total >= gate["evidence"] and doc in several)]
    passed.sort(key=lambda doc: (-worth[doc], -doc))
    found: list[tuple[float, Card]] = []
    for start in range(0, min(len(passed), MOST_CARDS), CARDS):
        for doc, card in read_cards(connection, query, passed[start : start + CARDS]):
            if card.id in known:
                continue
            is_cold, value = current_tier(card, query.now, settings) == "cold", worth[doc] * _brevity(card)
            if doc not in certain and value < gate["cold_evidence" if is_cold else "evidence"]:
                continue
            found.append((value * _trust(card), card.replace(excerpt="") if is_cold else card))
        if len(found) >= query.limit:
            break
    found.sort(key=lambda each: (-each[0], -each[1].created, each[1].path))
    return [card for _, card in found[: query.limit]]


def is_concluded(card: Card) -> bool:
    """Return whether the entry was concluded from what happened, and not stated by anybody."""
    return card.type in PRIVATE_TYPES and card.source != PERSON


def _weigh_common(
    connection: Connection, query: Query, words: tuple[Word, ...], telling: float
) -> tuple[dict[int, float], set[int], set[int]]:
    """Return what each entry has in common with the prompt, as doc id -> worth; the entries that have several terms in
    common; and those that share an identifier of at least the rarity ``telling``, or all that the prompt says. What a
    long prompt has in common is worth less.

    Of each word the term counts that is worth most there, and a term once, whatever the number of words that have it.
    """
    where, values = searched(query)
    collections = dict(connection.execute(f"SELECT c.collection, c.entries FROM collections c WHERE {where}", values))
    total = max(FEW, sum(collections.values()))
    asked = list(dict.fromkeys(term for word in words for term in word.terms))
    known = read_frequencies(connection, asked, collections)
    once = inverse_frequency(1, total)
    rarity = {term: inverse_frequency(sum(held.values()), total) / once for term, held in known.items()}
    holders = _look_up(connection, known, rarity)
    worth: dict[int, float] = {}
    several: set[int] = set()
    weighed: dict[str, set[int]] = {term: set() for term in holders}
    met: list[set[int]] = [set() for _ in words]
    for value, at, term in sorted(_values(words, holders, rarity), reverse=True):
        new = holders[term] - met[at] - weighed[term]
        met[at] |= holders[term]
        weighed[term] |= new
        several.update(new & worth.keys())
        for doc in new:
            worth[doc] = worth.get(doc, 0.0) + value
    certain = {
        doc
        for word in words
        if word.identifier and rarity.get(word.whole, 0.0) >= telling
        for doc in holders.get(word.whole, ())
    }
    content = [held for held, word in zip(met, words, strict=True) if word.terms[0] not in USUAL_TERMS]
    if len(content) > 1:
        certain |= set.intersection(*content)
    share = (PROMPT / min(len(asked), MOST_TERMS)) ** LENGTHENED if asked else 1.0
    return {doc: value * share for doc, value in worth.items()}, several, certain


def _values(
    words: tuple[Word, ...], holders: dict[str, frozenset[int]], rarity: dict[str, float]
) -> Iterator[tuple[float, int, str]]:
    """Give (what it is worth to have the term in common, number of the word that has it, term)."""
    for at, word in enumerate(words):
        for term in word.terms:
            if term in holders:
                part = 1.0 if term == word.whole else PART
                yield rarity[term] * part * (COMMON if term in COMMON_TERMS or term in USUAL_TERMS else 1.0), at, term


def _look_up(
    connection: Connection, known: dict[str, dict[int, int]], rarity: dict[str, float]
) -> dict[str, frozenset[int]]:
    """Return term -> the entries that hold it, for the rarest terms."""
    left, holders = POSTINGS, {}
    for term in sorted(known, key=lambda term: -rarity[term])[:LOOKED_UP]:
        if left <= 0:
            break
        posted = tuple(posting(collection, term) for collection in known[term])
        holders[term] = docs_holding(connection, posted, left)
        left -= len(holders[term])
    return holders


def _brevity(card: Card) -> float:
    """Return the factor by which what a long entry has in common counts."""
    return 1 / (1 + DOUBLED * log2(card.size / LONG)) if card.size > LONG else 1.0


def _trust(card: Card) -> float:
    """Return the factor by which what an entry has in common counts: what was stated comes before what was concluded
    from an error, and what holds before what may be stale."""
    return (CONCLUDED if is_concluded(card) else 1.0) * (STALE if card.stale else 1.0)
