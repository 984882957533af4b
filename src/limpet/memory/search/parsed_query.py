"""A question parsed for search: its terms, each with a weight by how rare it is and how much it says."""

from __future__ import annotations

from limpet.ground.values import Value
from limpet.memory.index.database import posting
from limpet.memory.index.question_signals import asks_how_many, asks_when, words_of
from limpet.memory.index.terms import about, is_stop, terms
from limpet.memory.search.postings import FEW, inverse_frequency, read_collections, read_frequencies

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from limpet.memory.model.card import Query

# Characters of a question that are read, and terms of it that count, weightiest first.
READ = 4000
MOST = 24
# An entry that meets the weight of so many terms is wholly relevant, however long the question.
SUBJECT = 6
# Factor for terms that stand in many questions and in few answers.
WEAK = 0.6
_WEAK_TERMS = """
acord activit area chang curent date day decid describ enjoy event exampl favorit favourit feel find hapen help
idea item kind likeli long main mencion month name number old part particul peopl person place plan purpos
reason receiv recent share sort specifi start think time topic type visit want week yea
"""
WEAK_TERMS = frozenset(_WEAK_TERMS.split())


class Term(Value):
    """A term of a question.

    Entries hold a term in their content (title, body, tags, paths) or in their metadata (who recorded them, and when).
    ``weight``: what an occurrence counts for the score, by how rare the term is.
    ``share``: what it counts for relevance.
    ``content_frequency``, ``metadata_frequency``: document frequencies.
    ``content_postings``, ``metadata_postings``: the term as the index posts it, for each collection that holds it.
    """

    text: str
    weight: float
    content_frequency: int
    metadata_frequency: int
    share: float = 0.0
    content_postings: tuple[str, ...] = ()
    metadata_postings: tuple[str, ...] = ()

    @property
    def known(self) -> bool:
        """Return whether any entry holds the term."""
        return bool(self.content_frequency or self.metadata_frequency)


class ParsedQuery(Value):
    """A question as search understands it, with figures of the part of the store that its reader may see.

    ``terms``: those that the index knows first, weightiest first.
    ``relevant_weight``: the weight that makes an entry wholly relevant.
    ``wants_time``, ``wants_number``: whether it asks for a date or time, or for a number.
    ``average_body``: terms in a body.
    ``average_conversation``: terms in a conversation.
    """

    terms: tuple[Term, ...]
    relevant_weight: float
    wants_time: bool
    wants_number: bool
    average_body: float
    average_conversation: float


def parse_query(connection: Connection, query: Query) -> ParsedQuery:
    """Return the parsed text of the query.

    Stop words count where the text holds nothing else ("make"). Only what the query's owners may see is counted, so
    that no weight tells of anything else.
    """
    text = query.text[:READ]
    collections = read_collections(connection, query)
    totals = zip((0, 0, 0, 0), *collections.values(), strict=True)
    entries, length, conversations, conversations_length = map(sum, totals)
    found = _read_terms(text)
    known = read_frequencies(connection, [*found, *map(about, found)], collections)
    weighed = [_weigh(term, known.get(term, {}), known.get(about(term), {}), entries) for term in found]
    heaviest = sorted(weighed, key=lambda term: -term.weight)
    words = words_of(text)
    return ParsedQuery(
        terms=tuple(sorted(heaviest, key=lambda term: not term.known)[:MOST]),
        relevant_weight=sum(sorted((term.share for term in weighed), reverse=True)[:SUBJECT]),
        wants_time=asks_when(words),
        wants_number=asks_how_many(words),
        average_body=length / max(1, entries),
        average_conversation=conversations_length / max(1, conversations),
    )


def _read_terms(text: str) -> list[str]:
    """Return each term once.

    Two capitals among small letters are a name, even if they spell a stop word of some language: OS, IT.
    """
    found = list(dict.fromkeys(terms(text)))
    capitals = [] if text.isupper() else [word for word in text.split() if len(word) == 2 and word.isupper()]
    names = terms(" ".join(capitals))
    telling = [term for term in found if not is_stop(term) or term in names]
    return telling or found


def _weigh(text: str, content: dict[int, int], metadata: dict[int, int], total: int) -> Term:
    factor = WEAK if text in WEAK_TERMS else 1.0
    frequency = sum(content.values())
    return Term(
        text=text,
        weight=inverse_frequency(frequency, total) * factor,
        content_frequency=frequency,
        metadata_frequency=sum(metadata.values()),
        share=inverse_frequency(frequency, max(total, FEW)) * factor,
        content_postings=tuple(posting(collection, text) for collection in content),
        metadata_postings=tuple(posting(collection, about(text)) for collection in metadata),
    )
