"""Search by words: candidates from the index, ranked by BM25F over their fields, their neighbours in the conversation
and all of it, then by their attention (decisions 20 and 25)."""

from __future__ import annotations

from _sqlite3 import Connection
from collections.abc import Iterable, Mapping
from typing import Any

from limpet.ground.values import Value
from limpet.memory.index.database import COLUMNS, POSITIONS, SEPARATOR, read_card
from limpet.memory.index.reading import attention_with_staleness, conditions
from limpet.memory.index.terms import about
from limpet.memory.model.entry import Hit, Query
from limpet.memory.search.candidates import (
    THOROUGH,
    ConversationCounts,
    FoundEntry,
    ParsedQuery,
    Postings,
    SearchLimits,
    Term,
    add_conversation_gains,
    count_by_conversation,
    look_up_terms,
    order,
    parse_query,
)

Scores = dict[int, tuple[float, float]]
Text = tuple[str, str, int, int, int, int]
Neighbours = dict[int, list[tuple[int, float]]]
Conversations = dict[int, tuple[float, list[int]]]

_TEXT = "t.doc, t.content, t.metadata, t.length, t.is_question, t.has_time, t.has_number"
# Fields of ``Weights.own`` that are content; the others are metadata.
CONTENT_FIELDS = 4
# Letters of the beginning that two words have in common.
PREFIX = 4


class Weights(Value):
    """Worth of an occurrence of a term by where it is.

    ``bench/retrieval.py --tune`` chose the values, and measures what each is worth. Neighbours and conversation count
    because an entry is often an answer ("Yes, Redis") whose subject is in the entry before.

    ``own``: in title, body, tags, paths, who recorded it, and when.
    ``near``: step to a neighbour -> in its content.
    ``conversation``: for each entry of the conversation that holds the term.
    ``saturation``: BM25's k1.
    ``near_length``, ``conversation_length``: BM25's b. The entry's own length does not count.
    ``asked``: factor for the previous entry where it is a question, which the entry may answer.
    ``asking``: factor for an entry that is a question itself.
    ``signal``: factor for an entry with the time or number that is asked for.
    ``same_prefix``: of a word with the same beginning, where the term itself is missing.
    ``same_prefix_before``: share of that in the previous entry.
    ``answer``: share of a question's relevance that the entry behind it has where it meets nothing by itself.
    """

    own: tuple[float, ...] = (2.0, 1.0, 1.5, 1.0, 1.5, 0.5)
    near: tuple[tuple[int, float], ...] = ((-1, 0.45), (1, 0.2), (-2, 0.3), (2, 0.1))
    conversation: float = 0.1
    saturation: float = 1.6
    near_length: float = 0.75
    conversation_length: float = 0.75
    asked: float = 2.0
    asking: float = 0.9
    signal: float = 1.3
    same_prefix: float = 0.2
    same_prefix_before: float = 0.3
    answer: float = 0.5


SHIPPED = Weights()


def search_entries(
    connection: Connection,
    query: Query,
    settings: dict[str, Any],
    weights: Weights = SHIPPED,
    limits: SearchLimits = THOROUGH,
) -> list[Hit]:
    """Return the best ``query.limit`` entries. They are ordered by attention, in which the best score counts as
    relevance 1; at equal age, use and confidence that is the order by score. What meets nothing of the question is no
    hit, however near to one it is in its conversation."""
    connection.execute("SAVEPOINT search")  # so that all reads see one state of the index
    try:
        parsed = parse_query(connection, query)
        found = look_up_terms(connection, parsed, limits)
        best = order(found.gains, limits.promising)
        counts = count_by_conversation(found.postings, best)
        promising = order(add_conversation_gains(found, parsed, counts, best), limits.ranked)
        texts = _candidates(connection, query, found, promising, limits)
        around = texts | _neighbours(connection, texts, weights)
        conversations = {doc >> POSITIONS for doc in texts}
        sql = f"SELECT conversation, length FROM conversations WHERE conversation IN ({_list(conversations)})"
        lengths = dict(connection.execute(sql))
        scores = score_all(texts, around, found.postings, counts, lengths, parsed, weights)
        hits = {doc: one for doc, one in scores.items() if one[1] > 0}
        return _rank(connection, query, hits, settings, max(limits.weighed, query.limit))
    finally:
        connection.execute("RELEASE search")


