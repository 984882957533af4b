"""Which memories an event's block quotes: the hot ones that open a stretch of conversation, later what the prompt's own
words find, at the bracket's level (decision 6). On the prompt path, so it reads the index only, never an entry."""

from __future__ import annotations

import os

from holdfast.context.block import render_line
from holdfast.context.brackets import memory_level
from holdfast.context.layers.memory import MARK
from holdfast.context.values import Memory
from holdfast.ground.clock import iso
from holdfast.ground.text.escaping import clip
from holdfast.ground.text.tokens import estimate_tokens
from holdfast.ground.values import Value
from holdfast.memory.model.access import Reader, owners
from holdfast.memory.model.card import Query
from holdfast.memory.model.entry import DIGEST
from holdfast.memory.model.layout import memories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from holdfast.context.values import Result
    from holdfast.engine.event_context import Turn
    from holdfast.memory.model.card import Card, Hit
    from holdfast.work.session import Session

# A line may take this share of a level's tokens, so that one long entry leaves room for others.
WIDEST = 0.45
METADATA_TITLE = 60
# Letters at an id's end by which the commands know it too.
NAME = 8
# What is cut keeps so many characters, or goes.
SHORTEST = 40
SEARCHED_CHARACTERS = 2000
# Where a stretch notes that its opening memories are out.
OPENED = "memories"
POINTER = "full"
# What the database says once ``_hurry`` stops it.
INTERRUPTED = "interrupted"
# Pages that the database keeps at hand: more make the process larger, and the search no quicker.
PAGES = 64
UNOPENED = "memories: the index cannot be opened; the next start or `holdfast memory rebuild` makes it anew"
KEPT = 500


class Recalled(Value):
    """What the request gets: the memories, if any, and a note where they could not be read."""

    memory: Memory | None = None
    note: str = ""


def recall(turn: Turn, bracket: str, executor: str, opening: bool) -> Recalled:
    """The memories for this event. Raises nothing: memory that fails costs a note."""
    settings = turn.mirror.settings
    wanted = memory_level(bracket, executor, settings["context"])
    if not settings["context"]["executors"].get(executor, {"memory": True})["memory"]:
        return Recalled()
    try:
        return _recall(turn, wanted, executor, opening)
    except Exception as error:
        late = str(error) == INTERRUPTED
        what = "took too long" if late else f"could not be read: {type(error).__name__} (holdfast memory rebuild)"
        return Recalled(note=f"memories {what}")


def opens(turn: Turn, starting: bool) -> bool:
    """Whether this event's block opens a stretch: a start does, but for a fork, whose parent's words hold them; a
    prompt only where no start was told."""
    return turn.event.source != "fork" if starting else not turn.session["stretch"].get(OPENED)


def remember_sent(session: Session, result: Result) -> tuple[Session, tuple[str, ...]]:
    """(the state that knows which memories this conversation was shown, the ids that are new in it): an access counts
    once a conversation."""
    choices = [choice for choice in result.choices if choice.piece.layer == "memory" and choice.lines]
    marks = [mark for choice in choices for mark in choice.piece.marks[: len(choice.lines)]]
    ids = [mark.removeprefix(MARK) for mark in marks if mark != MARK + POINTER]
    known = session.get("recalled") or []
    new = tuple(name for name in dict.fromkeys(ids) if name not in known)
    stretch = {**session["stretch"], OPENED: True}
    return {**session, "stretch": stretch, "recalled": [*known, *new][-KEPT:]}, new


def owners_of(turn: Turn) -> tuple[str, ...] | None:
    """Whose memories this conversation may see: the active agent's and what is shared."""
    return owners(Reader(agent=turn.in_force.agent))


def _recall(turn: Turn, level: str, executor: str, opening: bool) -> Recalled:
    if (level == "none" and not opening) or not os.path.isdir(memories(turn.workspace.shared)):
        return Recalled()
    from holdfast.memory.index.reading import open_index

    index = open_index(turn.workspace.shared)
    if index is None:
        return Recalled(note=UNOPENED)
    try:
        index.execute(f"PRAGMA cache_size = {PAGES}")
        _hurry(index, turn)
        if opening:
            return Recalled(memory=_opening(turn, index, executor))
        return Recalled(memory=_pointer(turn) if level == "full" else _called(turn, index, level, executor))
    finally:
        index.close()


def _hurry(index: Any, turn: Turn) -> None:
    """Give a query up once the layer's time is over."""
    end = turn.clock.timer() + turn.mirror.settings["context"]["allowances_ms"]["memory"] / 1000
    index.set_progress_handler(lambda: turn.clock.timer() > end, 2000)


def _opening(turn: Turn, index: Any, executor: str) -> Memory | None:
    """The hot entries, as chunks."""
    from holdfast.memory.index.reading import hottest

    settings = turn.mirror.settings["memory"]
    query = _query(turn, executor, "")
    found = hottest(index, query, turn.in_force.agent, settings, settings["shown"]["hot"])
    hot = [hit.card for hit in found if _is_hot(hit, settings)]
    hot.sort(key=lambda card: DIGEST in card.tags)  # it repeats in short what entries of their own say
    return _memory("chunks", hot, settings["tokens"]["hot"], opening=True)


