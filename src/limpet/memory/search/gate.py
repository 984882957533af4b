"""What a prompt and an entry have in common: which entries a prompt is surely about, and which stand near (decisions 6
and 61). Separate from ``search``, which ranks whatever it is asked. Here nobody asked, so silence is the usual answer.
What is in common is counted over the index's postings alone, without reading a text."""

from __future__ import annotations

from itertools import chain, islice
from math import log2

from limpet.ground.late import Late
from limpet.ground.text.word_lists import read_words
from limpet.ground.values import Value
from limpet.memory.index.database import posting
from limpet.memory.index.reading import (
    FEW,
    STALE,
    docs_holding,
    inverse_frequency,
    read_cards,
    read_frequencies,
    searched,
)
from limpet.memory.model.entry import PERSON, PRIVATE_TYPES
from limpet.memory.search.prompt_words import is_usual

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Container, Iterator
    from typing import Any

    from limpet.ground.text import scripts
    from limpet.memory.model.entry import Card, Query
    from limpet.memory.search.prompt_words import PromptWord

    # By index, words, and the collections that were looked through.
    Found = dict[tuple[int, ...], "Met"]
else:
    scripts = Late("limpet.ground.text.scripts")

# Terms of a prompt that are looked up, rarest first, and postings read over all of them.
LOOKED_UP = 24
POSTINGS = 1000
# Entries whose cards are read at a time, and in all.
CARDS, MOST_CARDS = 12, 60
# Worth of a part of an identifier or path, where the whole is worth 1; of a term that is common anywhere; of an entry
# that was concluded from an error, beside one that somebody stated.
PART, COMMON, CONCLUDED = 0.5, 0.45, 0.75
# Letters of a term in ASCII that is sure where one entry alone holds it (of other scripts too few common words are
# known), words of a prompt that is short enough for that, and entries of a store that is small enough: in a larger one
# that was noise on labelled sessions.
ALONE, SHORT, ALL = 5, 8, 100
# A store of fewer entries is small: any word is rare there, so that much more must be in common.
SMALL, SCARCE = 150, 1.4
# Terms of a usual prompt, and the power with which a longer one's terms count for less, up to so many terms: of many
# words some are in any entry.
PROMPT, LENGTHENED, MOST_TERMS = 12, 0.4, 40
# Tokens above which an entry is long, and how much less each doubling makes it worth: of many words some are in any
# prompt.
LONG, DOUBLED = 100, 0.3
COMMON_TERMS = frozenset(" ".join(read_words("words/usual")["common"]).split())


class Met(Value):
    """What entries have in common with a prompt, by doc id. ``several``: entries that have several terms in common.
    ``certain``: entries that share an identifier, or a word that no other holds. ``all``: entries that hold all that
    the prompt says."""

    worth: dict[int, float]
    several: set[int]
    certain: set[int]
    all: set[int]
    total: int


def sure(
    connection: Connection,
    query: Query,
    words: tuple[PromptWord, ...],
    settings: dict[str, Any],
    known: Container[str] = (),
    enough: bool = True,
    met_before: Found | None = None,
) -> list[Card]:
    """Return the cards that the prompt is surely about, those with most in common first, ``query.limit`` at most. An
    entry is sure by an identifier or a file's name (``gate.identifier``), by a word of a short prompt that it alone
    holds; and where the prompt says ``enough`` by all that it says, or by two terms in common that are rare enough
    together (``gate.evidence``, where 1 is the rarity of a term that one entry alone holds; more in a small store).
    ``known`` are ids of entries that are passed over. ``met_before`` keeps what was weighed for whoever asks next."""
    gate = settings["gate"]
    met = _weigh_once(connection, query, words, gate["identifier"], {} if met_before is None else met_before)
    certain = met.certain | met.all if enough else met.certain
    least = gate["evidence"] * (SCARCE if met.total < SMALL else 1.0)
    several = [doc for doc in met.several if met.worth[doc] >= least] if enough else []
    passed = list(certain.union(several))
    found: list[tuple[float, Card]] = []
    for doc, card in _read(connection, query, met, passed, known):
        value = met.worth[doc] * _brevity(card)
        if doc in certain or value >= least:
            found.append((value * _trust(card), card))
        if len(found) == 2 * query.limit:  # more than are shown, because what is trusted comes first
            break
    found.sort(key=lambda each: (-each[0], -each[1].created, each[1].path))
    return [card for _, card in found[: query.limit]]


