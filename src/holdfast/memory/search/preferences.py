"""What a person wants always: the corrections that open a session, those first that hold for most.

Separate from ``gate``, which goes by the words of a prompt: a preference holds for prompts that share none with it
("run the type checker" wants "everything goes through uv run").
"""

from __future__ import annotations

from holdfast.ground.text.words import fold, split_words
from holdfast.memory.index.reading import hottest
from holdfast.memory.model.entry import CAPTURED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from typing import Any

    from holdfast.memory.model.card import Card, Query

PREFERENCE = "user_correction"
# Corrections of most attention that are read: of more than these the others are as good as forgotten.
READ = 100
# Words that make a statement one for all times or for all things, in en, pt, es and fr, without their accents.
_GENERAL_TEXT = """
after all always any before default each ever every everybody everyone everything everywhere instead
must never only prefer unless until whenever without
antes apenas cada depois deve devem jamais nunca prefira qualquer quaisquer sem sempre somente toda todas todo
todos tudo
cualquier debe deben despues jamas prefiere siempre sin solo
apres avant chaque doit doivent jamais prefere sans seulement toujours tous tout toute toutes uniquement
"""
GENERAL = frozenset(_GENERAL_TEXT.split())


def preferences(connection: Connection, query: Query, agent: str, settings: dict[str, Any]) -> list[Card]:
    """Return the cards of what a person wants always, the most general first, then those of most attention.

    What was heard in talk is one only where a word says that it holds for more than the moment; what was recorded as a
    correction is one as it stands. How warm an entry is decides their order alone: a wish does not end by being kept.
    What reads like an order to a machine is none, since its words are not quoted.
    """
    hits = hottest(connection, query.replace(type=PREFERENCE), agent, settings, READ)
    weighed = [(generality(hit.card.title, hit.card.excerpt), hit.card) for hit in hits if not hit.card.flags]
    kept = [(general, card) for general, card in weighed if general or not card.source.startswith(CAPTURED)]
    return [card for _, card in sorted(kept, key=lambda each: -each[0])]


def generality(title: str, text: str) -> int:
    """Return how many different words of the entry make it one for all times or for all things."""
    return len(GENERAL.intersection(split_words(fold(f"{title} {text}"))))