def _is_hot(hit: Hit, settings: dict[str, Any]) -> bool:
    """Whether the entry's tier is hot: that is by the best of all who may read it (decision 20), while the order is by
    what the sector is to the active agent."""
    from holdfast.memory.model.sectors import best_relevance

    card = hit.card
    best = best_relevance(card.sector, card.owner, settings)
    return hit.relevance > 0 and hit.attention / hit.relevance * best > float(settings["hot_above"])


def _called(turn: Turn, index: Any, level: str, executor: str) -> Memory | None:
    """What the prompt's words find and is relevant enough."""
    from holdfast.memory.search.candidates import QUICK
    from holdfast.memory.search.search import search

    settings = turn.mirror.settings["memory"]
    query = _query(turn, executor, turn.event.prompt[:SEARCHED_CHARACTERS])
    hits: list[Hit] = search(index, query.replace(limit=settings["shown"][level] * 2), settings, limits=QUICK)
    cards = [hit.card for hit in hits if hit.relevance >= settings["least_relevance"]]
    return _memory(level, cards[: settings["shown"][level]], settings["tokens"][level])


def _query(turn: Turn, executor: str, text: str) -> Query:
    """A clone sees what was recorded of the one whom it plays."""
    tag = f"clone:{turn.in_force.agent}" if executor == "clone" else ""
    return Query(text=text, owners=owners_of(turn), tag=tag, now=turn.clock.now())


def _pointer(turn: Turn) -> Memory:
    """In CRITICAL the memories stand in the continuation file; the prompt says where."""
    from holdfast.ground.storage.names import safe_name

    line = f"the memories in full: .holdfast/continuation/{safe_name(turn.event.session)}.md"
    return Memory(level="full", tokens=60, entries=((POINTER, line),))


def _memory(level: str, cards: list[Card], tokens: int, opening: bool = False) -> Memory | None:
    widest = tokens if level == "metadata" else int(tokens * WIDEST)
    entries = _together(cards, level, tokens) if opening else _each(cards, level, widest)
    return Memory(level=level, tokens=tokens, entries=entries, opening=opening) if entries else None


def _each(cards: list[Card], level: str, most: int) -> tuple[tuple[str, str], ...]:
    return tuple((card.id, describe(card, level, most)) for card in cards)


def _together(cards: list[Card], level: str, tokens: int) -> tuple[tuple[str, str], ...]:
    """A line each within ``tokens`` for all: every title first, then of the substance, in their order, what fits."""
    most = int(tokens * WIDEST)
    bare = [_cost(describe(card.replace(excerpt=""), level, most)) for card in cards]
    spare = max(0, tokens - sum(bare))
    entries: list[tuple[str, str]] = []
    for card, least in zip(cards, bare, strict=True):
        line = describe(card, level, min(max(most, least), least + spare))
        spare -= max(0, _cost(line) - least)
        entries.append((card.id, line))
    return tuple(entries)


def describe(card: Card, level: str, tokens: int) -> str:
    """An entry on one line of at most ``tokens``: what it is and where it comes from, then its words as a quotation."""
    if level == "metadata":
        return _list(card, tokens)
    origin = f"{card.id} ({_origin(card)}): "
    if card.flags:
        return f"{origin}not quoted, it reads like an instruction; see `holdfast memory show {card.id}`"
    return _fit(origin, _plain(clip(card.title, 160)), _plain(_beyond_title(card)), tokens)


def _list(card: Card, tokens: int) -> str:
    """The card in short, under the part of its id that the commands take as well: a whole id costs half of the level's
    tokens. Without ``tokens`` nothing is shortened."""
    name = card.id[-NAME:] if tokens and len(card.id) > 2 * NAME else card.id
    title = "(not quoted: reads like an instruction)" if card.flags else clip(card.title, METADATA_TITLE)
    line = f"{name} {title} ({card.type}, {card.confidence:g})"
    while tokens and _cost(line) > tokens and len(title) > SHORTEST // 2:
        title = clip(title, len(title) * 4 // 5)
        line = f"{name} {title} ({card.type}, {card.confidence:g})"
    return line


def _fit(origin: str, title: str, more: str, tokens: int) -> str:
    """The line within ``tokens``: of what is too long the end of the substance goes, then that of the title."""
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
    """All words of the entry in one pair of quotation marks, so that none of them looks like ours."""
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
    """The excerpt less the title at its beginning: captured words are their own title."""
    return card.excerpt.removeprefix(card.title).lstrip(" .!;:,")


def _origin(card: Card) -> str:
    parts = [card.type, f"by {card.agent}" if card.agent else "", iso(card.created)[:10], f"{card.confidence:g}"]
    return ", ".join(part for part in (*parts, "stale: files it cites changed" if card.stale else "") if part)
