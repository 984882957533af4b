"""What a full window calls for: the block says where the conversation stood and advises a fresh one, where the seeds'
criteria speak for it (decision 8); the continuation file is written (decision 6), and where the user switched that on
a fresh conversation is started; the next one is told what was left."""

from __future__ import annotations

import os

from limpet.context.usage import bracket_of
from limpet.engine.event_context import CONTINUES, EventContext
from limpet.ground.clock import iso
from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.digest import safe_name
from limpet.ground.storage.files import read_text
from limpet.ground.text.folding import fold
from limpet.work.conversation import has_mark
from limpet.work.recovery import advise, is_spawned, read_figures, should_spawn, tell_spawned
from limpet.work.session import DECIDED, change_session, read_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from limpet.context.values import Request, Task

ON = "on"
STARTING = "a new conversation is starting to continue this work ({}): do not start another"
# Characters of the prompt that choose the memories in the file.
SEARCHED_CHARACTERS = 2000
# A conversation that begins with an empty window.
NEW = ("startup", "clear")
TOKENS = 400
# Characters that tell one wish from another, and what stands behind an answer, folded.
SAME, ASKED = 60, " (asked: "
LEFT = "left by the previous conversation, as of {at}: continue from it if the user wants that work done"
ELSEWHERE = "another conversation already continues it: {join}"


def advice(context: EventContext) -> tuple[str, ...]:
    """The note for the block, none where nothing speaks for a fresh conversation, or this one may start none."""
    if is_spawned(os.environ):
        return ()
    spawned = context.session.get("spawned")
    if isinstance(spawned, dict):
        return (tell_spawned(spawned),)
    reasons = reasons_to_leave(context)
    if not reasons:
        return ()
    return (STARTING.format("; ".join(reasons)) if may_spawn(context) else advise(reasons),)


def says_it_starts(note: str) -> bool:
    return note.startswith(STARTING.partition("{")[0])


def lines_left(context: EventContext) -> tuple[str, ...]:
    """Where this conversation stood before a compaction, or the one that it takes over: with the first start or prompt
    after it, whichever the host has; none while a compaction is not known to have been made."""
    lines, marker = context.session.get("continuation"), context.session["marker"]
    waits = isinstance(marker, dict) and not marker.get("confirmed")
    if context.event.kind not in ("session_start", "prompt") or waits or not isinstance(lines, list):
        return ()
    return tuple(line for line in lines if isinstance(line, str))


def lines_beside(lines: tuple[str, ...], told: Iterable[str]) -> tuple[str, ...]:
    """Return the lines but those that only say, whole or cut, what one of the memories ``told`` says whole."""
    titles = [fold(title.removesuffix("...")).partition(ASKED)[0].rstrip(" .") for title in told]
    return tuple(line for line in lines if not any(title and _only_says(line, title) for title in titles))


def lines_beside_a_task(lines: tuple[str, ...], task: Task) -> tuple[str, ...]:
    """Return the lines without the one that only names the story which ``task`` tells."""
    named = f"{task.story}: {task.title} ("
    return tuple(line for line in lines if not (task.story and named in line and line.endswith(").")))


def continuation_file(context: EventContext) -> str:
    """Whether it is there or not."""
    return f"{safe_name(context.event.session)}.md"


def has_continuation(context: EventContext) -> bool:
    return os.path.isfile(context.workspace.kept("continuation", continuation_file(context)))


def may_spawn(context: EventContext) -> bool:
    return context.mirror.settings["recovery"]["spawn"] == ON and context.is_kept and not is_spawned(os.environ)


def reasons_to_leave(context: EventContext) -> tuple[str, ...]:
    limits = {name: value for name, value in context.mirror.settings["recovery"].items() if name != "spawn"}
    pending = context.mirror.work.get("handoff_pending") is True or (may_spawn(context) and _was_handed_over(context))
    return should_spawn(read_figures(context.session, last_score(context), pending), **limits)


def last_score(context: EventContext) -> float | None:
    """In percent."""
    agents = context.mirror.session.get("agents")
    record = agents.get(context.in_force.agent) if isinstance(agents, dict) else None
    score = record.get("score") if isinstance(record, dict) else None
    return score if isinstance(score, (int, float)) and not isinstance(score, bool) else None


