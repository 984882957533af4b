"""Scores entries by their words: BM25F over an entry's fields, its neighbours in the conversation and the conversation
as a whole. Pure. ``bench/retrieval.py`` measures what each weight is worth."""

from __future__ import annotations

from holdfast.ground.values import Value
from holdfast.memory.database import POSITIONS, SEPARATOR
from holdfast.memory.terms import about

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.memory.wanted import Term, Wanted

    # An entry's words, as ``records.Record`` has them: said, about, length, asks, moment, number. Plain, being many.
    Text = tuple[str, str, int, int, int, int]
    # A term as it is said and as it is told, its beginning, its weight, and its number by conversation.
    Pattern = tuple[str, str, str, float, dict[int, int]]


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
    alike: float = 0.15
    alike_before: float = 0.3


SHIPPED = Weights()
# So many fields are what the entry says; the others tell who and when.
SAID = 4
# Beginnings of words that are alike have so many letters.
BEGINNING = 4


def score_all(
    seats: Iterable[int],
    texts: dict[int, Text],
    together: dict[str, dict[int, int]],
    talks: dict[int, int],
    wanted: Wanted,
    weights: Weights = SHIPPED,
) -> dict[int, tuple[float, float]]:
    """Seat -> what the words of the entry there are worth, and how much of the question's weight its own fields meet (0
    to 1).

    ``texts`` holds the entries and their neighbours by seat; ``together`` says by term and conversation in how many
    entries a term stands, ``talks`` how many terms a conversation has.
    """
    patterns = [_pattern(term, together.get(term.text, {})) for term in wanted.terms]
    return {seat: _score(seat, texts, patterns, talks, wanted, weights) for seat in seats}


def _pattern(term: Term, crowd: dict[int, int]) -> Pattern:
    beginning = f" {term.text[:BEGINNING]}" if len(term.text) >= BEGINNING and term.text.isalpha() else ""
    return f" {term.text} ", f" {about(term.text)} ", beginning, term.weight, crowd


def _score(
    seat: int,
    texts: dict[int, Text],
    patterns: list[Pattern],
    talks: dict[int, int],
    wanted: Wanted,
    weights: Weights,
) -> tuple[float, float]:
    said, told, _, asks, moment, number = texts[seat]
    around, before = _around(seat, texts, wanted.body, weights), texts.get(seat - 1)
    talk = seat >> POSITIONS
    together = weights.talk / _norm(talks.get(talk, 0), wanted.talk, weights.talk_length)
    total = met = 0.0
    for pattern, of_it, beginning, weight, crowd in patterns:
        worth = _count(said, pattern, weights.own[:SAID]) if pattern in said else 0.0
        if of_it in told:
            worth += _count(told, of_it, weights.own[SAID:])
        if worth:
            met += weight
        elif beginning:
            total += weight * _alike(pattern, beginning, said, before, weights)
        for factor, other in around:
            if pattern in other:
                worth += factor * other.count(pattern)
        if talk in crowd:
            worth += together * crowd[talk]
        total += weight * worth / (weights.saturation + worth)
    if (wanted.moment and moment) or (wanted.number and number):
        total *= weights.sign
    return total * (weights.asking if asks else 1.0), min(1.0, met / (wanted.relevant or 1.0))


def _count(fields: str, pattern: str, factors: tuple[float, ...]) -> float:
    """The occurrences in the fields, each by what its field is worth."""
    return sum(factor * field.count(pattern) for field, factor in zip(fields.split(SEPARATOR), factors, strict=True))


def _around(seat: int, texts: dict[int, Text], body: float, weights: Weights) -> list[tuple[float, str]]:
    """What the neighbours say, each with what an occurrence in it is worth."""
    found = []
    for step, worth in weights.near:
        text = texts.get(seat + step)
        if text is not None:
            said, _, length, asks, *_ = text
            asked = weights.asked if step == -1 and asks else 1.0
            found.append((worth * asked / _norm(length, body, weights.near_length), said))
    return found


def _norm(length: int, average: float, share: float) -> float:
    return 1 - share + share * length / average if average and length else 1.0


def _alike(pattern: str, beginning: str, said: str, before: Text | None, weights: Weights) -> float:
    """What a word with the same beginning is worth: "counsel" and "counselor" have no stem in common."""
    worth = weights.alike if beginning in said else 0.0
    if before is not None and beginning in before[0] and pattern not in before[0]:
        worth += weights.alike * weights.alike_before
    return worth
