"""Memories as lines of the block: what each is, where it comes from, and its words as a quotation, within tokens."""

from __future__ import annotations

from holdfast.context.block import render_line
from holdfast.ground.clock import iso
from holdfast.ground.text.escaping import clip
from holdfast.ground.text.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.memory.model.card import Card

# A line may take this share of a level's tokens, so that one long entry leaves room for others.
WIDEST = 0.45
METADATA_TITLE = 60
# Letters at an id's end by which the commands know it too.
NAME = 8
# What is cut keeps so many characters, or goes.
SHORTEST = 40


def describe(card: Card, level: str, tokens: int) -> str:
    """Return an entry on one line of at most ``tokens``: what it is and where it comes from, then its words as a
    quotation."""
    if level == "metadata":
        return _list(card, tokens)
    origin = f"{card.id} ({_origin(card)}): "
    if card.flags:
        return f"{origin}not quoted, it reads like an instruction; see `holdfast memory show {card.id}`"
    return _fit(origin, _plain(clip(card.title, 160)), _plain(_beyond_title(card)), tokens)


def describe_together(cards: list[Card], level: str, tokens: int) -> tuple[tuple[str, str], ...]:
    """Return a line each within ``tokens`` for all: every title first, then of the substance, in their order, what
    fits."""
    most = int(tokens * WIDEST)
    bare = [_cost(describe(card.replace(excerpt=""), level, most)) for card in cards]
    spare = max(0, tokens - sum(bare))
    entries: list[tuple[str, str]] = []
    for card, least in zip(cards, bare, strict=True):
        line = describe(card, level, min(max(most, least), least + spare))
        spare -= max(0, _cost(line) - least)
        entries.append((card.id, line))
    return tuple(entries)


def _list(card: Card, tokens: int) -> str:
    """Return the card in short, under the part of its id that the commands take as well: a whole id costs half of
    the level's tokens. Without ``tokens`` nothing is shortened."""
    name = card.id[-NAME:] if tokens and len(card.id) > 2 * NAME else card.id
    title = "(not quoted: reads like an instruction)" if card.flags else clip(card.title, METADATA_TITLE)
    line = f"{name} {title} ({card.type}, {card.confidence:g})"
    while tokens and _cost(line) > tokens and len(title) > SHORTEST // 2:
        title = clip(title, len(title) * 4 // 5)
        line = f"{name} {title} ({card.type}, {card.confidence:g})"
    return line


def _fit(origin: str, title: str, more: str, tokens: int) -> str:
    """Return the line within ``tokens``: of what is too long the end of the substance goes, then that of the title."""
    line = _quote(origin, title, more)
    while (cost := _cost(line)) > tokens and len(more + title) > SHORTEST:
        surplus = len(line) * (cost - tokens) // cost
        if more:
            more = _shorten(more, surplus) if len(more) > SHORTEST else ""
        else:
            title = _shorten(title, surplus)
        line = _quote(origin, title, more)
    return line


def _quote(origin: str, title: str, more: str) -> str:
    """Return all words of the entry in one pair of quotation marks, so that none of them looks like ours."""
    stop = "" if not more or title.endswith((".", "!", "?", ":")) else "."
    return f'{origin}"{f"{title}{stop} {more}".strip()}"'


def _plain(words: str) -> str:
    """Words in which no quotation ends."""
    return words.replace('"', "'")


def _shorten(text: str, surplus: int) -> str:
    """Without so many characters at its end, and not by less than a twentieth; what is left is no shorter than
    SHORTEST."""
    return clip(text, max(SHORTEST, len(text) - max(surplus, len(text) // 20 + 1)))


def _cost(line: str) -> int:
    """Tokens of the line as the block quotes it."""
    return estimate_tokens(render_line(("", line)))


def _beyond_title(card: Card) -> str:
    """Return the excerpt less the title at its beginning: captured words are their own title."""
    return card.excerpt.removeprefix(card.title).lstrip(" .!;:,")


def _origin(card: Card) -> str:
    who = f"shared by {card.author}" if card.author else f"by {card.agent}" if card.agent else ""
    parts = [card.type, who, iso(card.created)[:10], f"{card.confidence:g}"]
    return ", ".join(part for part in (*parts, "stale: files it cites changed" if card.stale else "") if part)
