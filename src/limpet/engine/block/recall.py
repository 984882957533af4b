"""Chooses the memories that a block tells of (decisions 6, 61 and 66): at the beginning all that the person wants
always, a list of titles chosen by the request, and whole statements where the prompt is surely about them.

It is on the prompt path, so it reads the index only, never an entry, and opens that only where something may be found.
"""

from __future__ import annotations

import os

from limpet.context.layers.work import LISTED, MARK, WISHED, told_whole
from limpet.context.usage import memory_level
from limpet.context.values import Memory
from limpet.engine.block.quoting import WIDEST, describe_in, describe_memory, distinct, list_titles, plain_words
from limpet.engine.recovery import continuation_file, has_continuation, lines_left
from limpet.ground.values import Value
from limpet.memory.model.entry import Query
from limpet.memory.model.layout import CURRENT, KNOWLEDGE, Reader, has_entries, memories, owners, personal_home
from limpet.work.session import EPOCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable
    from typing import Any

    from limpet.context.values import Result, Wishes
    from limpet.engine.event_context import EventContext
    from limpet.memory.model.entry import Card
    from limpet.memory.personal import Find
    from limpet.memory.search.prompt_words import PromptWord

    Look = Callable[[Find, Query], list[Card]]

# Where an epoch notes that what opens it is out, and the tokens that it has for wishes which found no room yet.
OPENED, WAITING = "memories", "wishes"
# Tokens below which no more of these are looked for: a long line's.
LEAST_WISHES = 100
POINTER = "full"
# Levels at which a memory is a line; at the others it is its substance.
LINES = ("relevant", "metadata")
# Words below which a prompt is about nothing.
FEW = 2
# Characters of a title by which its words are known in what goes on.
SAME = 60
# Titles of the active agent's own memories that an epoch is told whatever it asks for.
OWN = 5
# What the database says once its progress handler stops it.
INTERRUPTED = "interrupted"
# Pages that the database keeps at hand: more make the process larger, and the search no quicker.
PAGES = 64
UNOPENED = "memories: the index cannot be opened and is being rebuilt"
UNREAD = "memories: not all files have been read yet (limpet memory upkeep)"
UNKEPT = "memories: the index cannot be opened (limpet doctor)"


class Recalled(Value):
    """What the request gets: standing wishes, memories and a list of titles, if any, and a note where they could not be
    read, or not all."""

    wishes: Wishes | None = None
    memory: Memory | None = None
    contents: tuple[tuple[str, str], ...] = ()
    note: str = ""


def recall(context: EventContext, bracket: str, executor: str, opening: bool) -> Recalled:
    """Return the memories for this event. Raises nothing: memory that fails costs a note."""
    settings = context.mirror.settings
    wanted = memory_level(bracket, executor, settings["context"])
    if not settings["context"]["executors"].get(executor, {"memory": True})["memory"]:
        return Recalled()
    try:
        return _recall(context, wanted, executor, _tokens_of_wishes(context, bracket, wanted, opening))
    except Exception as error:
        late = str(error) == INTERRUPTED
        what = "took too long" if late else f"cannot be read: {type(error).__name__} (limpet memory upkeep --rebuild)"
        return Recalled(note=f"memories {what}")


def opens(context: EventContext, starting: bool) -> bool:
    """Return whether this event's block opens an epoch: a start does, but for a fork, whose parent's words hold them; a
    prompt only where no start was told."""
    return context.event.source != "fork" if starting else not context.session[EPOCH].get(OPENED)


def ids_shown(result: Result) -> tuple[str, ...]:
    """Return the ids of the memories whose statements the block shows."""
    choices = [choice for choice in result.choices if choice.piece.layer == "memory" and choice.lines]
    marks = [mark for choice in choices for mark in choice.piece.marks[: len(choice.lines)] if mark != MARK + POINTER]
    return tuple(dict.fromkeys(mark.partition(" ")[2] for mark in marks if mark.startswith((MARK, WISHED))))


def owners_of(context: EventContext) -> tuple[str, ...] | None:
    """Return whose memories this conversation may see: the active agent's and what is shared."""
    return owners(Reader(agent=context.in_force.agent))


def told_in_epoch(context: EventContext) -> frozenset[str]:
    """Return the ids of the memories that this epoch was shown: each comes once (decision 6)."""
    return told_whole(context.session[EPOCH].get("sent", ()))


def listed_in_epoch(context: EventContext) -> frozenset[str]:
    """Return the ids of the memories whose titles this epoch was told."""
    sent = context.session[EPOCH].get("sent", ())
    return frozenset(key.removeprefix(LISTED) for key in sent if key.startswith(LISTED))


