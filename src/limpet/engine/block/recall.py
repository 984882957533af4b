"""Chooses the memories that a block tells of (decisions 6, 61 and 66): at the beginning all that the person wants
always, a list of titles chosen by the request, and whole statements where the prompt is surely about them.

It is on the prompt path, so it reads the index only, never an entry, and opens that only where something may be found.
"""

from __future__ import annotations

import os

from limpet.context.usage import memory_level
from limpet.context.values import Memory, Wishes
from limpet.engine.block.quoting import (
    describe_in,
    distinct,
    list_titles,
    name_shortly,
    parts_of,
    unsaid,
)
from limpet.engine.block.told import (
    OPENED,
    POINTER,
    WISH_TOKENS,
    listed_in_epoch,
    parts_told,
    says_more,
    told_in_epoch,
    told_whole,
    waiting_in_epoch,
)
from limpet.engine.recovery import has_continuation, lines_left
from limpet.ground.late import Late, late_modules
from limpet.ground.text.words import has_words
from limpet.ground.values import Value
from limpet.memory.model.entry import UNREVIEWED, WISH, Card, Query, is_in_force
from limpet.memory.model.layout import CURRENT, KNOWLEDGE, Reader, has_entries, memories, owners, personal_home
from limpet.work.session import EPOCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable
    from typing import Any, Self

    from limpet.context.values import Task
    from limpet.engine import worker
    from limpet.engine.block import taught, wishes
    from limpet.engine.event_context import EventContext
    from limpet.memory import personal
    from limpet.memory.index import reading
    from limpet.memory.search import gate, passages, prompt_words
    from limpet.memory.search.passages import EntryPassage
    from limpet.memory.search.prompt_words import PromptWord

    Find = Callable[..., list[Card]]
    Lines = tuple[tuple[str, str], ...]
else:
    gate, passages, prompt_words = late_modules("limpet.memory.search", "gate passages prompt_words")
    personal = Late("limpet.memory.personal")
    reading = Late("limpet.memory.index.reading")
    taught, wishes = late_modules("limpet.engine.block", "taught wishes")
    worker = Late("limpet.engine.worker")

# Words below which a prompt is about nothing.
FEW = 2
# Titles of the active agent's own memories that an epoch is told whatever it asks for.
OWN = 5
# What the database says once its progress handler stops it, and its steps between two looks at the time.
INTERRUPTED, STEPS = "interrupted", 2000
# Pages that the database keeps at hand: more make the process larger, and the search no quicker.
PAGES = 64
UNOPENED = "memories: the index cannot be opened and is being rebuilt"
UNREAD = "memories: not all files have been read yet (limpet memory upkeep)"


class Recalled(Value):
    """What the request gets: standing wishes, memories and a list of titles, if any, and a note where they could not be
    read, or not all."""

    wishes: Wishes | None = None
    memory: Memory | None = None
    contents: Lines = ()
    note: str = ""


class Indexes:
    """The index of the project's memories, if there is one, and that of the person's own, asked as one until the
    layer's time is over."""

    def __init__(self, context: EventContext, index: Connection | None) -> None:
        self._index = index
        self._is_late = context.clock.alarm(context.mirror.settings["context"]["allowances_ms"]["memory"] / 1000)
        self._is_stranger = context.workspace.stranger
        self._reads = context.mirror.settings["memory"]["reads"]
        # What came of this very conversation its window holds, until that is compacted.
        self._here = "" if context.session["compactions"] or context.event.agent_id else context.event.session
        self.met_before: gate.Found = {}
        self.passages: dict[str, EntryPassage] = {}

    def __enter__(self) -> Self:
        if self._index is not None:
            self._index.execute(f"PRAGMA cache_size = {PAGES}")
            self._index.set_progress_handler(self._is_late, STEPS)
        return self

    def __exit__(self, *_: object) -> None:
        if self._index is not None:
            self._index.close()

    def ask(self, find: Find, query: Query, *given: object) -> list[Card]:
        """Return the cards that ``find`` finds in either by the query and what else it is given. Raise the database's
        error once the time is over."""

        def look(index: Connection, asked: Query) -> list[Card]:
            return find(index, asked, *given)

        found = [] if self._index is None else look(self._index, query)
        if not (self._is_stranger or query.tag):
            found = [*found, *personal.personal_cards(query, look, self._is_late)]
            found += personal.read_cards(self._reads, query, look, self._is_late) if self._reads else []
        if len(found) > 1:
            from limpet.memory.index.wishes import without_reversed

            found = without_reversed(found)
        return [card for card in found if card.session != self._here] if self._here else found


