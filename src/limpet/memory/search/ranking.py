"""Scores of entries by BM25F over their fields, their neighbours in the conversation and all of it. Pure."""

from __future__ import annotations

from limpet.ground.values import Value
from limpet.memory.index.database import POSITIONS, SEPARATOR
from limpet.memory.index.terms import about

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from limpet.memory.search.candidates import ConversationCounts, ParsedQuery, Postings, Term

    # Content, metadata, length, is_question, has_time and has_number of ``records.Record``: plain, being many.
    Text = tuple[str, str, int, int, int, int]
    # Neighbour -> (an entry beside it, worth of an occurrence in the neighbour to that entry).
    Neighbours = dict[int, list[tuple[int, float]]]
    # Conversation -> (worth of each of its entries that holds a term, the ranked entries in it).
    Conversations = dict[int, tuple[float, list[int]]]


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
# Fields of ``Weights.own`` that are content; the others are metadata.
CONTENT_FIELDS = 4
# Letters of the beginning that two words have in common.
PREFIX = 4


def score_all(
    entries: dict[int, Text],
    around: dict[int, Text],
    postings: Postings,
    conversation_counts: ConversationCounts,
    lengths: dict[int, int],
    parsed: ParsedQuery,
    weights: Weights = SHIPPED,
) -> dict[int, tuple[float, float]]:
    """Return doc id -> (score by its words, relevance: the share of the question's weight that it meets, 0 to 1).

    An entry meets what its own fields hold, else a part of what the question before it holds, which it may answer.
    ``around`` holds the entries and their neighbours. ``postings`` has the terms that were looked up whole.
    ``lengths`` are the terms in each conversation.
    """
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
    """Return doc id -> worth of the term's occurrences in the entry's own fields, for entries that have any.

    ``fields`` are the content, divided once for all terms.
    """
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
    """Return the occurrences in the content, each by the worth of its field.

    Written out, because a prompt asks for it hundreds of times.
    """
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
