"""What a question looks for: its terms, each with a weight by how rare it is and how much it says."""

from __future__ import annotations

from math import log

from holdfast.ground.values import Value
from holdfast.memory.index.database import posting
from holdfast.memory.index.filters import visible
from holdfast.memory.index.question_signals import asks_how_many, asks_when, words_of
from holdfast.memory.index.terms import about, is_stop, terms
from holdfast.memory.model.layout import FORGOTTEN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable

    from holdfast.memory.model.card import Query

    # Term -> collection -> how many of its entries hold the term.
    Known = dict[str, dict[int, int]]

# So much of a long question is looked at, and so many of its weightiest terms count.
READ = 4000
MOST = 24
# An entry that meets the weight of so many terms is wholly relevant, however long the question.
SUBJECT = 6
# A store of fewer entries says little of how rare a word is: for relevance it counts as one of so many.
FEW = 200
WEAK = 0.6
# Words that stand in many questions and in few answers, as stems.
_WEAK_TERMS = """
acord activit area chang curent date day decid describ enjoy event exampl favorit favourit feel find hapen help
idea item kind likeli long main mencion month name number old part particul peopl person place plan purpos
reason receiv recent share sort specifi start think time topic type visit want week yea
"""
WEAK_TERMS = frozenset(_WEAK_TERMS.split())


class Term(Value):
    """A term with its weight, which follows from how many entries say it; ``said`` and ``told`` are the numbers of
    those that say it and those of which it tells who or when, ``saying`` and ``telling`` what they are found by.
    ``share`` is what it counts for relevance."""

    text: str
    weight: float
    said: int
    told: int
    share: float = 0.0
    saying: tuple[str, ...] = ()
    telling: tuple[str, ...] = ()

    @property
    def known(self) -> bool:
        """Whether any entry holds the term."""
        return bool(self.said or self.told)


class Wanted(Value):
    """The terms of a question, first those that the index knows, weightiest first; ``relevant`` is the weight that
    makes an entry wholly relevant; whether a moment or a number is asked for; and of the store: entries, terms in a
    body and in a conversation, on average. The store is what the one who asks may see, and nothing tells of more."""

    terms: tuple[Term, ...]
    relevant: float
    moment: bool
    number: bool
    body: float
    talk: float


def read_question(connection: Connection, query: Query, last_resort: bool = True) -> Wanted:
    """What the query's text looks for in what its owners have, some of which that may not know. Words that say nothing
    are left out, or are a ``last_resort`` where there are no others."""
    text = query.text[:READ]
    collections = read_collections(connection, query)
    entries, length, talks, talks_length = map(sum, zip((0, 0, 0, 0), *collections.values(), strict=True))
    found = _read_terms(text, last_resort)
    known = _entries_of(connection, [*found, *map(about, found)], collections)
    weighed = [_weigh(term, known.get(term, {}), known.get(about(term), {}), entries) for term in found]
    heaviest = sorted(weighed, key=lambda term: -term.weight)
    words = words_of(text)
    return Wanted(
        terms=tuple(sorted(heaviest, key=lambda term: not term.known)[:MOST]),
        relevant=sum(sorted((term.share for term in weighed), reverse=True)[:SUBJECT]),
        moment=asks_when(words),
        number=asks_how_many(words),
        body=length / max(1, entries),
        talk=talks_length / max(1, talks),
    )


def read_collections(connection: Connection, query: Query) -> dict[int, tuple[int, ...]]:
    """What counts for the one who asks: collection -> its statistics. Of some owners, what they have forgotten only
    where it is asked for: it is not an agent's to see."""
    where, values = visible(query.owners)
    if query.owners is not None and FORGOTTEN not in query.states:
        where, values = f"{where} AND c.state != ?", [*values, FORGOTTEN]
    sql = f"SELECT c.collection, c.entries, c.length, c.talks, c.talks_length FROM collections c WHERE {where}"
    return {row[0]: row[1:] for row in connection.execute(sql, values)}


def _read_terms(text: str, last_resort: bool) -> list[str]:
    """Each term once. Two capitals among small letters are a name, whatever they spell in some language: OS, IT."""
    found = list(dict.fromkeys(terms(text)))
    capitals = [] if text.isupper() else [word for word in text.split() if len(word) == 2 and word.isupper()]
    names = terms(" ".join(capitals))
    saying = [term for term in found if not is_stop(term) or term in names]
    return saying or (found if last_resort else [])


def _entries_of(connection: Connection, found: list[str], collections: Iterable[int]) -> Known:
    marks, held = ", ".join("?" * len(found)), ", ".join(map(str, collections))
    sql = f"SELECT term, collection, entries FROM vocabulary WHERE term IN ({marks}) AND collection IN ({held})"
    known: Known = {}
    for term, collection, entries in connection.execute(sql, found):
        known.setdefault(term, {})[collection] = entries
    return known


def _weigh(text: str, saying: dict[int, int], telling: dict[int, int], total: int) -> Term:
    """With the inverse document frequency of BM25."""
    says = WEAK if text in WEAK_TERMS else 1.0
    said = sum(saying.values())
    return Term(
        text=text,
        weight=_rarity(said, total) * says,
        said=said,
        told=sum(telling.values()),
        share=_rarity(said, max(total, FEW)) * says,
        saying=tuple(posting(collection, text) for collection in saying),
        telling=tuple(posting(collection, about(text)) for collection in telling),
    )


def _rarity(said: int, total: int) -> float:
    return log(1 + (total - said + 0.5) / (said + 0.5))
