"""Chooses the memories that a block tells of (decisions 6 and 61): a list of titles chosen by the request, whole
statements where the prompt is surely about them, and at the beginning what the person wants always.

It is on the prompt path, so it reads the index only, never an entry, and opens that only where something may be found.
"""

from __future__ import annotations

import os

from holdfast.context.brackets import memory_level
from holdfast.context.layers.memory import LISTED, MARK
from holdfast.context.values import Memory
from holdfast.engine.block.quoting import WIDEST, describe, describe_in, list_titles
from holdfast.engine.block.recovery import continuation_file, has_continuation, lines_left
from holdfast.ground.values import Value
from holdfast.memory.model.access import Reader, owners
from holdfast.memory.model.card import Query
from holdfast.memory.model.layout import CURRENT, KNOWLEDGE, has_entries, memories, personal_home
from holdfast.work.session import EPOCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable

    from holdfast.context.values import Result
    from holdfast.engine.event_context import EventContext
    from holdfast.memory.model.card import Card
    from holdfast.memory.personal import Find
    from holdfast.memory.search.prompt_words import Word

    Look = Callable[[Find, Query], list[Card]]

# Where an epoch notes that what opens it is out.
OPENED = "memories"
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
UNREAD = "memories: not all files have been read yet (holdfast memory upkeep)"
UNKEPT = "memories: the index cannot be opened (holdfast doctor)"


class Recalled(Value):
    """What the request gets: memories and a list of titles, if any, and a note where they could not be read, or not
    all."""

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
    """Return the ids of the memories whose statements the block shows."""
    choices = [choice for choice in result.choices if choice.piece.layer == "memory" and choice.lines]
    marks = [mark for choice in choices for mark in choice.piece.marks[: len(choice.lines)] if mark.startswith(MARK)]
    return tuple(dict.fromkeys(mark.removeprefix(MARK) for mark in marks if mark != MARK + POINTER))


def owners_of(context: EventContext) -> tuple[str, ...] | None:
    """Return whose memories this conversation may see: the active agent's and what is shared."""
    return owners(Reader(agent=context.in_force.agent))


def sent_in_epoch(context: EventContext, mark: str = MARK) -> frozenset[str]:
    """Return the ids of the memories that this epoch was shown, or with ``LISTED`` whose titles it was told: each comes
    once (decision 6)."""
    sent = context.session[EPOCH].get("sent", {})
    return frozenset(key.removeprefix(mark) for key in sent if key.startswith(mark))


def _recall(context: EventContext, level: str, executor: str, opening: bool) -> Recalled:
    has_own = has_entries(context.workspace.shared)
    if not has_own and (context.workspace.stranger or not os.path.isdir(memories(personal_home()))):
        return Recalled()
    wishes_due = opening and not (level == "full" and context.session[EPOCH].get(OPENED))
    words = _words_of_request(context, level)
    if not (wishes_due or words or level == "full"):
        return Recalled()
    if level == "full" and not wishes_due:
        return Recalled(_pointer(context))
    from holdfast.memory.index.reading import open_index, read_unread

    index = open_index(context.workspace.shared) if has_own else None
    if has_own and index is None:
        return Recalled(note=_remake(context))
    # A query is given up once the layer's time is over.
    end = context.clock.timer() + context.mirror.settings["context"]["allowances_ms"]["memory"] / 1000

    def is_late() -> bool:
        late: bool = context.clock.timer() > end
        return late

    told = _plain(" ".join(lines_left(context)))

    def look(find: Find, query: Query) -> list[Card]:
        found = _find_all(context, index, find, query, is_late)
        return [card for card in found if _plain(card.title.removesuffix("..."))[:SAME] not in told] if told else found

    try:
        if index is not None:
            index.execute(f"PRAGMA cache_size = {PAGES}")
            index.set_progress_handler(is_late, 2000)
        note = UNREAD if index is not None and read_unread(index) else ""
        query = _query(context, executor)
        found = _find_sure(context, look, query, level, words)
        memory = _tell(context, look, query, level, found, wishes_due)
        return Recalled(memory, _list(context, look, query, words, memory), note)
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
    return [*found, *personal_cards(query, find, is_late)]


def _words_of_request(context: EventContext, level: str) -> tuple[Word, ...]:
    """Return the words of the request, () where they say too little: then no index is opened for them."""
    request = _request_of(context)
    if level in ("none", "full") or len(request.split(None, FEW)) < FEW or _spoke_with_memory(context):
        return ()
    from holdfast.memory.search.prompt_words import is_about_something, read_words

    words = read_words(request)
    return words if is_about_something(request, words) else ()