def write_when_critical(context: EventContext) -> EventContext:
    """By a second process, where there is an occasion that was not one at the last prompt."""
    assert context.request is not None
    occasion = _occasion(context.request)
    if context.is_kept and occasion and context.session.get("continued") != occasion:
        from limpet.engine.steps.capture import orders_of
        from limpet.engine.worker import start_job

        text = context.event.prompt[:SEARCHED_CHARACTERS]
        start_job(context.workspace, "continuation", orders_of(context) | {"text": text})
    return context.with_session(continued=occasion)


def write_when_resumed(context: EventContext) -> EventContext:
    """Before the block points to the file; one that is there is brought up to date meanwhile."""
    assert context.usage is not None
    bracket = bracket_of(context.usage.remaining, context.mirror.settings["context"])
    if bracket == "CRITICAL" and context.event.source in CONTINUES and context.is_kept:
        from limpet.engine.steps.capture import orders_of
        from limpet.engine.worker import run_job, start_job

        if has_continuation(context):
            start_job(context.workspace, "continuation", orders_of(context))
        else:
            run_job(context.workspace, "continuation", orders_of(context), context.patience("capture"))
    return context


def spawn_when_due(context: EventContext) -> EventContext:
    """At most once a conversation, never by one that was spawned itself, and never in silence: the block says so."""
    begun = context.session.get("spawn_begun") or context.session.get("spawned")
    reasons = reasons_to_leave(context) if may_spawn(context) and not begun else ()
    if not reasons or context.request is None or not any(map(says_it_starts, context.request.notes)):
        return context
    from limpet.engine.worker import start_module

    start_module(context.workspace, "limpet.hosts.spawn", context.workspace.home, context.event.session, *reasons)
    return context.with_session(spawn_begun=iso(context.clock.now()))


def tell_what_was_left(context: EventContext) -> EventContext:
    """A spawned conversation has what the last one left in its first prompt, and a private one leaves nothing."""
    path = context.workspace.kept("continuation", "latest.md")
    if context.event.source not in NEW or not context.is_real or is_spawned(os.environ) or not os.path.isfile(path):
        return context
    from limpet.work.continuation import parse_continuation, summary_lines

    found = parse_continuation(read_text(path, STATE_BYTES) or "")
    state = read_state(context.workspace, found.session)
    taken, spawned = state.get("taken_over"), state.get("spawned")
    is_taken = isinstance(taken, dict) and str(taken.get("at") or "") >= found.at
    is_due = not is_taken and (state.get("bracket") == "CRITICAL" or isinstance(spawned, dict))
    if found.session == context.event.session or has_mark(found.session) or context.is_unattended or not is_due:
        return context
    join = str(spawned.get("join") or spawned.get("session") or "") if isinstance(spawned, dict) else ""
    lines = (
        LEFT.format(at=found.at),
        *((ELSEWHERE.format(join=join),) if join else ()),
        *summary_lines(found, TOKENS, f"limpet resume --full {found.session}"),
    )
    return context.with_session(continuation=list(lines), taking_over=found.session)


def note_taken_over(context: EventContext) -> EventContext:
    """So that no third conversation is told the same."""
    parent = context.session.get("taking_over")
    if not isinstance(parent, str):
        return context
    from limpet.ground.errors import LimpetError

    taken = {"by": context.event.session, "at": iso(context.clock.now())}
    try:
        change_session(context.workspace, parent, {"taken_over": taken})
    except (LimpetError, OSError):  # the next prompt tries again
        return context
    return context.replace(session={key: value for key, value in context.session.items() if key != "taking_over"})


def _only_says(line: str, title: str) -> bool:
    """A decision stands behind how it was made, and the memory that was made of it says it all."""
    name, _, said = line.partition(": ")
    said = fold(said).strip('"')
    words = said.removesuffix("...").rstrip(" .")
    if name == DECIDED:
        if title[:SAME] in words:
            return True
        words = words.rpartition(": ")[2]
    return words == title or (said.endswith("...") and bool(words) and title.startswith(words))


def _was_handed_over(context: EventContext) -> bool:
    """Whoever did the step before is here, and goes on unless a fresh conversation is started; a compaction just gave
    them a window of their own."""
    found = context.mirror.work.get("handoff")
    if not isinstance(found, dict) or found.get("to") != context.in_force.agent or context.event.source == "compact":
        return False
    return str(found.get("at") or "") >= str(context.session.get("last_activity") or "~")


def _occasion(request: Request) -> str:
    if request.window.bracket != "CRITICAL":
        return ""
    task, handoff = request.work.task, request.work.handoff
    return f"{task.title if task else ''} {handoff.source if handoff else ''}."
