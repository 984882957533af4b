"""Chooses the memories that a block quotes (decision 6): those that the prompt's own words earn, at the bracket's
level, and those that open an epoch: what the person wants always, and the hot ones.

It is on the prompt path, so it reads the index only, never an entry, and opens that only where something may be found.
"""

from __future__ import annotations

import os

from holdfast.context.brackets import memory_level
from holdfast.context.layers.memory import MARK
from holdfast.context.values import Memory
from holdfast.engine.block.quoting import WIDEST, cost_of, describe, describe_in, describe_together
from holdfast.engine.block.recovery import continuation_file, has_continuation, lines_left
from holdfast.engine.block.sameness import apart, plain, standing
from holdfast.ground.values import Value
from holdfast.memory.model.access import Reader, owners
from holdfast.memory.model.card import Query
from holdfast.memory.model.layout import memories, personal_home
from holdfast.work.session import EPOCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable
    from typing import Any

    from holdfast.context.values import Result
    from holdfast.engine.event_context import EventContext
    from holdfast.memory.model.card import Card, Hit
    from holdfast.memory.personal import Find
    from holdfast.memory.search.prompt_words import Word

    Look = Callable[[Find, Query], list[Card]]

# Where an epoch notes that its opening memories are out.
OPENED = "memories"
POINTER = "full"
# Levels at which a memory is a line; at the others it is its substance.
LISTED = ("relevant", "metadata")
# Hot entries that are weighed for each that opens an epoch.
WEIGHED = 4
# Entries of the conversation that are looked at for what its continuation says.
OWN = 40
# What the database says once its progress handler stops it.
INTERRUPTED = "interrupted"
# Pages that the database keeps at hand: more make the process larger, and the search no quicker.
PAGES = 64
UNOPENED = "memories: the index cannot be opened and is being rebuilt"
UNREAD = "memories: not all files have been read yet (holdfast memory upkeep)"
UNKEPT = "memories: the index cannot be opened (holdfast doctor)"


class Recalled(Value):
    """What the request gets: the memories, if any, and a note where they could not be read, or not all."""

    memory: Memory | None = None
    note: str = ""


def recall(context: EventContext, bracket: str, executor: str, opening: bool) -> Recalled:
    """Return the memories for this event. Raises nothing: memory that fails costs a note."""
    settings = context.mirror.settings
    wanted = memory_level(bracket, executor, settings["context"])
    if not settings["context"]["executors"].get(executor, {"memory": True})["memory"]:
        return Recalled()
    try:
        return _recall(context, wanted, executor, opening)
    except Exception as error:
        late = str(error) == INTERRUPTED
        what = "took too long" if late else f"cannot be read: {type(error).__name__} (holdfast memory upkeep --rebuild)"
        return Recalled(note=f"memories {what}")


def opens(context: EventContext, starting: bool) -> bool:
    """Return whether this event's block opens an epoch: a start does, but for a fork, whose parent's words hold them; a
    prompt only where no start was told."""
    return context.event.source != "fork" if starting else not context.session[EPOCH].get(OPENED)


def ids_shown(result: Result) -> tuple[str, ...]:
    """Return the ids of the memories that the block shows."""
    choices = [choice for choice in result.choices if choice.piece.layer == "memory" and choice.lines]
    marks = [mark for choice in choices for mark in choice.piece.marks[: len(choice.lines)]]
    return tuple(dict.fromkeys(mark.removeprefix(MARK) for mark in marks if mark != MARK + POINTER))


def owners_of(context: EventContext) -> tuple[str, ...] | None:
    """Return whose memories this conversation may see: the active agent's and what is shared."""
    return owners(Reader(agent=context.in_force.agent))


