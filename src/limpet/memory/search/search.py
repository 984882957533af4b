"""Search by words: candidates from the index, ranked by their words, then by their attention (decisions 20 and 25)."""

from __future__ import annotations

from limpet.memory.index.database import COLUMNS, POSITIONS, read_card
from limpet.memory.index.reading import attention_with_staleness, conditions
from limpet.memory.model.entry import Hit
from limpet.memory.search.candidates import (
    THOROUGH,
    FoundEntry,
    SearchLimits,
    add_conversation_gains,
    count_by_conversation,
    look_up_terms,
    order,
    parse_query,
)
from limpet.memory.search.ranking import SHIPPED, Weights, score_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable
    from typing import Any

    from limpet.memory.model.entry import Card, Query
    from limpet.memory.search.ranking import Text

    Scores = dict[int, tuple[float, float]]

_TEXT = "t.doc, t.content, t.metadata, t.length, t.is_question, t.has_time, t.has_number"


def search_entries(
    connection: Connection,
    query: Query,
    settings: dict[str, Any],
    weights: Weights = SHIPPED,
    limits: SearchLimits = THOROUGH,
) -> list[Hit]:
    """Return the best ``query.limit`` entries among those that the query's filters leave.

    They are ordered by attention, in which the best score counts as relevance 1; at equal age, use and confidence that
    is the order by score. What meets nothing of the question is no hit, however near to one it is in its
    conversation.
    """
    connection.execute("SAVEPOINT search")  # so that all reads see one state of the index
    try:
        parsed = parse_query(connection, query)
        found = look_up_terms(connection, parsed, limits)
        best = order(found.gains, limits.promising)
        counts = count_by_conversation(found.postings, best)
        promising = order(add_conversation_gains(found, parsed, counts, best), limits.ranked)
        texts = _candidates(connection, query, found, promising, limits)
        around = texts | _neighbours(connection, texts, weights)
        lengths = _conversation_lengths(connection, texts)
        scores = score_all(texts, around, found.postings, counts, lengths, parsed, weights)
        hits = {doc: one for doc, one in scores.items() if one[1] > 0}
        return _rank(connection, query, hits, settings, max(limits.weighed, query.limit))
    finally:
        connection.execute("RELEASE search")


def _rank(connection: Connection, query: Query, scores: Scores, settings: dict[str, Any], weighed: int) -> list[Hit]:
    ahead = sorted(scores, key=lambda doc: (scores[doc], doc), reverse=True)[:weighed]
    cards = _cards(connection, ahead)
    best = scores[ahead[0]][0] if ahead else 1.0
    hits = []
    for doc in ahead:
        card, share = cards[doc], scores[doc][0] / (best or 1.0)
        if share > 0:
            hits.append(Hit(card, *scores[doc], attention_with_staleness(card, share, query.now, settings), share))
    return sorted(hits, key=lambda hit: (-hit.attention, -hit.score, -hit.card.created, hit.card.path))[: query.limit]


def _candidates(
    connection: Connection, query: Query, found: FoundEntry, best: list[int], limits: SearchLimits
) -> dict[int, Text]:
    """Return the texts to rank, by doc id.

    The filters never starve the result: where they leave few of the best, the rest follow, and at last the newest that
    they leave, which may hold a term that was too common to be looked up.
    """
    least = max(limits.ranked // 2, query.limit)
    texts = _texts(connection, query, best)
    if len(texts) < least and len(found.gains) > len(best):
        rest = order(found.gains, len(found.gains))
        for start in range(0, len(rest), limits.newest):
            texts.update(_texts(connection, query, rest[start : start + limits.newest]))
            if len(texts) >= least:
                break
    if len(texts) < least and not found.complete:
        texts.update(_texts(connection, query, _newest(connection, query, limits.newest)))
    return texts


def _newest(connection: Connection, query: Query, most: int) -> list[int]:
    where, values = conditions(query)
    sql = f"SELECT c.doc FROM cards c WHERE {where} ORDER BY c.created DESC LIMIT ?"
    return [doc for (doc,) in connection.execute(sql, (*values, most))]


def _texts(connection: Connection, query: Query, docs: list[int]) -> dict[int, Text]:
    where, values = conditions(query)
    tables = "cards c INDEXED BY card_docs JOIN texts t ON t.doc = c.doc"
    sql = f"SELECT {_TEXT} FROM {tables} WHERE c.doc IN ({_list(docs)}) AND {where}"
    return {row[0]: row[1:] for row in connection.execute(sql, values)}


def _neighbours(connection: Connection, texts: dict[int, Text], weights: Weights) -> dict[int, Text]:
    """Return the texts beside these. They are of the same owner, so whoever sees the one may see the other."""
    near = {doc + step for doc in texts for step, _ in weights.near} - texts.keys()
    rows = connection.execute(f"SELECT {_TEXT} FROM texts t WHERE t.doc IN ({_list(near)})")
    return {row[0]: row[1:] for row in rows}


def _cards(connection: Connection, docs: list[int]) -> dict[int, Card]:
    sql = f"SELECT c.doc, {COLUMNS} FROM cards c WHERE c.doc IN ({_list(docs)})"
    return {row[0]: read_card(row[1:]) for row in connection.execute(sql)}


def _conversation_lengths(connection: Connection, docs: Iterable[int]) -> dict[int, int]:
    conversations = {doc >> POSITIONS for doc in docs}
    sql = f"SELECT conversation, length FROM conversations WHERE conversation IN ({_list(conversations)})"
    return dict(connection.execute(sql))


def _list(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))
