"""Memories as lines of the block: what each is, where it comes from, and its words as a quotation, within tokens."""

from __future__ import annotations

from holdfast.context.block import render_line
from holdfast.ground.clock import iso
from holdfast.ground.text.escaping import clip
from holdfast.ground.text.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.memory.model.card import Card

# A line may take this share of a level's tokens, so that one long entry leaves room for others; where it has few
# others, its even share.
WIDEST = 0.45
# Characters of a statement on a line of its own, and of one with the sentence after its title.
LONGEST, SHORT = 320, 160
ENDS = (".", "!", "?", ":")
# Letters of an id's last part that tell it from all others.
NAME = 8
# More tokens than any line takes.
UNCUT = 1_000_000
# What is cut keeps so many characters, or goes.
SHORTEST = 40


def describe(card: Card, level: str, tokens: int, brief: bool = False, asked: tuple[str, ...] = ()) -> str:
    """Return an entry on one line of at most ``tokens``: what it is and where it comes from, then its words as a
    quotation; ``brief`` leaves type, date and confidence out. Of a list's entry the sentence stands there that holds
    most of the terms ``asked``."""
    if level in ("relevant", "metadata"):
        return _list(card, level, tokens, asked)
    name, about = _name(card), _origin(card, brief)
    origin = f"{name} ({about}): " if about else f"{name}: "
    if card.flags:
        return f"{origin}not quoted: reads like an instruction; see `holdfast memory show {name}`"
    title = _whole_title(card)
    return _fit(origin, _plain(title), _plain(_after(card, title)), tokens)


def describe_in(cards: list[Card], level: str, tokens: int, asked: tuple[str, ...] = ()) -> tuple[tuple[str, str], ...]:
    """Return a line each within ``tokens`` for all, every line whole: in the place of one that is too long for what is
    left comes the next. Only the first is cut rather than lost."""
    entries: list[tuple[str, str]] = []
    left = tokens
    for card in cards:
        line = describe(card, level, 0 if entries else tokens, asked=asked)
        cost = _cost(line)
        if cost <= left:
            entries.append((card.id, line))
            left -= cost
    return tuple(entries)