def opened(epoch: dict[str, Any], result: Result) -> dict[str, Any]:
    """Return the epoch in which the block opened it, with the tokens that are left for wishes that found no room."""
    kept = {key: value for key, value in epoch.items() if key != WAITING}
    for choice in result.choices:
        if choice.piece.worth and len(choice.lines) < len(choice.piece.lines):
            left = choice.piece.most - choice.tokens
            kept[WAITING] = left if left >= LEAST_WISHES else 0
    return {**kept, OPENED: True}


def _tokens_of_wishes(context: EventContext, bracket: str, level: str, opening: bool) -> int:
    """Return the tokens for standing wishes: those of the bracket where the event opens an epoch, else what the block
    before had no room for."""
    epoch = context.session[EPOCH]
    if level == "full" and epoch.get(OPENED):
        return 0
    if WAITING in epoch:
        return int(epoch[WAITING])
    return int(context.mirror.settings["memory"]["wishes"][bracket]) if opening else 0


def _recall(context: EventContext, level: str, executor: str, tokens: int) -> Recalled:
    has_own = has_entries(context.workspace.shared)
    if not has_own and (context.workspace.stranger or not os.path.isdir(memories(personal_home()))):
        return Recalled()
    words = _words_of_request(context, level)
    if not (tokens or words or level == "full"):
        return Recalled()
    if level == "full" and not tokens:
        return Recalled(memory=_pointer(context))
    from limpet.memory.index.reading import open_index, read_unread

    index = open_index(context.workspace.shared) if has_own else None
    if has_own and index is None:
        return Recalled(note=_remake(context))
    # A query is given up once the layer's time is over.
    end = context.clock.timer() + context.mirror.settings["context"]["allowances_ms"]["memory"] / 1000

    def is_late() -> bool:
        late: bool = context.clock.timer() > end
        return late

    told = plain_words(" ".join(lines_left(context)))

    def look(find: Find, query: Query) -> list[Card]:
        found = _find_all(context, index, find, query, is_late)
        return (
            [card for card in found if plain_words(card.title.removesuffix("..."))[:SAME] not in told]
            if told
            else found
        )

    try:
        if index is not None:
            index.execute(f"PRAGMA cache_size = {PAGES}")
            index.set_progress_handler(is_late, 2000)
        note = UNREAD if index is not None and read_unread(index) else ""
        query = _query(context, executor)
        found = _find_sure(context, look, query, level, words)
        wishes, others, left = _find_wishes(context, look, query, tokens, found)
        memory = _tell(context, level, found, others, left)
        contents = _list(context, look, query, words, wishes, memory)
        if memory or contents:
            from limpet.engine.block.quoting import name_shortly

            memory, contents = name_shortly(look, query, memory, contents)
        return Recalled(wishes=wishes, memory=memory, contents=contents, note=note)
    finally:
        if index is not None:
            index.close()


def _find_all(
    context: EventContext, index: Connection | None, find: Find, query: Query, is_late: Callable[[], bool]
) -> list[Card]:
    from limpet.memory.personal import personal_cards

    found = find(index, query) if index is not None else []
    if context.workspace.stranger or query.tag:
        return found
    return [*found, *personal_cards(query, find, is_late)]


def _words_of_request(context: EventContext, level: str) -> tuple[PromptWord, ...]:
    request = _request_of(context)
    if level in ("none", "full") or len(request.split(None, FEW)) < FEW or _spoke_with_memory(context):
        return ()
    from limpet.memory.search.prompt_words import is_about_something, read_prompt_words

    words = read_prompt_words(request)
    return words if is_about_something(request, words) else ()


def _request_of(context: EventContext) -> str:
    if context.event.source != "compact":
        return context.event.prompt
    return " ".join(lines_left(context))


def _remake(context: EventContext) -> str:
    """Have the index made anew by a second process, where it can be kept; return the note."""
    if not os.access(context.workspace.cache, os.W_OK):
        return UNKEPT
    if context.is_sent:
        from limpet.engine.worker import start_job

        start_job(context.workspace, "refresh", {"now": context.clock.now(), "session": context.event.session})
    return UNOPENED


def _spoke_with_memory(context: EventContext) -> bool:
    """Return whether the prompt is for the memory itself, whose answer the block holds already."""
    if not context.typed:
        return False
    from limpet.rules.format.star_commands import MEMORY_COMMANDS

    return any(typed.name in MEMORY_COMMANDS for typed in context.typed)


def _query(context: EventContext, executor: str) -> Query:
    tag = f"clone:{context.in_force.agent}" if executor == "clone" else ""
    return Query(owners=owners_of(context), tag=tag, now=context.clock.now())


def _pointer(context: EventContext) -> Memory | None:
    """In CRITICAL the memories stand in the continuation file; the block says where, once it is written."""
    if not has_continuation(context):
        return None
    line = f"memories in full: .limpet/continuation/{continuation_file(context)}"
    return Memory(tokens=60, entries=((POINTER, line),))