def _recall(context: EventContext, level: str, executor: str, opening: bool) -> Recalled:
    has_own = os.path.isdir(memories(context.workspace.shared))
    if not has_own and (context.workspace.stranger or not os.path.isdir(memories(personal_home()))):
        return Recalled()
    words = _earning_words(context, level)
    if not (opening or words or level == "full"):
        return Recalled()
    from holdfast.memory.index.reading import open_index, read_unread

    index = open_index(context.workspace.shared) if has_own else None
    if has_own and index is None:
        return Recalled(note=_remake(context))
    # A query is given up once the layer's time is over.
    end = context.clock.timer() + context.mirror.settings["context"]["allowances_ms"]["memory"] / 1000

    def is_late() -> bool:
        late: bool = context.clock.timer() > end
        return late

    try:
        if index is not None:
            index.execute(f"PRAGMA cache_size = {PAGES}")
            index.set_progress_handler(is_late, 2000)

        def look(find: Find, query: Query) -> list[Card]:
            return _find_all(context, index, find, query, is_late)

        note = UNREAD if index is not None and read_unread(index) else ""
        if opening and not (level == "full" and context.session[EPOCH].get(OPENED)):
            return Recalled(_opening(context, look, level, executor, words), note)
        found = _pointer(context) if level == "full" else _called(context, look, level, executor, words)
        return Recalled(found, note)
    finally:
        if index is not None:
            index.close()


def _find_all(
    context: EventContext, index: Connection | None, find: Find, query: Query, is_late: Callable[[], bool]
) -> list[Card]:
    """Return what is found among the project's memories, then among the person's own for all projects."""
    from holdfast.memory.personal import personal_cards

    found = find(index, query) if index is not None else []
    if context.workspace.stranger or query.tag:
        return found
    settings = context.mirror.settings["memory"]
    return [*found, *personal_cards("", query.limit, settings, query.now, find=find, is_late=is_late)]


def _earning_words(context: EventContext, level: str) -> tuple[Word, ...]:
    """Return the words of a prompt that may earn memories, () where it cannot: then no index is opened for it."""
    prompt, least = context.event.prompt, context.mirror.settings["memory"]["gate"]["words"]
    if level in ("none", "full") or len(prompt.split(None, least)) < min(2, least) or _spoke_with_memory(context):
        return ()
    from holdfast.memory.search.prompt_words import may_earn, read_words

    words = read_words(prompt)
    return words if may_earn(prompt, words, least) else ()


def _remake(context: EventContext) -> str:
    """Have the index made anew by a second process, where it can be kept; return the note."""
    if not os.access(context.workspace.cache, os.W_OK):
        return UNKEPT
    if context.is_sent:
        from holdfast.engine.worker import start_job

        start_job(context.workspace, "refresh", {"now": context.clock.now(), "session": context.event.session})
    return UNOPENED


def _spoke_with_memory(context: EventContext) -> bool:
    """Return whether the prompt is for the memory itself, whose answer the block holds already."""
    if not context.typed:
        return False
    from holdfast.rules.format.star_commands import MEMORY_COMMANDS

    return any(typed.name in MEMORY_COMMANDS for typed in context.typed)


def _opening(context: EventContext, look: Look, level: str, executor: str, words: tuple[Word, ...]) -> Memory | None:
    """Return what the prompt's words earn, if there is a prompt, then what the person wants always, then the hot
    entries, those first that somebody stated; without what the continuation says already."""
    from holdfast.memory.index.reading import get_cards, hottest
    from holdfast.memory.search.gate import is_concluded
    from holdfast.memory.search.preferences import preferences

    settings, agent = context.mirror.settings["memory"], context.in_force.agent
    found = _earn(context, look, level, executor, words)
    called = _memory(level, found, settings, words)
    most, told = settings["shown"]["hot"], _told(context)

    def find_preferences(index: Connection, query: Query) -> list[Card]:
        return preferences(index, query, agent, settings)

    def find_hot(index: Connection, query: Query) -> list[Card]:
        hits = hottest(index, query, agent, settings, most * WEIGHED)
        return [hit.card for hit in hits if _is_hot(hit, settings)]

    def find_own(index: Connection, query: Query) -> list[Card]:
        return get_cards(index, query.replace(session=context.event.session, digests=False, limit=OWN))

    asked, known = _query(context, executor), _sent(context)
    hot = [*look(find_preferences, asked), *sorted(look(find_hot, asked), key=is_concluded)]
    hot = [card for card in hot if card.id not in known]
    own = look(find_own, asked) if told else []
    entries = called.entries if called else ()
    shown = [card for card in found if card.id in dict(entries)]
    fresh = apart(hot, told, shown)[:most]
    tokens = settings["tokens"]["hot"]
    opened = describe_together(fresh, "chunks", tokens - cost_of(entries))
    alike = standing([*found, *hot, *own], told, [*shown, *(card for card in fresh if card.id in dict(opened))])
    if not entries and not opened and not alike:
        return None
    tokens = max(tokens, called.tokens if called else 0)
    entries = (*entries, *opened)
    titles = _titles([*found, *fresh], entries)
    return Memory(level="chunks", tokens=tokens, entries=entries, opening=True, standing=alike, titles=titles)