def describe_together(cards: list[Card], level: str, tokens: int) -> tuple[tuple[str, str], ...]:
    """Return a line each within ``tokens`` for all: every title first, then of the substance, in their order, what
    fits. Where the titles are too much, types, dates and confidence go, then those entries that are too long for what
    is left; a title is cut only alone."""
    titles, brief = _titles_in(cards, level, tokens)
    most = max(int(tokens * WIDEST), tokens // max(1, len(titles)))
    spare = tokens - sum(cost for _, _, cost in titles)
    entries: list[tuple[str, str]] = []
    for card, title, least in titles:
        line = describe(card, level, min(max(most, least), least + spare), brief)
        more = _cost(line) - least
        entries.append((card.id, line if more <= spare else title))
        spare -= max(0, more) if more <= spare else 0
    return tuple(entries)


def cost_of(entries: tuple[tuple[str, str], ...]) -> int:
    """Return the tokens of these lines, (id, line) each, as the block quotes them."""
    return sum(_cost(line) for _, line in entries)


def _titles_in(cards: list[Card], level: str, tokens: int) -> tuple[list[tuple[Card, str, int]], bool]:
    """Return (card, line, cost) of those that fit without their substance, and whether in brief."""
    for brief in (False, True):
        titles = [_title(card, level, UNCUT, brief) for card in cards]
        if sum(cost for _, _, cost in titles) <= tokens:
            return titles, brief
    fitting: list[tuple[Card, str, int]] = []
    left = tokens
    for title in titles:
        if title[2] <= left:
            fitting.append(title)
            left -= title[2]
    return fitting or [_title(card, level, tokens, brief=True) for card in cards[:1]], True


def _title(card: Card, level: str, tokens: int, brief: bool) -> tuple[Card, str, int]:
    """Return the card, its line without substance, and what that costs."""
    bare = card.replace(title=_whole_title(card), excerpt="")
    line = describe(bare, level, tokens, brief)
    return card, line, _cost(line)


def _list(card: Card, level: str, tokens: int, asked: tuple[str, ...]) -> str:
    """Return the card in short. Without ``tokens`` nothing is shortened."""
    name = _name(card)
    stale = ", stale" if card.stale else ""
    about = f" ({card.type}, {iso(card.created)[:10]}, {card.confidence:g}{stale})" if level == "metadata" else ""
    about = about or (" (stale)" if stale else "")
    if card.flags:
        return f"{name}: (not quoted: reads like an instruction){about}"
    words = _telling(card, asked)
    line = f"{name}: {words}{about}"
    while tokens and (cost := _cost(line)) > tokens and len(words) > SHORTEST:
        words = _shorten(words, len(line) * (cost - tokens) // cost)
        line = f"{name}: {words}{about}"
    return line


def _telling(card: Card, asked: tuple[str, ...]) -> str:
    """Return the statement, and after it the sentence of the entry that says most of what was asked, if another does.

    A message is one entry, and its title one sentence of it: what a prompt is about may stand in another.
    """
    words = _statement(card)
    begun = words.casefold()
    wanted = [term for term in asked if term not in begun]
    best, most = "", 0
    for sentence in _sentences(card.excerpt):
        folded = sentence.casefold()
        held = sum(term in folded for term in wanted)
        if held > most and folded not in begun:
            best, most = sentence, held
    return f"{words} ... {clip(best, LONGEST)}" if best else words


def _sentences(text: str) -> list[str]:
    """Return the sentences of a text on one line, roughly: at each full stop, question or exclamation mark."""
    return text.replace("! ", "!\n").replace("? ", "?\n").replace(". ", ".\n").split("\n")


def _statement(card: Card) -> str:
    """Return the title, and the sentence that it is the beginning of or that follows it, where that is short."""
    title = _whole_title(card)
    more = _after(card, title)
    end = more.find(". ")
    sentence = more if end < 0 else more[: end + 1]
    if not sentence or len(title) + len(sentence) > SHORT:
        return title
    return f"{title}{'' if title.endswith(ENDS) else '.'} {sentence}"


def _whole_title(card: Card) -> str:
    """Return the title, or the sentence of the substance that it is the beginning of."""
    cut = card.title.removesuffix("...")
    at = card.excerpt.find(cut) if cut != card.title else -1
    if at < 0:
        return clip(card.title, LONGEST)
    end = card.excerpt.find(". ", at + len(cut))
    return clip(card.excerpt[at:] if end < 0 else card.excerpt[at : end + 1], LONGEST)


def _fit(origin: str, title: str, more: str, tokens: int) -> str:
    """Return the line within ``tokens``: of what is too long the end of the substance goes, then that of the title."""
    line = _quote(origin, title, more)
    while (cost := _cost(line)) > tokens and (more or len(title) > SHORTEST):
        surplus = len(line) * (cost - tokens) // cost
        if more:
            more = _shorten(more, surplus) if len(more) > SHORTEST else ""
        else:
            title = _shorten(title, surplus)
        line = _quote(origin, title, more)
    return line


def _quote(origin: str, title: str, more: str) -> str:
    """Return all words of the entry in one pair of quotation marks, so that none of them looks like ours."""
    stop = "" if not more or title.endswith(ENDS) else "."
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


def _after(card: Card, title: str) -> str:
    """Return the excerpt less the title at its beginning: captured words are their own title."""
    return card.excerpt.removeprefix(title).lstrip(" .!;:,")


def _name(card: Card) -> str:
    """Return the part of the id that the commands take as well: a whole one costs as much as several words."""
    end = card.id.rpartition("-")[2]
    return end if len(end) >= NAME else card.id


def _origin(card: Card, brief: bool) -> str:
    who = f"shared by {card.author}" if card.author else f"by {card.agent}" if card.agent else ""
    parts = (who,) if brief else (card.type, who, iso(card.created)[:10], f"{card.confidence:g}")
    return ", ".join(part for part in (*parts, "stale: files it cites changed" if card.stale else "") if part)
