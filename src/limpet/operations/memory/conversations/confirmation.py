"""Memories that a conversation was shown and then used: it cites them, or works on what they name (decision 20).

Separate from ``capture``, which finds what is new; this confirms what was known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from limpet.memory.catalogue import EVERYTHING
from limpet.memory.library import Library
from limpet.memory.model.card import Card, Query
from limpet.memory.model.evidence import APPLIED
from limpet.memory.search.prompt_words import read_words
from limpet.transcripts.messages import Message

WHY = "Cited, or followed by work on its files"
# Letters of an id by which the block and the commands call an entry.
NAME = 8


def confirm_shown(library: Library, messages: Sequence[Message]) -> None:
    """Record a confirmation of each entry that the conversation was shown and used in these messages, after that."""
    shown = library.shown_in(library.session) if messages else {}
    if not shown:
        return
    cards = library.list(Query(limit=EVERYTHING, now=library.clock.now())).cards
    used = [card.id for card in cards if card.id in shown and _is_used(card, _after(messages, shown[card.id]))]
    if used:
        library.confirm(used, WHY, APPLIED)


def _after(messages: Iterable[Message], at: float) -> list[Message]:
    """Return the messages that came once the entry was shown; times of logs are whole seconds."""
    return [message for message in messages if message.at >= int(at)]


def _is_used(card: Card, messages: Sequence[Message]) -> bool:
    name = card.id[-NAME:]
    if any(message.role == "assistant" and name in message.text for message in messages):
        return True
    named = _identifiers(f"{card.title} {card.excerpt}")
    return bool(named) and any(named & _touched(message) for message in messages if message.role == "tool")


def _touched(message: Message) -> set[str]:
    given = message.tool_input
    return _identifiers(f"{message.edited} {given.get('file_path', '')} {given.get('command', '')}")


def _identifiers(text: str) -> set[str]:
    """Return the identifiers and file names in the text, as the index knows them."""
    return {word.whole for word in read_words(text) if word.identifier}