def _told(context: EventContext) -> str:
    """Return what the block says of where a conversation stood, "" where it says nothing of that."""
    return plain(" ".join(lines_left(context)))


def _sent(context: EventContext) -> frozenset[str]:
    """Return the ids of the memories that this epoch was shown: each comes once (decision 6)."""
    sent = context.session[EPOCH].get("sent", {})
    return frozenset(mark.removeprefix(MARK) for mark in sent if mark.startswith(MARK))


def _is_hot(hit: Hit, settings: dict[str, Any]) -> bool:
    """Return whether the entry's tier is hot: that is by the best of all who may read it (decision 20), while the
    order is by what the sector is to the active agent."""
    from holdfast.memory.model.sectors import best_relevance

    card = hit.card
    best = best_relevance(card.sector, card.owner, settings)
    return hit.relevance > 0 and hit.attention / hit.relevance * best > float(settings["hot_above"])


def _called(context: EventContext, look: Look, level: str, executor: str, words: tuple[Word, ...]) -> Memory | None:
    """Return what the prompt's words earn."""
    found = _earn(context, look, level, executor, words)
    return _memory(level, found, context.mirror.settings["memory"], words)


def _earn(context: EventContext, look: Look, level: str, executor: str, words: tuple[Word, ...]) -> list[Card]:
    if not words:
        return []
    from holdfast.memory.index.wishes import name_practices
    from holdfast.memory.search.gate import earned

    settings, sent = context.mirror.settings["memory"], _sent(context)
    named = name_practices(term for word in words for term in word.terms)

    def find_earned(index: Connection, query: Query) -> list[Card]:
        found = earned(index, query, words, settings, sent)
        if not named:
            return found
        from holdfast.memory.search.preferences import called_preferences

        return [*found, *called_preferences(index, query, named, {*sent, *(card.id for card in found)})]

    return look(find_earned, _query(context, executor).replace(limit=settings["shown"][level]))


def _query(context: EventContext, executor: str) -> Query:
    """Return a query for what the conversation may see; a clone sees what was recorded of the one whom it plays."""
    tag = f"clone:{context.in_force.agent}" if executor == "clone" else ""
    return Query(owners=owners_of(context), tag=tag, now=context.clock.now())


def _pointer(context: EventContext) -> Memory | None:
    """In CRITICAL the memories stand in the continuation file; the block says where, once it is written."""
    if not has_continuation(context):
        return None
    line = f"memories in full: .holdfast/continuation/{continuation_file(context)}"
    return Memory(level="full", tokens=60, entries=((POINTER, line),))


def _memory(level: str, found: list[Card], settings: dict[str, Any], words: tuple[Word, ...]) -> Memory | None:
    """Return as many of what was found as the level shows; of several with one title the first, which stands for the
    others."""
    first: dict[str, Card] = {}
    for card in found:
        first.setdefault(plain(card.title) or card.id, card)
    cards = list(first.values())[: settings["shown"].get(level)]
    tokens = settings["tokens"].get(level, 0)
    if level in LISTED:
        asked = tuple(dict.fromkeys(term for word in words for term in word.terms))
        entries = describe_in(cards, level, tokens, asked)
    else:
        entries = tuple((card.id, describe(card, level, int(tokens * WIDEST))) for card in cards)
    shown = [card for card in cards if card.id in dict(entries)]
    alike = standing(found, "", shown)
    titles = _titles(cards, entries)
    return Memory(level=level, tokens=tokens, entries=entries, standing=alike, titles=titles) if entries else None


def _titles(cards: list[Card], entries: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Return (id, title) of the entries, without the words of what reads like an instruction."""
    shown = dict(entries)
    return tuple((card.id, card.title) for card in cards if card.id in shown and not card.flags)
