"""Chooses the memories that a block quotes, at the bracket's level (decision 6): the hot ones that open an epoch,
later what the prompt's own words find. It is on the prompt path, so it reads the index only, never an entry."""

from __future__ import annotations

import os

from holdfast.context.brackets import memory_level
from holdfast.context.layers.memory import MARK
from holdfast.context.values import Memory
from holdfast.engine.block.quoting import WIDEST, describe, describe_together
from holdfast.ground.values import Value
from holdfast.memory.model.access import Reader, owners
from holdfast.memory.model.card import Query
from holdfast.memory.model.entry import DIGEST
from holdfast.memory.model.layout import memories
from holdfast.work.session import EPOCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from holdfast.context.values import Result
    from holdfast.engine.event_context import EventContext
    from holdfast.memory.model.card import Card, Hit

SEARCHED_CHARACTERS = 2000
# Where an epoch notes that its opening memories are out.
OPENED = "memories"
POINTER = "full"
# What the database says once its progress handler stops it.
INTERRUPTED = "interrupted"
# Pages that the database keeps at hand: more make the process larger, and the search no quicker.
PAGES = 64
UNOPENED = "memories: the index cannot be opened, and is being made anew"
UNKEPT = "memories: the index cannot be opened (holdfast doctor)"


class Recalled(Value):
    """What the request gets: the memories, if any, and a note where they could not be read."""

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
        what = "took too long" if late else f"could not be read: {type(error).__name__} (holdfast memory rebuild)"
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
    if (level == "none" and not opening) or not os.path.isdir(memories(context.workspace.shared)):
        return Recalled()
    from holdfast.memory.index.reading import open_index

    index = open_index(context.workspace.shared)
    if index is None:
        return Recalled(note=_remake(context))
    try:
        index.execute(f"PRAGMA cache_size = {PAGES}")
        # A query is given up once the layer's time is over.
        end = context.clock.timer() + context.mirror.settings["context"]["allowances_ms"]["memory"] / 1000
        index.set_progress_handler(lambda: context.clock.timer() > end, 2000)
        if opening:
            return Recalled(memory=_opening(context, index, executor))
        return Recalled(memory=_pointer(context) if level == "full" else _called(context, index, level, executor))
    finally:
        index.close()


def _remake(context: EventContext) -> str:
    """Have the index made anew by a second process, where it can be kept; return the note."""
    if not os.access(context.workspace.cache, os.W_OK):
        return UNKEPT
    if context.is_sent:
        from holdfast.engine.worker import start_job

        start_job(context.workspace, "refresh", {"now": context.clock.now(), "session": context.event.session})
    return UNOPENED


def _opening(context: EventContext, index: Any, executor: str) -> Memory | None:
    """Return the hot entries, as chunks."""
    from holdfast.memory.index.reading import hottest

    settings = context.mirror.settings["memory"]
    query = _query(context, executor, "")
    found = hottest(index, query, context.in_force.agent, settings, settings["shown"]["hot"])
    hot = [hit.card for hit in found if _is_hot(hit, settings)]
    hot.sort(key=lambda card: DIGEST in card.tags)  # it repeats in short what entries of their own say
    return _memory("chunks", hot, settings["tokens"]["hot"], opening=True)


def _is_hot(hit: Hit, settings: dict[str, Any]) -> bool:
    """Return whether the entry's tier is hot: that is by the best of all who may read it (decision 20), while the
    order is by what the sector is to the active agent."""
    from holdfast.memory.model.sectors import best_relevance

    card = hit.card
    best = best_relevance(card.sector, card.owner, settings)
    return hit.relevance > 0 and hit.attention / hit.relevance * best > float(settings["hot_above"])


def _called(context: EventContext, index: Any, level: str, executor: str) -> Memory | None:
    """Return what the prompt's words find and is relevant enough."""
    from holdfast.memory.search.candidates import QUICK
    from holdfast.memory.search.search import search

    settings = context.mirror.settings["memory"]
    query = _query(context, executor, context.event.prompt[:SEARCHED_CHARACTERS])
    hits: list[Hit] = search(index, query.replace(limit=settings["shown"][level] * 2), settings, limits=QUICK)
    cards = [hit.card for hit in hits if hit.relevance >= settings["least_relevance"]]
    return _memory(level, cards[: settings["shown"][level]], settings["tokens"][level])


def _query(context: EventContext, executor: str, text: str) -> Query:
    """Return a clone sees what was recorded of the one whom it plays."""
    tag = f"clone:{context.in_force.agent}" if executor == "clone" else ""
    return Query(text=text, owners=owners_of(context), tag=tag, now=context.clock.now())


def _pointer(context: EventContext) -> Memory:
    """In CRITICAL the memories stand in the continuation file; the prompt says where."""
    from holdfast.ground.storage.names import safe_name

    line = f"the memories in full: .holdfast/continuation/{safe_name(context.event.session)}.md"
    return Memory(level="full", tokens=60, entries=((POINTER, line),))


def _memory(level: str, cards: list[Card], tokens: int, opening: bool = False) -> Memory | None:
    widest = tokens if level == "metadata" else int(tokens * WIDEST)
    if opening:
        entries = describe_together(cards, level, tokens)
    else:
        entries = tuple((card.id, describe(card, level, widest)) for card in cards)
    return Memory(level=level, tokens=tokens, entries=entries, opening=opening) if entries else None
