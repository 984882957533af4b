"""Star-commands that remember, recall and forget. What reads goes to the index from here; what writes is done by a
second process, because the hook has neither YAML nor the time."""

from __future__ import annotations

from limpet.context.values import AS_DATA
from limpet.engine.block.quoting import describe_memory
from limpet.engine.block.recall import INTERRUPTED, owners_of
from limpet.engine.commands.agent import TELL, safe_words
from limpet.engine.event_context import PREVIEW, EventContext
from limpet.engine.worker import run_job
from limpet.ground.errors import LimpetError
from limpet.memory.model.entry import Query

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from limpet.operations.rules.transaction import Edit
    from limpet.rules.format.domain import StarCommand

    Answer = tuple[EventContext, tuple[str, ...]]

READING = ("recall", "memories")
WRITING = {"remember": "what to remember", "forget": "the id of a memory", "gotcha": "what to watch out for"}
SHOWN = 8
# Steps of the database between two looks at the time.
LOOKS = 2000
QUOTED = f"{TELL[:-1]} ({AS_DATA}):"
NOTHING_KEPT = "No memories yet. To add one: *remember TEXT, or `limpet memory add`."
UNREAD = "Search timed out. Run `limpet memory search`, which has no time limit."
LATE = "Timed out. To see whether it was saved, run `limpet memory list --limit 3`."
FIRST = 5


def act_on_memory(context: EventContext, command: StarCommand) -> tuple[EventContext, tuple[str, ...]]:
    if command.name in READING:
        return context, (QUOTED, *_read(context, command))
    if not command.words:
        return context, (
            TELL,
            f"Say *{command.name} and {WRITING[command.name]}.",
        )
    if context.event.host == PREVIEW:
        return context, (TELL, f"Would {command.name}: {safe_words(context, ' '.join(command.words))}")
    return context, (TELL, *_write(context, command))


def _write(context: EventContext, command: StarCommand) -> tuple[str, ...]:
    now, text = context.clock.now(), " ".join(command.words)
    given = {"command": command.name, "text": text, "session": context.event.session, "now": now}
    answer = run_job(context.workspace, "command", given, context.patience("command"))
    if answer is None:
        return (LATE,)
    return tuple(str(line) for line in answer.get("lines", ()))


def _read(context: EventContext, command: StarCommand) -> tuple[str, ...]:
    from limpet.memory.index.reading import open_index

    index = open_index(context.workspace.shared)
    if index is None:
        return (NOTHING_KEPT,)
    try:
        index.set_progress_handler(lambda: not context.clock.left(), LOOKS)
        text = " ".join(command.words)
        return _found(context, index, text) if command.name == "recall" and text else _overview(context, index)
    except Exception as error:
        if str(error) != INTERRUPTED:
            raise
        return (UNREAD,)
    finally:
        index.close()


def _found(context: EventContext, index: Any, text: str) -> tuple[str, ...]:
    from limpet.memory.search.passages import find_passages
    from limpet.memory.search.prompt_words import read_prompt_words
    from limpet.memory.search.search import search_entries

    settings = context.mirror.settings["memory"]
    query = Query(text=text, owners=owners_of(context), limit=SHOWN, now=context.clock.now())
    cards = [hit.card for hit in search_entries(index, query, settings)]
    passages = find_passages(index, cards, read_prompt_words(text))
    most = settings["tokens"]["chunks"] // 2
    lines = tuple(describe_memory(card, "chunks", most, passages.get(card.id)) for card in cards)
    return lines or (f"No memories match {safe_words(context, text)!r}.",)


def _overview(context: EventContext, index: Any) -> tuple[str, ...]:
    from limpet.memory.index.reading import get_cards

    query = Query(owners=owners_of(context), digests=False, limit=SHOWN, now=context.clock.now())
    cards = get_cards(index, query)
    return tuple(describe_memory(card, "metadata", 0) for card in cards) or (NOTHING_KEPT,)


def govern_rules(context: EventContext, words: tuple[str, ...]) -> Answer:
    """Carry out ``*limpet`` with these words; an edit is in force in this very prompt."""
    verb, given = words[0].lower(), words[1:]
    if verb in READING_RULES:
        return context, (TELL, *_told(context, lambda: READING_RULES[verb](context, given)))
    lines = _told(context, lambda: _edited(context, WRITING_RULES[verb](context, given)))
    return context.replace(session={**context.session, "reload": True}), (TELL, *lines)


def _told(context: EventContext, answer: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
    try:
        lines = answer()
    except (LimpetError, OSError) as error:
        lines = (f"Nothing was changed: {error}",)
    return tuple(safe_words(context, line) for line in lines)


def _edited(context: EventContext, edit: Edit) -> tuple[str, ...]:
    lines = list(edit.lines()) or ["nothing to change"]
    head = ["Would change:"] if _is_preview(context) else []
    return (*head, *lines, *map(str, edit.findings))


def _is_preview(context: EventContext) -> bool:
    return context.event.host == PREVIEW


def _create(context: EventContext, words: tuple[str, ...]) -> Edit:
    from limpet.operations.rules.edit import DomainPatch, add_domain

    name, *keywords = _need(words, 1, "*limpet create NAME word, word")
    listed = " ".join(keywords)
    recall = (listed,) if "," in listed else tuple(keywords)
    return add_domain(context.workspace, name, DomainPatch(recall=recall or None), dry_run=_is_preview(context))


def _add(context: EventContext, words: tuple[str, ...]) -> Edit:
    from limpet.operations.rules.edit import DomainPatch, edit_domain

    name, *rule = _need(words, 2, "*limpet add DOMAIN what the rule says")
    return edit_domain(context.workspace, name, DomainPatch(add_rules=(" ".join(rule),)), _is_preview(context))


def _edit(context: EventContext, words: tuple[str, ...]) -> Edit:
    from limpet.operations.rules.edit import DomainPatch, edit_domain

    name, which, *rule = _need(words, 3, "*limpet edit DOMAIN N new text of rule N")
    return edit_domain(context.workspace, name, DomainPatch(rules=((which, " ".join(rule)),)), _is_preview(context))


def _suggest(context: EventContext, words: tuple[str, ...]) -> tuple[str, ...]:
    from limpet.operations.rules.transaction import suggest_words

    name = _need(words, 1, "*limpet suggest DOMAIN")[0]
    found = [one.word for one in suggest_words(context.workspace, name)]
    if not found:
        return (f"No more keywords to suggest for {name.upper()}.",)
    return (
        f"Suggested keywords for {name.upper()}, from its rules: {', '.join(found)}",
        f'To add some: limpet rules edit {name} --add-recall "{found[0]}"',
    )


def _diagnose(context: EventContext, words: tuple[str, ...]) -> tuple[str, ...]:
    from limpet.engine.mistakes import diagnose

    return diagnose(context.workspace, context.mirror, context.clock, FIRST)


def _need(words: tuple[str, ...], least: int, form: str) -> tuple[str, ...]:
    if len(words) < least:
        raise LimpetError(f"Usage: {form}")
    return words


WRITING_RULES: dict[str, Callable[[EventContext, tuple[str, ...]], Edit]] = {
    "create": _create,
    "add": _add,
    "edit": _edit,
}
READING_RULES: dict[str, Callable[[EventContext, tuple[str, ...]], tuple[str, ...]]] = {
    "suggest": _suggest,
    "diagnose": _diagnose,
}
