"""Which sentence of an entry a prompt asks about, so that it is told rather than the beginning. It is on the prompt
path, so the terms of every sentence are in the index already."""

from __future__ import annotations

from limpet.ground.values import Value
from limpet.memory.index.database import SEPARATOR
from limpet.memory.model.entry import GOES_ON
from limpet.memory.search.prompt_words import is_usual

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable

    from limpet.memory.model.entry import Card
    from limpet.memory.search.prompt_words import PromptWord

# Words that a sentence has in common with a prompt that asks about it; an identifier is as much alone.
LEAST = 2


class EntryPassage(Value):
    """The sentences of an entry in their order; ``at``: the number of the one that is asked about, -1 where the prompt
    singles out none."""

    sentences: tuple[str, ...]
    at: int = -1

    @property
    def asked(self) -> str:
        """The sentence, "" for none."""
        return self.sentences[self.at] if self.at >= 0 else ""

    def around(self, fits: Callable[[str], bool]) -> str:
        """Return the sentence with as many to either side as fit, after an ellipsis where it is not the beginning."""
        first, last, is_growing = self.at, self.at + 1, True
        while is_growing:
            is_growing = False
            for before, after in ((0, 1), (1, 0)):
                longer = (max(0, first - before), min(last + after, len(self.sentences)))
                if longer != (first, last) and fits(self._part(*longer)):
                    (first, last), is_growing = longer, True
        return self._part(first, last)

    def _part(self, first: int, last: int) -> str:
        said = " ".join(self.sentences[first:last])
        return GOES_ON + said if first else said


def find_passages(connection: Connection, cards: list[Card], words: tuple[PromptWord, ...]) -> dict[str, EntryPassage]:
    """Return id -> passage for the cards that say more than their titles."""
    if not cards:
        return {}
    sql = f"""SELECT c.id, c.excerpt, p.sentences, p.terms FROM cards c JOIN passages p USING (serial)
        WHERE c.path IN ({", ".join("?" * len(cards))})"""
    asked = [word for word in words if not is_usual(word.terms[0])]
    found: dict[str, EntryPassage] = {}
    for name, excerpt, text, terms in connection.execute(sql, [card.path for card in cards]):
        sentences = tuple(text.split(SEPARATOR))
        found[name] = EntryPassage(sentences=sentences, at=_closest(sentences, terms.split(SEPARATOR), asked, excerpt))
    return found


def _closest(sentences: tuple[str, ...], terms: list[str], asked: list[PromptWord], excerpt: str) -> int:
    """What few of the sentences say tells more than what all of them do; of equal ones what leads the excerpt is told
    anyway."""
    worth, shared = [0.0] * len(terms), [0] * len(terms)
    for word in asked:
        held = _holding(terms, word)
        for at in held:
            worth[at] += 1 / len(held)
            shared[at] += LEAST if word.identifier else 1
    most = max(worth)
    best = [at for at, value in enumerate(worth) if value == most and shared[at] >= LEAST]
    return next((at for at in best if excerpt.startswith(sentences[at])), best[0]) if best else -1


def _holding(terms: list[str], word: PromptWord) -> list[int]:
    """The numbers of the lines that hold the word whole, or where none does, a part of it."""
    for names in ((word.whole,), word.terms):
        signs = [f" {name} " for name in names if name]
        held = [at for at, line in enumerate(terms) if any(sign in line for sign in signs)]
        if held:
            return held
    return []