def near(
    connection: Connection,
    query: Query,
    words: tuple[PromptWord, ...],
    settings: dict[str, Any],
    known: Container[str] = (),
    met_before: Found | None = None,
) -> list[Card]:
    """Return the cards that have something in common with a request, the most first: a reader of their titles judges
    which bear on it. ``gate.near`` is the least that counts."""
    gate = settings["gate"]
    met = _weigh_once(connection, query, words, gate["identifier"], {} if met_before is None else met_before)
    passed = [doc for doc, value in met.worth.items() if value >= gate["near"]]
    found = (card for _, card in _read(connection, query, met, passed, known) if not card.flags)
    return list(islice(found, query.limit))


def _read(
    connection: Connection, query: Query, met: Met, docs: list[int], known: Container[str]
) -> Iterator[tuple[int, Card]]:
    docs.sort(key=lambda doc: (-met.worth[doc], -doc))
    for start in range(0, min(len(docs), MOST_CARDS), CARDS):
        asked = docs[start : start + CARDS]
        cards = {doc: card for doc, card in read_cards(connection, query, asked) if card.id not in known}
        yield from ((doc, cards[doc]) for doc in asked if doc in cards)


def _weigh_once(
    connection: Connection, query: Query, words: tuple[PromptWord, ...], telling: float, met_before: Found
) -> Met:
    where, values = searched(query)
    collections = dict(connection.execute(f"SELECT c.collection, c.entries FROM collections c WHERE {where}", values))
    key = (id(connection), id(words), *collections)
    if key not in met_before:
        met_before[key] = _weigh_common(connection, collections, words, telling)
    return met_before[key]


def _weigh_common(
    connection: Connection, collections: dict[int, int], words: tuple[PromptWord, ...], telling: float
) -> Met:
    """An identifier tells that has at least the rarity ``telling``. What a long prompt has in common is worth less. Of
    each word the term counts that is worth most there, and a term once, whatever the number of words that have it."""
    entries = sum(collections.values())
    total = max(FEW, entries)
    asked = list(dict.fromkeys(chain.from_iterable(word.terms for word in words)))
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
    surely = [word.whole for word in words if word.identifier and rarity.get(word.whole, 0.0) >= telling]
    if len(words) <= SHORT and entries <= ALL:
        surely += [word.whole for word in words if _is_alone(word, known)]
    certain = set(chain.from_iterable(holders.get(term, ()) for term in surely))
    content = [held for held, word in zip(met, words, strict=True) if not is_usual(word.terms[0])]
    every = set.intersection(*content) if len(content) > 1 else set()
    share = (PROMPT / min(len(asked), MOST_TERMS)) ** LENGTHENED if asked else 1.0
    worth = {doc: value * share for doc, value in worth.items()}
    return Met(worth=worth, several=several, certain=certain, all=every, total=entries)


def _is_alone(word: PromptWord, known: dict[str, dict[int, int]]) -> bool:
    term = word.whole
    return len(term) >= ALONE and term.isascii() and not _is_common(term) and sum(known.get(term, {}).values()) == 1


def _values(
    words: tuple[PromptWord, ...], holders: dict[str, frozenset[int]], rarity: dict[str, float]
) -> Iterator[tuple[float, int, str]]:
    """Yield (what it is worth to have the term in common, number of the word that has it, term)."""
    for at, word in enumerate(words):
        for term in word.terms:
            if term in holders:
                part = 1.0 if term == word.whole else PART
                yield rarity[term] * part * (COMMON if _is_common(term) else 1.0), at, term


def _is_common(term: str) -> bool:
    return term in COMMON_TERMS or is_usual(term) or (not term.isascii() and scripts.is_common(term))


def _look_up(
    connection: Connection, known: dict[str, dict[int, int]], rarity: dict[str, float]
) -> dict[str, frozenset[int]]:
    left, holders = POSTINGS, {}
    for term in sorted(known, key=lambda term: -rarity[term])[:LOOKED_UP]:
        if left <= 0:
            break
        posted = tuple(posting(collection, term) for collection in known[term])
        holders[term] = docs_holding(connection, posted, left)
        left -= len(holders[term])
    return holders


def _brevity(card: Card) -> float:
    return 1 / (1 + DOUBLED * log2(card.size / LONG)) if card.size > LONG else 1.0


def _trust(card: Card) -> float:
    """What was stated comes before what was concluded from an error, and what holds before what may be stale."""
    is_concluded = card.type in PRIVATE_TYPES and card.source != PERSON
    return (CONCLUDED if is_concluded else 1.0) * (STALE if card.stale else 1.0)
