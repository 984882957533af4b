"""Chooses the entries that are worth ranking for a question. The rarest terms are looked up whole and the commonest not
at all, so that the cost is bounded whatever the number of entries."""

from __future__ import annotations

from _sqlite3 import Connection
from collections.abc import Iterable

from limpet.ground.values import Value
from limpet.memory.index.database import POSITIONS, posting
from limpet.memory.index.reading import FEW, docs_holding, inverse_frequency, read_collections, read_frequencies
from limpet.memory.index.signals import asks_how_many, asks_when, title_words_of
from limpet.memory.index.terms import about, is_stop, terms
from limpet.memory.model.entry import Query

Postings = dict[str, frozenset[int]]
ConversationCounts = dict[str, dict[int, int]]

# Share of a term's weight that an entry gains where a neighbour holds the term: (step from the holder, share). An
# answer rarely repeats the words of its question, so the entry that follows gains most.
NEIGHBOURS = ((-1, 0.2), (1, 0.45), (-2, 0.1), (2, 0.3))
# Share that it gains for each entry of its conversation that holds the term, and the most entries that count: a long
# conversation does not outweigh the entry itself.
CONVERSATION_GAIN, MOST_COUNTED = 0.1, 5
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


class SearchLimits(Value):
    """Bounds on the work of one search.

    ``looked_up``: postings read, over all terms.
    ``spread``: of them, those whose neighbours gain too.
    ``weighed``: of them, entries weighed by attention.
    ``newest``: newest entries ranked as well where terms were too common and too few entries are left.
    """

    looked_up: int = 16_000
    spread: int = 800
    promising: int = 400
    ranked: int = 120
    weighed: int = 50
    newest: int = 2000


THOROUGH = SearchLimits()


class FoundEntry(Value):
    """``gains``: doc id -> how promising it is; ``complete``: ``postings`` has every term of the question."""

    gains: dict[int, float]
    postings: Postings
    complete: bool


def look_up_terms(connection: Connection, parsed: ParsedQuery, limits: SearchLimits = THOROUGH) -> FoundEntry:
    """Return the doc ids that hold a term of the question, or have a neighbour that does; some have no entry."""
    gains: dict[int, float] = {}
    postings: Postings = {}
    left, spread = limits.looked_up, limits.spread
    # (document frequency, term, weight, postings to match) of each term in content and in metadata, rarest first.
    content = [(term.content_frequency, term.text, term.weight, term.content_postings) for term in parsed.terms]
    metadata = [
        (term.metadata_frequency, about(term.text), term.weight, term.metadata_postings) for term in parsed.terms
    ]
    lookups = sorted(lookup for lookup in (*content, *metadata) if lookup[0])
    for frequency, term, weight, posted in lookups:
        if frequency > left and gains:
            break
        docs = docs_holding(connection, posted, left)
        if frequency <= left:
            postings[term] = docs
        for doc in docs:
            gains[doc] = gains.get(doc, 0.0) + weight
        if frequency <= spread:
            for step, share in NEIGHBOURS:
                gain = weight * share
                for doc in docs:
                    near = doc + step
                    gains[near] = gains.get(near, 0.0) + gain
            spread -= frequency
        left -= len(docs)
    return FoundEntry(gains=gains, postings=postings, complete=len(postings) == len(lookups))


def order(gains: dict[int, float], most: int) -> list[int]:
    if len(gains) > 2 * most:
        least = sorted(gains.values(), reverse=True)[most - 1]
        above = [doc for doc, gain in gains.items() if gain > least]
        level = sorted((doc for doc, gain in gains.items() if gain == least), reverse=True)
        chosen = above + level[: most - len(above)]
    else:
        chosen = list(gains)
    return sorted(chosen, key=lambda doc: (gains[doc], doc), reverse=True)[:most]


def count_by_conversation(postings: Postings, docs: Iterable[int]) -> ConversationCounts:
    """Return term -> conversation of one of the doc ids -> number of its entries that hold the term."""
    conversations = {doc >> POSITIONS for doc in docs}
    counts: ConversationCounts = {}
    for term, found in postings.items():
        counted = counts[term] = dict[int, int]()
        for doc in found:
            conversation = doc >> POSITIONS
            if conversation in conversations:
                counted[conversation] = counted.get(conversation, 0) + 1
    return counts


def add_conversation_gains(
    found: FoundEntry, parsed: ParsedQuery, conversation_counts: ConversationCounts, docs: list[int]
) -> dict[int, float]:
    gains: dict[int, float] = {}
    for term in parsed.terms:
        for conversation, count in conversation_counts.get(term.text, {}).items():
            gain = CONVERSATION_GAIN * term.weight * min(MOST_COUNTED, count)
            gains[conversation] = gains.get(conversation, 0.0) + gain
    return {doc: found.gains[doc] + gains.get(doc >> POSITIONS, 0.0) for doc in docs}


class Term(Value):
    """A term of a question.

    Entries hold a term in their content (title, body, tags, paths) or in their metadata (who recorded them, and when).
    ``weight``: what an occurrence counts for the score, by how rare the term is.
    ``share``: what it counts for relevance.
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
        return bool(self.content_frequency or self.metadata_frequency)


class ParsedQuery(Value):
    """A question as search understands it, with figures of the part of the store that its reader may see. ``terms``:
    those that the index knows first, weightiest first. ``relevant_weight``: the weight that makes an entry wholly
    relevant."""

    terms: tuple[Term, ...]
    relevant_weight: float
    wants_time: bool
    wants_number: bool
    average_body: float
    average_conversation: float


def parse_query(connection: Connection, query: Query) -> ParsedQuery:
    """Stop words count where the text holds nothing else ("make"). Only what the query's owners may see is counted, so
    that no weight tells of anything else."""
    text = query.text[:READ]
    collections = read_collections(connection, query)
    totals = zip((0, 0, 0, 0), *collections.values(), strict=True)
    entries, length, conversations, conversations_length = map(sum, totals)
    # Two capitals among small letters are a name, even if they spell a stop word of some language: OS, IT.
    found = list(dict.fromkeys(terms(text)))
    capitals = [] if text.isupper() else [word for word in text.split() if len(word) == 2 and word.isupper()]
    names = terms(" ".join(capitals))
    telling = [term for term in found if not is_stop(term) or term in names]
    found = telling or found
    known = read_frequencies(connection, [*found, *map(about, found)], collections)
    weighed = [_weigh(term, known.get(term, {}), known.get(about(term), {}), entries) for term in found]
    heaviest = sorted(weighed, key=lambda term: -term.weight)
    words = title_words_of(text)
    return ParsedQuery(
        terms=tuple(sorted(heaviest, key=lambda term: not term.known)[:MOST]),
        relevant_weight=sum(sorted((term.share for term in weighed), reverse=True)[:SUBJECT]),
        wants_time=asks_when(words),
        wants_number=asks_how_many(words),
        average_body=length / max(1, entries),
        average_conversation=conversations_length / max(1, conversations),
    )


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