def score_all(
    entries: dict[int, Text],
    around: dict[int, Text],
    postings: Postings,
    conversation_counts: ConversationCounts,
    lengths: dict[int, int],
    parsed: ParsedQuery,
    weights: Weights = SHIPPED,
) -> dict[int, tuple[float, float]]:
    """Return doc id -> (score by its words, relevance: the share of the question's weight that it meets, 0 to 1). An
    entry meets what its own fields hold, else a part of what the question before it holds, which it may answer.
    ``around`` holds the entries and their neighbours, ``postings`` the terms that were looked up whole, ``lengths`` the
    terms in each conversation."""
    neighbours = _neighbour_factors(entries, around, parsed.average_body, weights)
    conversations = _conversation_factors(entries, lengths, parsed.average_conversation, weights)
    totals, met = dict.fromkeys(entries, 0.0), dict.fromkeys(entries, 0.0)
    fields = {doc: text[0].split(SEPARATOR) for doc, text in entries.items()}
    for term in parsed.terms:
        own = _own(term, entries, fields, postings, weights) if term.known else {}
        for doc in own:
            met[doc] += term.share
        worth = _add_neighbours(own, term.text, around, postings, neighbours) if term.content_frequency else own
        worth = _add_conversations(worth, conversation_counts.get(term.text, {}), conversations)
        for doc, found in worth.items():
            totals[doc] += term.weight * found / (weights.saturation + found)
        for doc, found in _prefix_matches(term.text, own, entries, around, weights).items():
            totals[doc] += term.weight * found
    relevant = parsed.relevant_weight or 1.0
    return {
        doc: (totals[doc] * _signal_factor(text, parsed, weights), min(1.0, _met(doc, met, around, weights) / relevant))
        for doc, text in entries.items()
    }