def _find_sure(
    context: EventContext, look: Look, query: Query, level: str, words: tuple[PromptWord, ...]
) -> list[Card]:
    prompt = context.event.prompt
    if not (words and prompt):
        return []
    from limpet.memory.search.gate import sure
    from limpet.memory.search.prompt_words import is_about_something, may_earn, read_prompt_words, typed_part

    settings, typed, known = context.mirror.settings["memory"], typed_part(prompt), told_in_epoch(context)
    said = words if typed == prompt else read_prompt_words(typed)
    if not is_about_something(typed, said):
        return []
    enough = may_earn(typed, said, settings["gate"]["words"])
    limited = query.replace(limit=settings["shown"][level])
    return look(lambda index, asked: sure(index, asked, said, settings, known, enough), limited)


def _find_wishes(
    context: EventContext, look: Look, query: Query, tokens: int, found: list[Card]
) -> tuple[Wishes | None, list[Card], int]:
    """Return what ended or changed of what the epoch was told, with the person's wishes where there are ``tokens`` for
    them; the wishes that others wrote down, and the tokens left for these. ``found`` is told as statements."""
    told = told_in_epoch(context)
    if not (told or tokens):
        return None, [], 0
    from limpet.engine.block.wishes import find_changes, find_wishes

    changes = find_changes(context, look, query) if told else None
    if not tokens:
        return changes, [], 0
    own, others, left = find_wishes(context, look, query, tokens, told | {card.id for card in found})
    if changes and own:
        before_all = (float("inf"),) * len(changes.entries)
        own = own.replace(entries=(*changes.entries, *own.entries), worth=(*before_all, *own.worth))
    return own or changes, others, left


def _tell(context: EventContext, level: str, found: list[Card], others: list[Card], left: int) -> Memory | None:
    """Return the statements: what the prompt is about at the bracket's level, and the wishes that ``others`` wrote
    down within the tokens that are ``left`` for them."""
    settings = context.mirror.settings["memory"]
    shown, most = int(settings["shown"].get(level, 0)), int(settings["tokens"].get(level, 0))
    cards = distinct(found)[:shown]
    if level in LINES:
        entries = describe_in(cards, level, most)
    else:
        entries = tuple((card.id, describe_memory(card, level, int(most * WIDEST))) for card in cards)
    if others:
        more = distinct(others, tuple(card.title for card in cards))
        entries = (*entries, *describe_in(more, "relevant", left))
        cards, most = [*cards, *more], most + left
    if not entries:
        return None
    titles = tuple((card.id, card.title) for card in cards if card.id in dict(entries) and not card.flags)
    return Memory(tokens=most, entries=entries, opening=bool(others), titles=titles)


def _list(
    context: EventContext,
    look: Look,
    query: Query,
    words: tuple[PromptWord, ...],
    wishes: Wishes | None,
    memory: Memory | None,
) -> tuple[tuple[str, str], ...]:
    """Return titles that were not told yet, of memories and of the knowledge: with the first request of an epoch those
    near it, then memories of most attention; with a later one that says enough only those near; with any the first few
    of the active agent's own, which may have been chosen since. A sub-agent's request is told to nobody: for it those
    of most attention."""
    settings, listed = context.mirror.settings["memory"], listed_in_epoch(context)
    which = "more" if listed else "first"
    if not (words or context.subagent):
        return ()
    from limpet.memory.search.gate import near
    from limpet.memory.search.prompt_words import may_earn

    known = listed | told_in_epoch(context)
    known |= {key for told in (wishes, memory) if told for key, _ in told.titles}
    asked, agent = query.replace(limit=settings["contents"]["shown"][which]), context.in_force.agent
    found: list[Card] = []
    if not listed or may_earn(_request_of(context), words, settings["contents"]["words"]):
        states = (CURRENT, KNOWLEDGE)
        close = look(
            lambda index, narrowed: near(index, narrowed.replace(states=states), words, settings, known), asked
        )
        least = context.mirror.settings["learning"]["briefing_confidence"]
        found += [card for card in close if card.state != KNOWLEDGE or card.confidence >= least]
    more = _find_hottest(context, look, asked.replace(owners=(agent,)))[:OWN] if agent else []
    if not listed and len(found) < asked.limit:
        more += _find_hottest(context, look, asked)
    found += [card for card in more if card.id not in known and not card.flags]
    shown = tuple(title for told in (wishes, memory) if told for _, title in told.titles)
    return list_titles(distinct(found, shown)[: asked.limit], settings["contents"]["tokens"][which])


def _find_hottest(context: EventContext, look: Look, query: Query) -> list[Card]:
    from limpet.memory.index.reading import hottest

    settings, agent = context.mirror.settings["memory"], context.in_force.agent
    return look(
        lambda index, asked: [hit.card for hit in hottest(index, asked, agent, settings, 2 * asked.limit)], query
    )
