"""Finds the entries that a question's words speak of, best first: candidates from the index, ranked by their words,
then by the attention that their age, use and confidence leave them (decisions 20 and 25)."""

from __future__ import annotations

from holdfast.memory.candidates import PROMISING, Found, crowds, gather, look_up, order
from holdfast.memory.card import Hit
from holdfast.memory.database import COLUMNS, POSITIONS, read_card
from holdfast.memory.filters import conditions
from holdfast.memory.ranking import SHIPPED, Weights, score_all
from holdfast.memory.reading import damped
from holdfast.memory.wanted import read_question

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable
    from typing import Any

    from holdfast.memory.card import Card, Query
    from holdfast.memory.ranking import Text


# So many entries are ranked by their words, and of them so many by attention.
RANKED = 120
WEIGHED = 50
# Where terms were too common to be looked up and too few entries are left: so many of the newest are ranked as well.
NEWEST = 2000
_TEXT = "t.seat, t.said, t.about, t.length, t.asks, t.moment, t.number"


def search(connection: Connection, query: Query, settings: dict[str, Any], weights: Weights = SHIPPED) -> list[Hit]:
    """The best ``query.limit`` entries among those that the query's filters leave.

    They are ordered by attention; at equal age, use and confidence that is the order by score. The best score counts
    as relevance 1 there. Nothing is found without a word that says something.
    """
    connection.execute("SAVEPOINT search")  # so that all that is read is of one moment
    try:
        return _search(connection, query, settings, weights)
    finally:
        connection.execute("RELEASE search")


def _search(connection: Connection, query: Query, settings: dict[str, Any], weights: Weights) -> list[Hit]:
    wanted = read_question(connection, query.text)
    found = look_up(connection, wanted)
    best = order(found.gains, PROMISING)
    together = crowds(found, best)
    texts = _candidates(connection, query, found, order(gather(found, wanted, together, best), RANKED))
    around = texts | _neighbours(connection, texts, weights)
    scored = score_all(texts, around, found.seats, together, _talk_lengths(connection, texts), wanted, weights)
    ahead = sorted(scored, key=lambda seat: (scored[seat], seat), reverse=True)[: max(WEIGHED, query.limit)]
    cards = _cards(connection, ahead)
    return _rank([(cards[seat], *scored[seat]) for seat in ahead if scored[seat][0] > 0], query, settings)


def _rank(scored: list[tuple[Card, float, float]], query: Query, settings: dict[str, Any]) -> list[Hit]:
    best = scored[0][1] if scored else 1.0
    hits = [
        Hit(card, score, relevance, damped(card, score / best, query.now, settings))
        for card, score, relevance in scored
    ]
    return sorted(hits, key=lambda hit: (-hit.attention, -hit.score, -hit.card.created, hit.card.path))[: query.limit]


def _candidates(connection: Connection, query: Query, found: Found, best: list[int]) -> dict[int, Text]:
    """What is ranked, by seat. The filters never starve the result: where they leave few of the best, the rest
    follow, and at last the newest that they leave, which may hold a term that was too common to be looked up."""
    least = max(RANKED // 2, query.limit)
    texts = _load(connection, query, best)
    if len(texts) < least and len(found.gains) > len(best):
        rest = order(found.gains, len(found.gains))
        for start in range(0, len(rest), NEWEST):
            texts.update(_load(connection, query, rest[start : start + NEWEST]))
            if len(texts) >= least:
                break
    if len(texts) < least and not found.complete:
        texts.update(_load(connection, query, _newest(connection, query)))
    return texts


def _newest(connection: Connection, query: Query) -> list[int]:
    where, values = conditions(query)
    sql = f"SELECT c.seat FROM cards c WHERE {where} ORDER BY c.created DESC LIMIT ?"
    return [seat for (seat,) in connection.execute(sql, (*values, NEWEST))]


def _load(connection: Connection, query: Query, seats: list[int]) -> dict[int, Text]:
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
