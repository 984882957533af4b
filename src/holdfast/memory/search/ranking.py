"""Scores entries by their words: BM25F over an entry's fields, its neighbours in the conversation and the conversation
as a whole. Pure. ``bench/retrieval.py`` measures what each weight is worth."""

from __future__ import annotations

from holdfast.ground.values import Value
from holdfast.memory.index.database import POSITIONS, SEPARATOR
from holdfast.memory.index.terms import about

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from holdfast.memory.search.parsed_query import Term, Wanted

    # An entry's words, as ``records.Record`` has them: said, about, length, asks, moment, number. Plain, being many.
    Text = tuple[str, str, int, int, int, int]


class Weights(Value):
    """What an occurrence of a term is worth by where it stands.

    ``own``: title and body, tags, paths, who, date; ``near``: step to a neighbour -> worth; ``talk``: an entry of
    the conversation. ``saturation`` is BM25's k1; ``near_length`` and ``talk_length`` its b for neighbours and
    conversation, the entry's own length does not count. ``asked`` multiplies the previous entry where it is a question,
    ``asking`` the score of an entry that is one itself, ``sign`` that of an entry with the moment or number that is
    asked for. ``alike`` is the worth of a word with the same beginning, ``alike_before`` in the previous entry.
    """

    own: tuple[float, ...] = (2.0, 1.0, 1.5, 1.0, 1.5, 0.5)
    near: tuple[tuple[int, float], ...] = ((-1, 0.45), (1, 0.2), (-2, 0.3), (2, 0.1))
    talk: float = 0.1
    saturation: float = 1.6
    near_length: float = 0.75
    talk_length: float = 0.75
    asked: float = 2.0
    asking: float = 0.9
    sign: float = 1.3
    alike: float = 0.2
    alike_before: float = 0.3


SHIPPED = Weights()
# So many fields are what the entry says; the others tell who and when.
SAID = 4
# Beginnings of words that are alike have so many letters.
BEGINNING = 4


def score_all(
    entries: dict[int, Text],
    around: dict[int, Text],
    places: dict[str, frozenset[int]],
    together: dict[str, dict[int, int]],
    talks: dict[int, int],
    wanted: Wanted,
    weights: Weights = SHIPPED,
) -> dict[int, tuple[float, float]]:
    """Seat -> what the words of the entry there are worth, and how much of the question's weight its own fields meet (0
    to 1).

    ``around`` holds the entries' neighbours by seat, and themselves; ``places`` says at which seats a term stands,
    where that was looked up; ``together`` says by term and conversation in how many entries a term stands, ``talks``
    how many terms a conversation has.
    """
    reach = _reach(entries, around, wanted.body, weights)
    rooms = _rooms(entries, talks, wanted.talk, weights)
    totals, met = dict.fromkeys(entries, 0.0), dict.fromkeys(entries, 0.0)
    fields = {seat: text[0].split(SEPARATOR) for seat, text in entries.items()}
    for term in wanted.terms:
        own = _own(term, entries, fields, places, weights) if term.known else {}
        for seat in own:
            met[seat] += term.share
        worth = _add_near(own, term.text, around, places, reach) if term.said else own
        worth = _add_rooms(worth, together.get(term.text, {}), rooms)
        for seat, found in worth.items():
            totals[seat] += term.weight * found / (weights.saturation + found)
        for seat, found in _alike(term.text, own, entries, around, weights).items():
            totals[seat] += term.weight * found
    relevant = wanted.relevant or 1.0
    return {
        seat: (totals[seat] * signs(text, wanted, weights), min(1.0, met[seat] / relevant))
        for seat, text in entries.items()
    }


def _own(
    term: Term,
    entries: dict[int, Text],
    fields: dict[int, list[str]],
    places: dict[str, frozenset[int]],
    weights: Weights,
) -> dict[int, float]:
    """Seat -> what the term's occurrences in the entry's own fields are worth, where there are any; ``fields`` are
    those that say something, divided once for all terms."""
    said, told = f" {term.text} ", f" {about(term.text)} "
    saying = _perhaps_saying(term.text, entries, entries, places) if term.said else ()
    worth = {seat: found for seat in saying if (found := _count_said(fields[seat], said, weights.own))}
    for seat, text in entries.items() if term.told else ():
        if told in text[1]:
            worth[seat] = worth.get(seat, 0.0) + _count_told(text[1], told, weights.own)
    return worth