def recall(context: EventContext, bracket: str, executor: str, opening: bool, task: Task | None = None) -> Recalled:
    """Raises nothing: memory that fails costs a note. ``task``: what it tells of the knowledge is not listed too."""
    settings = context.mirror.settings["context"]
    if not settings["executors"].get(executor, {"memory": True})["memory"]:
        return Recalled()
    level = memory_level(bracket, executor, settings)
    try:
        return _recall(context, level, executor, _tokens_of_wishes(context, bracket, level, opening), task)
    except Exception as error:
        if str(error) == INTERRUPTED:
            return Recalled(note="memories took too long")
        return Recalled(note=f"memories cannot be read: {type(error).__name__} (limpet memory upkeep --rebuild)")


def owners_of(context: EventContext) -> tuple[str, ...] | None:
    return owners(Reader(agent=context.in_force.agent))


def _tokens_of_wishes(context: EventContext, bracket: str, level: str, opening: bool) -> int:
    epoch = context.session[EPOCH]
    if level == "full" and epoch.get(OPENED):
        return 0
    if WISH_TOKENS in epoch:
        return int(epoch[WISH_TOKENS])
    return int(context.mirror.settings["memory"]["wishes"][bracket]) if opening else 0


def _recall(context: EventContext, level: str, executor: str, tokens: int, task: Task | None) -> Recalled:
    shared = context.workspace.shared
    has_own = has_entries(context.workspace)
    if level == "full" and not tokens:
        return Recalled(memory=_pointer(context))
    has_others = context.mirror.settings["memory"]["reads"] or os.path.isdir(memories(personal_home()))
    if not has_own and (context.workspace.stranger or not has_others):
        return Recalled()
    words = _words_of_request(context, level)
    waiting = () if level == "none" else waiting_in_epoch(context)
    if not (tokens or words or waiting or level == "full"):
        return Recalled()
    index = reading.open_index(shared) if has_own else None
    if has_own and index is None:
        return Recalled(note=_remake(context))
    with Indexes(context, index) as indexes:
        note = UNREAD if index is not None and reading.read_unread(index) else ""
        tag = f"clone:{context.in_force.agent}" if executor == "clone" else ""
        query = Query(owners=owners_of(context), tag=tag, now=context.clock.now())
        sure = _find_sure(context, indexes, query, level, words)
        own, others, left = _find_wishes(context, indexes, query, tokens, sure)
        memory = _tell(context, level, indexes.passages, sure, others, left)
        told = dict(own.titles) if own else {}
        told.update(memory.titles if memory else ())
        contents = _list(context, indexes, query, words, waiting, told, task)
        if memory or contents:
            memory, contents = name_shortly(indexes.ask, query, memory, contents)
        return Recalled(wishes=own, memory=memory, contents=contents, note=note)


def _words_of_request(context: EventContext, level: str) -> tuple[PromptWord, ...]:
    request = _request_of(context)
    if level in ("none", "full") or not has_words(request, FEW) or _spoke_with_memory(context):
        return ()
    words = prompt_words.read_prompt_words(request)
    return words if prompt_words.is_about_something(request, words) else ()


def _request_of(context: EventContext) -> str:
    return " ".join(lines_left(context)) if context.event.source == "compact" else context.event.prompt


def _spoke_with_memory(context: EventContext) -> bool:
    if not context.typed:
        return False
    from limpet.rules.format.domain import MEMORY_COMMANDS

    return context.event.is_slash or any(typed.name in MEMORY_COMMANDS for typed in context.typed)


def _pointer(context: EventContext) -> Memory | None:
    """In CRITICAL the memories stand in the continuation; the block says how to read it, once it is written."""
    if not has_continuation(context):
        return None
    line = f"work and memories in full: limpet resume --full {context.event.session}"
    return Memory(tokens=60, entries=((POINTER, line),))


def _remake(context: EventContext) -> str:
    if not os.access(context.workspace.cache, os.W_OK):
        return "memories: the index cannot be opened (limpet doctor)"
    if context.is_sent:
        orders = {"now": context.clock.now(), "session": context.event.session}
        worker.start_job(context.workspace, "refresh", orders)
    return UNOPENED


def _find_sure(
    context: EventContext, indexes: Indexes, query: Query, level: str, words: tuple[PromptWord, ...]
) -> list[Card]:
    prompt, settings = context.event.prompt, context.mirror.settings["memory"]
    if not (words and prompt):
        return []
    typed = prompt_words.typed_part(prompt)
    said = words if typed == prompt else prompt_words.read_prompt_words(typed)
    if not prompt_words.is_about_something(typed, said):
        return []
    enough = prompt_words.may_earn(typed, said, settings["gate"]["words"])
    parts, shown = parts_told(context), settings["shown"][level]
    # What is found again may have nothing new to say, and takes nobody's place.
    limited = query.replace(limit=2 * shown if parts else shown)

    def find(index: Connection, asked: Query) -> list[Card]:
        found = gate.sure(index, asked, said, settings, told_whole(context), enough, indexes.met_before)
        indexes.passages.update(passages.find_passages(index, found, said))
        return found

    return [card for card in indexes.ask(find, limited) if says_more(card, indexes.passages.get(card.id), parts)]