def _request_of(context: EventContext) -> str:
    """Return the prompt, or after a compaction in mid-turn what was under way."""
    if context.event.source != "compact":
        return context.event.prompt
    return " ".join(lines_left(context))


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


def _find_sure(context: EventContext, look: Look, query: Query, level: str, words: tuple[Word, ...]) -> list[Card]:
    """Return what the prompt is surely about, by what was typed of it."""
    prompt = context.event.prompt
    if not (words and prompt):
        return []
    from holdfast.memory.search.gate import sure
    from holdfast.memory.search.prompt_words import is_about_something, may_earn, read_words, typed_part

    settings, typed, known = context.mirror.settings["memory"], typed_part(prompt), sent_in_epoch(context)
    said = words if typed == prompt else read_words(typed)
    if not is_about_something(typed, said):
        return []
    enough = may_earn(typed, said, settings["gate"]["words"])
    limited = query.replace(limit=settings["shown"][level])
    return look(lambda index, asked: sure(index, asked, said, settings, known, enough), limited)


def _tell(
    context: EventContext, look: Look, query: Query, level: str, found: list[Card], wishes_due: bool
) -> Memory | None:
    """Return the statements: what the prompt is about at the bracket's level, and at the beginning what the person
    wants always."""
    settings = context.mirror.settings["memory"]
    shown, tokens = int(settings["shown"].get(level, 0)), int(settings["tokens"].get(level, 0))
    cards = _distinct(found)[:shown]
    if level in LINES:
        entries = describe_in(cards, level, tokens)
    else:
        entries = tuple((card.id, describe(card, level, int(tokens * WIDEST))) for card in cards)
    if wishes_due:
        told = sent_in_epoch(context) | dict(entries).keys()
        wishes = [card for card in _find_wishes(context, look, query) if card.id not in told]
        wishes = _distinct(wishes, tuple(card.title for card in cards))[: settings["shown"]["wishes"]]
        cards, tokens = [*cards, *wishes], tokens + settings["tokens"]["wishes"]
        entries = (*entries, *describe_in(wishes, "relevant", settings["tokens"]["wishes"]))
    if not entries:
        return None
    titles = tuple((card.id, card.title) for card in cards if card.id in dict(entries) and not card.flags)
    return Memory(level=level, tokens=tokens, entries=entries, opening=wishes_due, titles=titles)


def _find_wishes(context: EventContext, look: Look, query: Query) -> list[Card]:
    from holdfast.memory.search.preferences import preferences

    settings, agent = context.mirror.settings["memory"], context.in_force.agent
    return look(lambda index, asked: preferences(index, asked, agent, settings), query)


def _list(
    context: EventContext, look: Look, query: Query, words: tuple[Word, ...], memory: Memory | None
) -> tuple[tuple[str, str], ...]:
    """Return titles that were not told yet, of memories and of the knowledge: with the first request of an epoch those
    near it, then memories of most attention; with a later one that says enough only those near; with any the first few
    of the active agent's own, which may have been chosen since. A sub-agent's request is told to nobody: for it those
    of most attention."""
    settings, listed = context.mirror.settings["memory"], sent_in_epoch(context, LISTED)
    which = "more" if listed else "first"
    if not (words or context.subagent):
        return ()
    from holdfast.memory.search.gate import near
    from holdfast.memory.search.prompt_words import may_earn

    known = listed | sent_in_epoch(context) | (dict(memory.entries).keys() if memory else set())
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
    shown = tuple(dict(memory.titles).values()) if memory else ()
    return list_titles(_distinct(found, shown)[: asked.limit], settings["contents"]["tokens"][which])


def _find_hottest(context: EventContext, look: Look, query: Query) -> list[Card]:
    from holdfast.memory.index.reading import hottest

    settings, agent = context.mirror.settings["memory"], context.in_force.agent
    return look(
        lambda index, asked: [hit.card for hit in hottest(index, asked, agent, settings, 2 * asked.limit)], query
    )


def _distinct(cards: list[Card], titles: tuple[str, ...] = ()) -> list[Card]:
    """Return the cards without those whose title another one before them has, or one of ``titles`` is."""
    said = set(map(_plain, titles))
    first: dict[str, Card] = {}
    for card in cards:
        title = _plain(card.title) or card.id
        if title not in said:
            first.setdefault(title, card)
    return list(first.values())


def _plain(words: str) -> str:
    """Return the words in the form in which they are compared."""
    return " ".join(words.casefold().split()).rstrip(".")