def _perhaps_saying(
    term: str, seats: Mapping[int, object], texts: dict[int, Text], places: dict[str, frozenset[int]]
) -> Iterable[int]:
    """Those of the seats whose entries say the term, or a word that holds it."""
    if term in places:
        return places[term].intersection(seats)  # goes through the seats, which are fewer; ``&`` of keys would not
    return [seat for seat in seats if term in texts[seat][0]]  # quicker than with a space, which is tried everywhere


def _count_said(fields: list[str], pattern: str, own: tuple[float, ...]) -> float:
    """The occurrences in what an entry says, each by what its field is worth. Written out, because a prompt asks for it
    hundreds of times."""
    title, body, tags, paths = fields
    worth = own[0] * title.count(pattern) + own[1] * body.count(pattern)
    if tags:
        worth += own[2] * tags.count(pattern)
    return worth + own[3] * paths.count(pattern) if paths else worth


def _count_told(fields: str, pattern: str, own: tuple[float, ...]) -> float:
    """The same in what tells who and when."""
    return sum(factor * field.count(pattern) for field, factor in zip(fields.split(SEPARATOR), own[SAID:], strict=True))


def _reach(
    entries: dict[int, Text], around: dict[int, Text], body: float, weights: Weights
) -> dict[int, list[tuple[int, float]]]:
    """Seat -> the entries that have it as a neighbour, each with what an occurrence there is worth to it."""
    reach: dict[int, list[tuple[int, float]]] = {}
    for step, worth in weights.near:
        for seat in entries:
            near = around.get(seat + step)
            if near is not None:
                asked = weights.asked if step == -1 and near[3] else 1.0
                factor = worth * asked / _norm(near[2], body, weights.near_length)
                reach.setdefault(seat + step, []).append((seat, factor))
    return reach


def _add_near(
    own: dict[int, float],
    term: str,
    around: dict[int, Text],
    places: dict[str, frozenset[int]],
    reach: dict[int, list[tuple[int, float]]],
) -> dict[int, float]:
    worth, pattern = dict(own), f" {term} "
    for near in sorted(_perhaps_saying(term, reach, around, places)):  # floats depend on the order of their sum
        count = around[near][0].count(pattern)
        for seat, factor in reach[near] if count else ():
            worth[seat] = worth.get(seat, 0.0) + factor * count
    return worth


def _rooms(
    entries: dict[int, Text], talks: dict[int, int], average: float, weights: Weights
) -> dict[int, tuple[float, list[int]]]:
    """Conversation -> what one entry of it that holds a term is worth to the others, and who they are."""
    rooms: dict[int, tuple[float, list[int]]] = {}
    for seat in entries:
        talk = seat >> POSITIONS
        if talk not in rooms:
            rooms[talk] = (weights.talk / _norm(talks.get(talk, 0), average, weights.talk_length), [])
        rooms[talk][1].append(seat)
    return rooms


def _add_rooms(
    worth: dict[int, float], crowd: dict[int, int], rooms: dict[int, tuple[float, list[int]]]
) -> dict[int, float]:
    for talk, count in crowd.items():
        factor, seats = rooms.get(talk, (0.0, ()))
        for seat in seats:
            worth[seat] = worth.get(seat, 0.0) + factor * count
    return worth


def _norm(length: int, average: float, share: float) -> float:
    return 1 - share + share * length / average if average and length else 1.0


def _alike(
    term: str, own: dict[int, float], entries: dict[int, Text], around: dict[int, Text], weights: Weights
) -> dict[int, float]:
    """Seat -> what words with the same beginning are worth, there and in the entry before, where the term itself is
    missing: "counsel" and "counselor" have no stem in common."""
    if len(term) < BEGINNING or not term.isalpha():
        return {}
    letters = term[:BEGINNING]
    beginning, pattern = f" {letters}", f" {term} "
    missing = [seat for seat in entries if seat not in own]
    worth = {seat: weights.alike for seat in missing if letters in entries[seat][0] and beginning in entries[seat][0]}
    for seat in missing:
        before = around.get(seat - 1)
        if before is not None and letters in before[0] and beginning in before[0] and pattern not in before[0]:
            worth[seat] = worth.get(seat, 0.0) + weights.alike * weights.alike_before
    return worth


def signs(text: Text, wanted: Wanted, weights: Weights) -> float:
    """What the signs of ``cues`` make of a score."""
    _, _, _, asks, moment, number = text
    sign = weights.sign if (wanted.moment and moment) or (wanted.number and number) else 1.0
    return sign * (weights.asking if asks else 1.0)
