"""Scores entries by their words: BM25F over an entry's fields, its neighbours in the conversation and the conversation
as a whole. Pure. ``bench/retrieval.py`` measures what each weight is worth."""

from __future__ import annotations

from holdfast.ground.values import Value
from holdfast.memory.database import POSITIONS, SEPARATOR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.memory.wanted import Wanted


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


class Text(Value):
    """An entry's words, as ``records.Record`` has them."""

    said: str
    about: str
    length: int
    asks: bool
    moment: bool
    number: bool


class Scored(Value):
    """What an entry's words are worth, and how much of the question's weight its own fields meet (0 to 1)."""

    score: float
    relevance: float


SHIPPED = Weights()
# Beginnings of words that are alike have so many letters.
BEGINNING = 4


def score(
    seat: int,
    texts: dict[int, Text],
    together: dict[str, dict[int, int]],
    talks: dict[int, int],
    wanted: Wanted,
    weights: Weights = SHIPPED,
) -> Scored:
    """The entry at ``seat``; ``texts`` holds it and its neighbours, ``together`` counts by term and conversation in how
    many entries a term stands, ``talks`` how many terms a conversation has."""
    text = texts[seat]
    around = _around(seat, texts, wanted.body, weights)
    crowd = weights.talk / _norm(talks.get(seat >> POSITIONS, 0), wanted.talk, weights.talk_length)
    total = met = 0.0
    for term in wanted.terms:
        pattern = f" {term.text} "
        own = _own(text, pattern, weights)
        worth = own + sum(factor * said.count(pattern) for factor, said in around if pattern in said)
        worth += crowd * together.get(term.text, {}).get(seat >> POSITIONS, 0)
        total += term.weight * worth / (weights.saturation + worth)
        if own:
            met += term.weight
        else:
            total += term.weight * _alike(term.text, text, texts.get(seat - 1), weights)
    relevance = min(1.0, met / wanted.relevant) if wanted.relevant else 0.0
    return Scored(score=total * _signs(text, wanted, weights), relevance=relevance)


def _own(text: Text, pattern: str, weights: Weights) -> float:
    """The term's occurrences in the entry's own fields."""
    worth = 0.0
    if pattern in text.said:
        title, _, body = text.said.partition(SEPARATOR)
        worth = weights.own[0] * title.count(pattern) + weights.own[1] * body.count(pattern)
    if pattern in text.about:
        for field, factor in zip(text.about.split(SEPARATOR), weights.own[2:], strict=True):
            worth += factor * field.count(pattern)
    return worth


def _around(seat: int, texts: dict[int, Text], body: float, weights: Weights) -> list[tuple[float, str]]:
    """The neighbours' title and body, each with what an occurrence in it is worth."""
    found = []
    for step, worth in weights.near:
        text = texts.get(seat + step)
        if text is not None:
            asked = weights.asked if step == -1 and text.asks else 1.0
            found.append((worth * asked / _norm(text.length, body, weights.near_length), text.said))
    return found


def _norm(length: int, average: float, share: float) -> float:
    return 1 - share + share * length / average if average and length else 1.0


def _alike(term: str, text: Text, before: Text | None, weights: Weights) -> float:
    """What a word with the same beginning is worth: "counsel" and "counselor" have no stem in common."""
    if len(term) < BEGINNING or not term.isalpha():
        return 0.0
    beginning = f" {term[:BEGINNING]}"
    worth = weights.alike if beginning in text.said else 0.0
    if before is not None and beginning in before.said and f" {term} " not in before.said:
        worth += weights.alike * weights.alike_before
    return worth


def _signs(text: Text, wanted: Wanted, weights: Weights) -> float:
    worth = weights.asking if text.asks else 1.0
    if (wanted.moment and text.moment) or (wanted.number and text.number):
        worth *= weights.sign
    return worth
