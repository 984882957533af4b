"""Chooses the entries that are worth ranking for a question.

The rarest terms are looked up whole and the commonest not at all, so that the cost is bounded whatever the number of
entries.
"""

from __future__ import annotations

from limpet.ground.values import Value
from limpet.memory.index.database import POSITIONS
from limpet.memory.index.terms import about
from limpet.memory.search.postings import docs_holding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable

    from limpet.memory.search.parsed_query import ParsedQuery

    # Term -> doc ids of all entries that hold it.
    Postings = dict[str, frozenset[int]]
    # Term -> conversation -> number of its entries that hold the term.
    ConversationCounts = dict[str, dict[int, int]]

# Share of a term's weight that an entry gains where a neighbour holds the term: (step from the holder, share). An
# answer rarely repeats the words of its question, so the entry that follows gains most.
NEIGHBOURS = ((-1, 0.2), (1, 0.45), (-2, 0.1), (2, 0.3))
# Share that it gains for each entry of its conversation that holds the term, and the most entries that count: a long
# conversation does not outweigh the entry itself.
CONVERSATION_GAIN, MOST_COUNTED = 0.1, 5


class SearchLimits(Value):
    """Bounds on the work of one search.

    ``looked_up``: postings read, over all terms.
    ``spread``: of them, those whose neighbours gain too.
    ``promising``: entries whose conversations are looked at.
    ``ranked``: entries ranked by their words.
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


class Found(Value):
    """Entries that a question may look for.

    ``gains``: doc id -> how promising the entry is.
    ``complete``: whether ``postings`` has every term of the question.
    """

    gains: dict[int, float]
    postings: Postings
    complete: bool


def look_up(connection: Connection, parsed: ParsedQuery, limits: SearchLimits = THOROUGH) -> Found:
    """Return the doc ids that hold a term of the question, or have a neighbour that does; some have no entry."""
    gains: dict[int, float] = {}
    postings: Postings = {}
    left, spread = limits.looked_up, limits.spread
    lookups = _lookups(parsed)
    for frequency, term, weight, posted in lookups:
        if frequency > left and gains:
            break
        docs = docs_holding(connection, posted, left)
        if frequency <= left:
            postings[term] = docs
        for doc in docs:
            gains[doc] = gains.get(doc, 0.0) + weight
        if frequency <= spread:
            _spread(gains, docs, weight)
            spread -= frequency
        left -= len(docs)
    return Found(gains=gains, postings=postings, complete=len(postings) == len(lookups))


def _lookups(parsed: ParsedQuery) -> list[tuple[int, str, float, tuple[str, ...]]]:
    """Return (document frequency, term, weight, postings to match) of each term in content and in metadata, rarest
    first."""
    content = [(term.content_frequency, term.text, term.weight, term.content_postings) for term in parsed.terms]
    metadata = [
        (term.metadata_frequency, about(term.text), term.weight, term.metadata_postings) for term in parsed.terms
    ]
    return sorted(lookup for lookup in (*content, *metadata) if lookup[0])


def order(gains: dict[int, float], most: int) -> list[int]:
    """Return the most promising doc ids, best first; of equal ones the newest."""
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
    return {term: _count(found, conversations) for term, found in postings.items()}


def add_conversation_gains(
    found: Found, parsed: ParsedQuery, conversation_counts: ConversationCounts, docs: list[int]
) -> dict[int, float]:
    """Return the gains of these doc ids, raised by what the other entries of their conversations hold."""
    gains: dict[int, float] = {}
    for term in parsed.terms:
        for conversation, count in conversation_counts.get(term.text, {}).items():
            gain = CONVERSATION_GAIN * term.weight * min(MOST_COUNTED, count)
            gains[conversation] = gains.get(conversation, 0.0) + gain
    return {doc: found.gains[doc] + gains.get(doc >> POSITIONS, 0.0) for doc in docs}


def _count(docs: frozenset[int], conversations: set[int]) -> dict[int, int]:
    counts: dict[int, int] = {}
    for doc in docs:
        conversation = doc >> POSITIONS
        if conversation in conversations:
            counts[conversation] = counts.get(conversation, 0) + 1
    return counts


def _spread(gains: dict[int, float], docs: frozenset[int], weight: float) -> None:
    for step, share in NEIGHBOURS:
        gain = weight * share
        for doc in docs:
            near = doc + step
            gains[near] = gains.get(near, 0.0) + gain
