"""A passage of a conversation, and the passages into which a long message is divided. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.ground.text.escaping import clip
from holdfast.ground.values import Value
from holdfast.memory.index.terms import terms

# Characters of a passage that an excerpt shows.
SHOWN = 400
# Of them, those before the first word that was looked for.
LEAD = 120


class Passage(Value):
    """Words of a conversation, without secrets.

    ``session``: the conversation's id.
    ``role``: ``user`` or ``assistant``.
    ``at``: when they were said, in seconds since 1970, 0 where unknown.
    ``flagged``: whether they read like an instruction.
    """

    session: str
    role: str
    at: float
    text: str
    flagged: bool = False


def split_text(text: str, longest: int) -> Iterator[str]:
    """Yield the text in parts of at most ``longest`` characters, each of complete lines or words where it can be."""
    rest = text.strip()
    while len(rest) > longest:
        end = max(rest.rfind("\n", longest // 2, longest), 0) or max(rest.rfind(" ", longest // 2, longest), 0)
        yield rest[: end or longest].rstrip()
        rest = rest[end or longest :].lstrip()
    if rest:
        yield rest


def excerpt(text: str, asked: frozenset[str]) -> str:
    """Return the passage on one line, or of a long one the part around the first of the terms that it holds."""
    words = text.split()
    line = " ".join(words)
    if len(line) <= SHOWN:
        return line
    first = next((place for place, word in enumerate(words) if asked & set(terms(word))), 0)
    start = len(" ".join(words[:first])) - LEAD
    if start <= 0:
        return clip(line, SHOWN)
    return "..." + clip(line[line.index(" ", start) :].lstrip(), SHOWN)
