"""Finds the entries that a question's words speak of, best first: candidates from the index, ranked by their words,
then by the attention that their age, use and confidence leave them (decisions 20 and 25)."""

from __future__ import annotations

from holdfast.ground.values import Value
from holdfast.memory.index.database import COLUMNS, POSITIONS, read_card
from holdfast.memory.index.filters import conditions
from holdfast.memory.index.reading import damped
from holdfast.memory.model.card import Hit
from holdfast.memory.search.candidates import THOROUGH, Effort, Found, crowds, gather, look_up, order
from holdfast.memory.search.parsed_query import read_question
from holdfast.memory.search.ranking import SHIPPED, Weights, score_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable, Iterable
    from typing import Any

    from holdfast.memory.model.card import Card, Query
    from holdfast.memory.search.parsed_query import Wanted
    from holdfast.memory.search.ranking import Text

    # Seat -> score and relevance.
    Scores = dict[int, tuple[float, float]]
    Choose = Callable[[Connection, Query, Wanted], "Choice"]
    Rescore = Callable[["Choice", Wanted, Scores], Scores]


_TEXT = "t.seat, t.said, t.about, t.length, t.asks, t.moment, t.number"


class Choice(Value):
    """What is to be ranked: ``texts`` by seat; ``places``: term -> all seats at which it stands, where that was looked
    up; ``together``: term -> conversation -> how many of its entries hold the term."""

    texts: dict[int, Text]
    places: dict[str, frozenset[int]]
    together: dict[str, dict[int, int]]


def search(
    connection: Connection,
    query: Query,
    settings: dict[str, Any],
    weights: Weights = SHIPPED,
    choose: Choose | None = None,
    rescore: Rescore | None = None,
    effort: Effort = THOROUGH,
) -> list[Hit]:
    """The best ``query.limit`` entries among those that the query's filters leave.

    They are ordered by attention; at equal age, use and confidence that is the order by score. The best score counts
    as relevance 1 there. ``choose`` says in the place of ``choose_by_terms`` what is worth ranking, ``rescore`` what
    else counts than words.
    """
    connection.execute("SAVEPOINT search")  # so that all that is read is of one moment
    try:
        wanted = read_question(connection, query, effort.last_resort)
        choice = choose(connection, query, wanted) if choose else choose_by_terms(connection, query, wanted, effort)
        scores = _weigh(connection, choice, wanted, weights)
        final = rescore(choice, wanted, scores) if rescore else scores
        return _rank(connection, query, final, settings, max(effort.weighed, query.limit))
    finally:
        connection.execute("RELEASE search")


def choose_by_terms(connection: Connection, query: Query, wanted: Wanted, effort: Effort = THOROUGH) -> Choice:
    """The entries that are worth ranking, by where the question's terms stand."""
    found = look_up(connection, wanted, effort)
    best = order(found.gains, effort.promising)
    together = crowds(found.seats, best)
    promising = order(gather(found, wanted, together, best), effort.ranked)
    texts = _candidates(connection, query, found, promising, effort)
    return Choice(texts=texts, places=found.seats, together=together)


def _weigh(connection: Connection, choice: Choice, wanted: Wanted, weights: Weights) -> Scores:
    texts = choice.texts
    around = texts | _neighbours(connection, texts, weights)
    talks = _talk_lengths(connection, texts)
    return score_all(texts, around, choice.places, choice.together, talks, wanted, weights)


def _rank(connection: Connection, query: Query, scores: Scores, settings: dict[str, Any], weighed: int) -> list[Hit]:
    ahead = sorted(scores, key=lambda seat: (scores[seat], seat), reverse=True)[:weighed]
    cards = _cards(connection, ahead)
    best = scores[ahead[0]][0] if ahead else 1.0
    hits = [
        Hit(cards[seat], *scores[seat], damped(cards[seat], scores[seat][0] / best, query.now, settings))
        for seat in ahead
        if scores[seat][0] > 0
    ]
    return sorted(hits, key=lambda hit: (-hit.attention, -hit.score, -hit.card.created, hit.card.path))[: query.limit]


def _candidates(connection: Connection, query: Query, found: Found, best: list[int], effort: Effort) -> dict[int, Text]:
    """What is ranked, by seat. The filters never starve the result: where they leave few of the best, the rest
    follow, and at last the newest that they leave, which may hold a term that was too common to be looked up."""
    least = max(effort.ranked // 2, query.limit)
    texts = load_texts(connection, query, best)
    if len(texts) < least and len(found.gains) > len(best):
        rest = order(found.gains, len(found.gains))
        for start in range(0, len(rest), effort.newest):
            texts.update(load_texts(connection, query, rest[start : start + effort.newest]))
            if len(texts) >= least:
                break
    if len(texts) < least and not found.complete:
        texts.update(load_texts(connection, query, _newest(connection, query, effort.newest)))
    return texts


def _newest(connection: Connection, query: Query, most: int) -> list[int]:
    where, values = conditions(query)
    sql = f"SELECT c.seat FROM cards c WHERE {where} ORDER BY c.created DESC LIMIT ?"
    return [seat for (seat,) in connection.execute(sql, (*values, most))]


def load_texts(connection: Connection, query: Query, seats: list[int]) -> dict[int, Text]:
    """The texts at these seats, so far as the filters leave them."""
    where, values = conditions(query)
    tables = "cards c INDEXED BY card_seats JOIN texts t ON t.seat = c.seat"
    sql = f"SELECT {_TEXT} FROM {tables} WHERE c.seat IN ({_list(seats)}) AND {where}"
    return {row[0]: row[1:] for row in connection.execute(sql, values)}


def _neighbours(connection: Connection, texts: dict[int, Text], weights: Weights) -> dict[int, Text]:
    """The texts beside these. They are of the same owner, so whoever sees the one may see the other."""
    near = {seat + step for seat in texts for step, _ in weights.near} - texts.keys()
    rows = connection.execute(f"SELECT {_TEXT} FROM texts t WHERE t.seat IN ({_list(near)})")
    return {row[0]: row[1:] for row in rows}


def _cards(connection: Connection, seats: list[int]) -> dict[int, Card]:
    sql = f"SELECT c.seat, {COLUMNS} FROM cards c WHERE c.seat IN ({_list(seats)})"
    return {row[0]: read_card(row[1:]) for row in connection.execute(sql)}


def _talk_lengths(connection: Connection, seats: Iterable[int]) -> dict[int, int]:
    talks = {seat >> POSITIONS for seat in seats}
    return dict(connection.execute(f"SELECT talk, length FROM talks WHERE talk IN ({_list(talks)})"))


def _list(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))