def _rank(connection: Connection, query: Query, scores: Scores, settings: dict[str, Any], weighed: int) -> list[Hit]:
    ahead = sorted(scores, key=lambda doc: (scores[doc], doc), reverse=True)[:weighed]
    sql = f"SELECT c.doc, {COLUMNS} FROM cards c WHERE c.doc IN ({_list(ahead)})"
    cards = {row[0]: read_card(row[1:]) for row in connection.execute(sql)}
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
    """The filters never starve the result: where they leave few of the best, the rest follow, and at last the newest
    that they leave, which may hold a term that was too common to be looked up."""
    least = max(limits.ranked // 2, query.limit)
    texts = _texts(connection, query, best)
    if len(texts) < least and len(found.gains) > len(best):
        rest = order(found.gains, len(found.gains))
        for start in range(0, len(rest), limits.newest):
            texts.update(_texts(connection, query, rest[start : start + limits.newest]))
            if len(texts) >= least:
                break
    if len(texts) < least and not found.complete:
        where, values = conditions(query)
        sql = f"SELECT c.doc FROM cards c WHERE {where} ORDER BY c.created DESC LIMIT ?"
        newest = [doc for (doc,) in connection.execute(sql, (*values, limits.newest))]
        texts.update(_texts(connection, query, newest))
    return texts


def _texts(connection: Connection, query: Query, docs: list[int]) -> dict[int, Text]:
    where, values = conditions(query)
    tables = "cards c INDEXED BY card_docs JOIN texts t ON t.doc = c.doc"
    sql = f"SELECT {_TEXT} FROM {tables} WHERE c.doc IN ({_list(docs)}) AND {where}"
    return {row[0]: row[1:] for row in connection.execute(sql, values)}


def _neighbours(connection: Connection, texts: dict[int, Text], weights: Weights) -> dict[int, Text]:
    """They are of the same owner, so whoever sees the one may see the other."""
    near: set[int] = set()
    for step, _ in weights.near:
        near.update(doc + step for doc in texts)
    near -= texts.keys()
    rows = connection.execute(f"SELECT {_TEXT} FROM texts t WHERE t.doc IN ({_list(near)})")
    return {row[0]: row[1:] for row in rows}


def _list(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def _signal_factor(text: Text, parsed: ParsedQuery, weights: Weights) -> float:
    _, _, _, is_question, has_time, has_number = text
    wanted = (parsed.wants_time and has_time) or (parsed.wants_number and has_number)
    return (weights.signal if wanted else 1.0) * (weights.asking if is_question else 1.0)


def _met(doc: int, met: dict[int, float], around: dict[int, Text], weights: Weights) -> float:
    before = around.get(doc - 1)
    asked = met.get(doc - 1, 0.0) if before is not None and before[3] else 0.0
    return met[doc] or weights.answer * asked


def _own(
    term: Term,
    entries: dict[int, Text],
    fields: dict[int, list[str]],
    postings: Postings,
    weights: Weights,
) -> dict[int, float]:
    """Return doc id -> worth of the term in the entry's own fields; ``fields``: the content, divided once for all
    terms."""
    content, metadata = f" {term.text} ", f" {about(term.text)} "
    holding = _perhaps_holding(term.text, entries, entries, postings) if term.content_frequency else ()
    worth = {doc: found for doc in holding if (found := _count_content(fields[doc], content, weights.own))}
    for doc, text in entries.items() if term.metadata_frequency else ():
        if metadata in text[1]:
            counted = zip(text[1].split(SEPARATOR), weights.own[CONTENT_FIELDS:], strict=True)
            worth[doc] = worth.get(doc, 0.0) + sum(factor * field.count(metadata) for field, factor in counted)
    return worth


def _perhaps_holding(
    term: str, docs: Mapping[int, object], texts: dict[int, Text], postings: Postings
) -> Iterable[int]:
    if term in postings:
        return postings[term].intersection(docs)  # goes through the docs, which are fewer; ``&`` of keys would not
    return [doc for doc in docs if term in texts[doc][0]]  # quicker than with a space, which is tried everywhere


def _count_content(fields: list[str], pattern: str, own: tuple[float, ...]) -> float:
    """Written out, because a prompt asks for it hundreds of times."""
    title, body, tags, paths = fields
    worth = own[0] * title.count(pattern) + own[1] * body.count(pattern)
    if tags:
        worth += own[2] * tags.count(pattern)
    return worth + own[3] * paths.count(pattern) if paths else worth


def _neighbour_factors(
    entries: dict[int, Text], around: dict[int, Text], average: float, weights: Weights
) -> Neighbours:
    factors: Neighbours = {}
    for step, worth in weights.near:
        for doc in entries:
            near = around.get(doc + step)
            if near is not None:
                asked = weights.asked if step == -1 and near[3] else 1.0
                factor = worth * asked / _length_norm(near[2], average, weights.near_length)
                factors.setdefault(doc + step, []).append((doc, factor))
    return factors


def _add_neighbours(
    own: dict[int, float], term: str, around: dict[int, Text], postings: Postings, neighbours: Neighbours
) -> dict[int, float]:
    worth, pattern = dict(own), f" {term} "
    # Sorted, because the sum of floats depends on its order.
    for near in sorted(_perhaps_holding(term, neighbours, around, postings)):
        count = around[near][0].count(pattern)
        for doc, factor in neighbours[near] if count else ():
            worth[doc] = worth.get(doc, 0.0) + factor * count
    return worth


def _conversation_factors(
    entries: dict[int, Text], lengths: dict[int, int], average: float, weights: Weights
) -> Conversations:
    factors: Conversations = {}
    for doc in entries:
        conversation = doc >> POSITIONS
        if conversation not in factors:
            norm = _length_norm(lengths.get(conversation, 0), average, weights.conversation_length)
            factors[conversation] = (weights.conversation / norm, [])
        factors[conversation][1].append(doc)
    return factors


def _add_conversations(
    worth: dict[int, float], counts: dict[int, int], conversations: Conversations
) -> dict[int, float]:
    for conversation, count in counts.items():
        factor, docs = conversations.get(conversation, (0.0, ()))
        for doc in docs:
            worth[doc] = worth.get(doc, 0.0) + factor * count
    return worth


def _length_norm(length: int, average: float, share: float) -> float:
    return 1 - share + share * length / average if average and length else 1.0


def _prefix_matches(
    term: str, own: dict[int, float], entries: dict[int, Text], around: dict[int, Text], weights: Weights
) -> dict[int, float]:
    """Return doc id -> worth of words with the same beginning, in the entry and the one before it, for entries without
    the term itself: "counsel" and "counselor" have no stem in common."""
    if len(term) < PREFIX or not term.isalpha():
        return {}
    letters = term[:PREFIX]
    beginning, pattern = f" {letters}", f" {term} "
    missing = [doc for doc in entries if doc not in own]
    # The letters alone are looked for first: that is quicker than with a space, which is tried everywhere.
    worth = {doc: weights.same_prefix for doc in missing if letters in entries[doc][0] and beginning in entries[doc][0]}
    for doc in missing:
        before = around.get(doc - 1)
        if before is not None and letters in before[0] and beginning in before[0] and pattern not in before[0]:
            worth[doc] = worth.get(doc, 0.0) + weights.same_prefix * weights.same_prefix_before
    return worth
