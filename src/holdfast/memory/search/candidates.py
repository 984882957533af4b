"""Which entries may be what a question looks for: its rarest terms are looked up whole, its commonest not at all, so
that the cost has a bound whatever the number of entries."""

from __future__ import annotations

from itertools import chain

from holdfast.ground.values import Value
from holdfast.memory.index.database import POSITIONS
from holdfast.memory.index.terms import about

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable

    from holdfast.memory.search.parsed_query import Wanted

# What an entry gains by a term of its next, its previous, the one after the next and the one before the previous.
NEIGHBOURS = ((-1, 0.2), (1, 0.45), (-2, 0.1), (2, 0.3))
# By each entry of the same conversation that holds a term, up to so many.
TOGETHER, CROWD = 0.1, 5


class Effort(Value):
    """How far a search goes: so many places at which terms stand are looked up, and of so many the neighbours gain too
    (``spread``); of so many seats the conversations are looked at; so many entries are ranked by their words, of them
    so many weighed by attention; and where terms were too common and too few entries are left, so many of the
    ``newest`` are ranked as well. ``last_resort``: a question of nothing but words that say nothing is searched by
    these ("make", "os")."""

    looked_up: int = 16_000
    spread: int = 800
    promising: int = 400
    ranked: int = 120
    weighed: int = 50
    newest: int = 2000
    last_resort: bool = True


THOROUGH = Effort()
# For the prompt hook, which shows a handful and has some milliseconds.
QUICK = Effort(looked_up=1000, spread=200, promising=32, ranked=32, weighed=12, newest=100, last_resort=False)


class Found(Value):
    """``gains``: seat -> how promising it is; ``seats``: term -> all the places where it stands;
    ``complete`` when no term is missing there."""

    gains: dict[int, float]
    seats: dict[str, frozenset[int]]
    complete: bool


def look_up(connection: Connection, wanted: Wanted, effort: Effort = THOROUGH) -> Found:
    """The seats that hold a term, or have a neighbour that does; not every one of them has an entry."""
    gains: dict[int, float] = {}
    seats: dict[str, frozenset[int]] = {}
    left, spread = effort.looked_up, effort.spread
    places = _places(wanted)
    for entries, term, weight, postings in places:
        if entries > left and gains:
            break
        found = seats_of(connection, postings, left)
        if entries <= left:
            seats[term] = found
        _gain(gains, found, weight)
        if entries <= spread:
            _spread(gains, found, weight)
            spread -= entries
        left -= len(found)
    return Found(gains=gains, seats=seats, complete=len(seats) == len(places))


def _places(wanted: Wanted) -> list[tuple[int, str, float, tuple[str, ...]]]:
    """Each term as it is said and as it is told of entries, with how many those are, its weight and what they are found
    by; rarest first."""
    said = [(term.said, term.text, term.weight, term.saying) for term in wanted.terms if term.said]
    told = [(term.told, about(term.text), term.weight, term.telling) for term in wanted.terms if term.told]
    return sorted(said + told)


def order(gains: dict[int, float], most: int) -> list[int]:
    """The most promising seats, best first; of equal ones the newest."""
    if len(gains) > 2 * most:
        least = sorted(gains.values(), reverse=True)[most - 1]
        above = [seat for seat, gain in gains.items() if gain > least]
        level = sorted((seat for seat, gain in gains.items() if gain == least), reverse=True)
        chosen = above + level[: most - len(above)]
    else:
        chosen = list(gains)
    return sorted(chosen, key=lambda seat: (gains[seat], seat), reverse=True)[:most]


def crowds(places: dict[str, frozenset[int]], seats: Iterable[int]) -> dict[str, dict[int, int]]:
    """Term -> conversation of one of the seats -> how many of its entries hold the term."""
    talks = {seat >> POSITIONS for seat in seats}
    return {term: _crowd(found, talks) for term, found in places.items()}


def gather(found: Found, wanted: Wanted, together: dict[str, dict[int, int]], seats: list[int]) -> dict[int, float]:
    """Of these seats what they gain, their conversations' part counted in."""
    talks: dict[int, float] = {}
    for term in wanted.terms:
        for talk, count in together.get(term.text, {}).items():
            talks[talk] = talks.get(talk, 0.0) + TOGETHER * term.weight * min(CROWD, count)
    return {seat: found.gains[seat] + talks.get(seat >> POSITIONS, 0.0) for seat in seats}


def _crowd(places: frozenset[int], talks: set[int]) -> dict[int, int]:
    counts: dict[int, int] = {}
    for seat in places:
        talk = seat >> POSITIONS
        if talk in talks:
            counts[talk] = counts.get(talk, 0) + 1
    return counts


def seats_of(connection: Connection, postings: Iterable[str], most: int) -> frozenset[int]:
    """Where one of them stands; the newest only, where that is more than may be looked up."""
    sql = "SELECT rowid FROM postings WHERE postings MATCH ? ORDER BY rowid DESC LIMIT ?"
    asked = " OR ".join(f'"{posted}"' for posted in postings)
    return frozenset(chain.from_iterable(connection.execute(sql, (asked, most))))


def _gain(gains: dict[int, float], seats: frozenset[int], weight: float) -> None:
    for seat in seats:
        gains[seat] = gains.get(seat, 0.0) + weight


def _spread(gains: dict[int, float], seats: frozenset[int], weight: float) -> None:
    for step, share in NEIGHBOURS:
        gain = weight * share
        for seat in seats:
            near = seat + step
            gains[near] = gains.get(near, 0.0) + gain
