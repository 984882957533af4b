"""What a question looks for: its terms, each with a weight by how rare it is and how much it says."""

from __future__ import annotations

from math import log

from holdfast.ground.values import Value
from holdfast.memory.cues import asks_how_many, asks_when, words_of
from holdfast.memory.terms import is_stop, terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

# So much of a long question is looked at, and so many of its weightiest terms count.
READ = 4000
MOST = 24
# An entry that meets the weight of so many terms is wholly relevant, however long the question.
SUBJECT = 6
WEAK = 0.6
# Words that stand in many questions and in few answers, as stems.
_WEAK_TERMS = """
accord activity area chang change current day decid descr describ enjoy event exampl favorit favourit feel find
first happen help idea item kind likely long main mani ment month name number often old part particul peopl person
place plan purpos reason receiv recent share sort specif start think time topic type visit want week year
"""
WEAK_TERMS = frozenset(_WEAK_TERMS.split())


class Term(Value):
    """A term with its weight and the number of entries that hold it."""

    text: str
    weight: float
    entries: int


class Wanted(Value):
    """The terms of a question, rarest first; ``relevant`` is the weight that makes an entry wholly relevant; whether a
    moment or a number is asked for; and of the store: entries, terms in a body and in a conversation, on average."""

    terms: tuple[Term, ...]
    relevant: float
    moment: bool
    number: bool
    body: float
    talk: float


def read_question(connection: Connection, text: str) -> Wanted:
    """What the question looks for in this index; words that say nothing are left out, the rest may be unknown to it."""
    facts = dict(connection.execute("SELECT name, value FROM facts"))
    found = list(dict.fromkeys(term for term in terms(text[:READ]) if not is_stop(term)))
    known = _entries_of(connection, found)
    weighed = [Term(term, _weight(term, known.get(term, 0), facts["entries"]), known.get(term, 0)) for term in found]
    heaviest = sorted(weighed, key=lambda term: -term.weight)
    words = words_of(text[:READ])
    return Wanted(
        terms=tuple(sorted((term for term in heaviest if term.entries), key=lambda term: term.entries)[:MOST]),
        relevant=sum(term.weight for term in heaviest[:SUBJECT]),
        moment=asks_when(words),
        number=asks_how_many(words),
        body=facts["length"] / max(1, facts["entries"]),
        talk=facts["talks_length"] / max(1, facts["talks"]),
    )


def _entries_of(connection: Connection, found: list[str]) -> dict[str, int]:
    marks = ", ".join("?" * len(found))
    return dict(connection.execute(f"SELECT term, entries FROM vocabulary WHERE term IN ({marks})", found))


def _weight(term: str, entries: int, total: int) -> float:
    """The inverse document frequency of BM25."""
    rarity = log(1 + (total - entries + 0.5) / (entries + 0.5))
    return rarity * (WEAK if term in WEAK_TERMS else 1.0)
