"""Finds notes by words, and tells whether a note says what another said. Pure.

Separate from ``memory.search``, whose index notes are kept out of.
"""

from __future__ import annotations

from collections import Counter
from math import log

from holdfast.ground.text.similarity import cosine, grams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.memory.notes.note import Note


def rank_notes(notes: Sequence[Note], text: str, limit: int) -> tuple[Note, ...]:
    """Return the notes that share words with the text, best first, of equals the newer; a rare word weighs more."""
    asked = {gram for gram in grams(text) if " " not in gram}
    held = [asked & grams(note.text).keys() for note in notes]
    often = Counter(word for words in held for word in words)
    weights = {word: log(1 + len(notes) / count) for word, count in often.items()}
    scores = [(sum(map(weights.__getitem__, words)), note.at) for words, note in zip(held, notes, strict=True)]
    best = sorted((place for place, words in enumerate(held) if words), key=scores.__getitem__, reverse=True)
    return tuple(notes[place] for place in best[: max(0, limit)])


def find_same(text: str, notes: Sequence[Note], same: float) -> Note | None:
    """Return the note that is most like the text, None where none is at least ``same`` (0 to 1) like it."""
    words = grams(text)
    likeness = [(cosine(words, grams(note.text)), note.at, place) for place, note in enumerate(notes)]
    best = max(likeness, default=(0.0, 0.0, 0))
    return notes[best[2]] if likeness and best[0] >= same else None