def _find_wishes(
    context: EventContext, indexes: Indexes, query: Query, tokens: int, sure: list[Card]
) -> tuple[Wishes | None, list[Card], int]:
    """Return what ended or changed of what the epoch was told, with the person's wishes where there are ``tokens`` for
    them; the wishes that others wrote down, and the tokens left for these. ``sure`` is told as statements."""
    told = told_in_epoch(context)
    changes = wishes.find_changes(context, indexes.ask, query) if told else None
    if not tokens:
        return changes, [], 0
    own, others, left = wishes.find_wishes(context, indexes.ask, query, tokens, told | {card.id for card in sure})
    if changes and own:
        before_all = (float("inf"),) * len(changes.entries)
        own = own.replace(entries=(*changes.entries, *own.entries), worth=(*before_all, *own.worth))
    return own or changes, others, left


def _tell(
    context: EventContext, level: str, found: dict[str, EntryPassage], sure: list[Card], others: list[Card], left: int
) -> Memory | None:
    """``others``: wishes that others wrote down, told within the tokens that are ``left`` for them."""
    settings = context.mirror.settings["memory"]
    shown, most = int(settings["shown"].get(level, 0)), int(settings["tokens"].get(level, 0))
    cards = distinct(sure)[:shown]
    entries = describe_in(cards, level, most, found)
    if others:
        more = distinct(others, tuple(card.title for card in cards))
        entries = (*entries, *describe_in(more, "relevant", left))
        cards, most = [*cards, *more], most + left
    if not entries:
        return None
    titles = tuple((card.id, card.title) for card in cards if card.id in dict(entries) and not card.flags)
    parts = parts_of(cards, entries, found)
    return Memory(tokens=most, entries=entries, opening=bool(others), titles=titles, parts=parts)


def _list(
    context: EventContext,
    indexes: Indexes,
    query: Query,
    words: tuple[PromptWord, ...],
    waiting: tuple[str, ...],
    told: dict[str, str],
    task: Task | None,
) -> Lines:
    """List titles that were not told yet, of memories and of the knowledge: with the first request of an epoch those
    near it, then memories of most attention; with a later one that says enough only those near; with any the first few
    of the active agent's own, which may have been chosen since. A sub-agent's request is told to nobody: for it those
    of most attention. ``waiting``: ids of what an earlier list had no room for; ``told``: id -> title of what the block
    says anyway."""
    settings, listed, agent = context.mirror.settings["memory"], listed_in_epoch(context), context.in_force.agent
    if not (words or context.subagent or waiting):
        return ()
    which = "more" if listed else "first"
    known = {*listed, *told_in_epoch(context), *told}
    asked = query.replace(limit=settings["contents"]["shown"][which])
    found: list[Card] = []
    if words and (not listed or prompt_words.may_earn(_request_of(context), words, settings["contents"]["words"])):
        found += indexes.ask(_find_near, asked, words, settings, known, indexes.met_before)
    if waiting:
        cards = indexes.ask(reading.cards_of, query, waiting)
        waited = (card for card in cards if is_in_force(card, query.now) and card.id not in known)
        found += sorted(waited, key=lambda card: waiting.index(card.id))
    if any(card.state == KNOWLEDGE for card in found):
        found = taught.to_list(context, found, task)
    hottest: list[Card] = []
    if agent:
        hottest += indexes.ask(_find_hottest, asked.replace(owners=(agent,)), agent, settings)[:OWN]
    if not listed and len(found) < asked.limit:
        hottest += indexes.ask(_find_hottest, asked, agent, settings)
    found += [card for card in hottest if card.id not in known and not card.flags and UNREVIEWED not in card.tags]
    titles = distinct(unsaid(found, lines_left(context)), tuple(told.values()))[: asked.limit]
    titles.sort(key=lambda card: card.type != WISH)
    return list_titles(titles, _tokens_of_titles(context, which))


def _tokens_of_titles(context: EventContext, which: str) -> int:
    """At first what the epoch's beginning left of the bracket's budget, and three quarters of theirs in any case."""
    most, used = int(context.mirror.settings["memory"]["contents"]["tokens"][which]), context.session[EPOCH].get(OPENED)
    budgets, bracket = context.mirror.settings["context"]["budgets"], context.session.get("bracket")
    if which != "first" or not isinstance(used, int) or bracket not in budgets:
        return most
    return min(most, max(most * 3 // 4, int(budgets[bracket]) - used))


def _find_near(
    index: Connection,
    query: Query,
    words: tuple[PromptWord, ...],
    settings: dict[str, Any],
    known: set[str],
    met_before: gate.Found,
) -> list[Card]:
    return gate.near(index, query.replace(states=(CURRENT, KNOWLEDGE)), words, settings, known, met_before)


def _find_hottest(index: Connection, query: Query, agent: str, settings: dict[str, Any]) -> list[Card]:
    return [hit.card for hit in reading.hottest(index, query, agent, settings, 2 * query.limit)]
