"""A search while somebody types: the newest entries that hold all the words, of which the last may be unfinished. It
ranks nothing, so that its time hardly grows with the store; ``search`` does, once the words are written."""

from __future__ import annotations

from _sqlite3 import Connection
from collections.abc import Iterator, Sequence

from limpet.memory.index.database import posting
from limpet.memory.index.reading import read_cards, searched
from limpet.memory.index.terms import is_stop, terms
from limpet.memory.model.entry import Card, Query

# Letters from which on a word is taken for the beginning of others, and entries looked at for each that is wanted.
LEAST, LOOKED_AT = 3, 4


def find_begun(connection: Connection, query: Query) -> list[Card]:
    where, values = searched(query)
    sql = f"SELECT c.collection FROM collections c WHERE {where}"
    collections = [number for (number,) in connection.execute(sql, values)]
    asked = list(_words(query.text))
    if not (asked and collections):
        return []
    match = " AND ".join(f"({' OR '.join(_alternatives(word, collections))})" for word in asked)
    sql = "SELECT rowid FROM postings WHERE postings MATCH ? ORDER BY rowid DESC LIMIT ?"
    docs = [doc for (doc,) in connection.execute(sql, (match, query.limit * LOOKED_AT))]
    cards = [card for _, card in read_cards(connection, query, docs)]
    return sorted(cards, key=lambda card: -card.created)[: query.limit]


def _words(text: str) -> Iterator[tuple[set[str], str]]:
    """The terms of each word that says something, and of the last one its letters, "" for too few."""
    words = text.lower().split()
    for place, word in enumerate(words):
        found = {term for term in terms(word) if not is_stop(term)}
        is_last = place == len(words) - 1 and len(word) >= LEAST
        begun = word if is_last and word.isalnum() and not is_stop(word) else ""
        if found or begun:
            yield found, begun


def _alternatives(word: tuple[set[str], str], collections: Sequence[int]) -> Iterator[str]:
    found, begun = word
    for collection in collections:
        for term in sorted(found):
            yield f'"{posting(collection, term)}"'
        if begun:
            yield f'"{posting(collection, begun)}" *'
