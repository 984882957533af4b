"""Star-commands that remember, recall and forget. What reads goes to the index from here; what writes is done by a
second process, because the hook has neither YAML nor the time."""

from __future__ import annotations

from limpet.context.values import AS_DATA
from limpet.engine.block.quoting import describe
from limpet.engine.block.recall import INTERRUPTED, owners_of
from limpet.engine.commands.opening import NOT_FIRST, TELL, opens_prompt, safe_words
from limpet.engine.event_context import PREVIEW
from limpet.engine.worker import run_job
from limpet.memory.model.card import Query

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.engine.event_context import EventContext
    from limpet.rules.format.star_commands import Command

READING = ("recall", "memories")
WRITING = {"remember": "what to remember", "forget": "the id of a memory", "gotcha": "what to watch out for"}
SHOWN = 8
# Steps of the database between two looks at the time.
LOOKS = 2000
QUOTED = f"{TELL[:-1]} ({AS_DATA}):"
NOTHING_KEPT = "No memories yet. To add one: *remember TEXT, or `limpet memory add`."
UNREAD = "Search timed out. Run `limpet memory search`, which has no time limit."
LATE = "Timed out. To see whether it was saved, run `limpet memory list --limit 3`."


def act_on_memory(context: EventContext, command: Command) -> tuple[EventContext, tuple[str, ...]]:
    """Return the context as it is, and the command's answer for the block."""
    if command.name in READING:
        return context, (QUOTED, *_read(context, command))
    if not command.words:
        return context, (f"Say *{command.name} and {WRITING[command.name]}.",)
    if not opens_prompt(context.event.prompt, command.name, command.words):
        return context, (TELL, NOT_FIRST)
    if context.event.host == PREVIEW:
        return context, (TELL, f"Would {command.name}: {safe_words(context, ' '.join(command.words))}")
    return context, (TELL, *_write(context, command))


def _write(context: EventContext, command: Command) -> tuple[str, ...]:
    given = {
        "command": command.name,
        "text": " ".join(command.words),
        "session": context.event.session,
        "now": context.clock.now(),
    }
    answer = run_job(context.workspace, "command", given, context.patience("command_deadline"))
    if answer is None:
        return (LATE,)
    return tuple(str(line) for line in answer.get("lines", ()))


def _read(context: EventContext, command: Command) -> tuple[str, ...]:
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
    from limpet.memory.search.search import search

    settings = context.mirror.settings["memory"]
    query = Query(text=text, owners=owners_of(context), limit=SHOWN, now=context.clock.now())
    hits = search(index, query, settings)
    most = settings["tokens"]["chunks"]
    return tuple(describe(hit.card, "chunks", most) for hit in hits) or (
        f"No memories match {safe_words(context, text)!r}.",
    )


def _overview(context: EventContext, index: Any) -> tuple[str, ...]:
    from limpet.memory.index.reading import get_cards

    query = Query(owners=owners_of(context), limit=SHOWN, now=context.clock.now())
    cards = get_cards(index, query)
    return tuple(describe(card, "metadata", 0) for card in cards) or (NOTHING_KEPT,)
