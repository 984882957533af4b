"""The hook's records, for people and programs to read later: metrics of every event, and every block that was sent."""

from __future__ import annotations

import os

from limpet.engine.event_context import NOWHERE, OTHER_CLASS, EventContext
from limpet.ground.clock import Clock, iso
from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.digest import digest, safe_name
from limpet.ground.event_log import BLOCK, Actor, append_event, block_path, metrics_path
from limpet.ground.storage.files import write_atomic
from limpet.ground.storage.json_lines import append_object
from limpet.ground.text.tokens import typical_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.context.values import Choice, Result
    from limpet.ground.event import Event
    from limpet.ground.workspace import Workspace


def record_event(context: EventContext) -> None:
    """A disk that refuses is no reason to fail."""
    retention, sent = context.mirror.settings["retention"], dict[str, str]()
    try:
        if context.result and context.result.block:
            name = digest(context.result.block, 12)
            block = block_path(context.workspace.shared, name)
            if not os.path.exists(block):
                write_atomic(block, context.result.block, follow=False)
            sent = {"block": name}
            _record(context, BLOCK, {**sent, "event": context.event.kind, "source": context.event.source})
        if context.recalled:
            _record(context, "memory.shown", {"ids": list(context.recalled)})
        if context.result and any(note.startswith(OTHER_CLASS) for note in context.result.notes):
            _record(context, "agent.model", {"model": context.model})
        line = _metrics(context, (context.clock.timer() - context.began) * 1000) | sent
        path = metrics_path(context.workspace)
        append_object(path, line, retention["metrics_bytes"], retention["rotated_files"])
    except (OSError, ValueError):
        return


def record_crash(workspace: Workspace, event: Event, error: Exception, clock: Clock) -> None:
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    place = f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}" if trace else ""
    line = {
        "time": iso(clock.now()),
        "event": event.kind,
        "session": event.session,
        "crash": type(error).__name__,
        "what": str(error)[:200],
        "where": place,
    }
    _append_line(workspace, line)


def record_private(context: EventContext) -> None:
    event, workspace = context.event, context.workspace
    if workspace is not NOWHERE:
        at = iso(context.clock.now())
        _append_line(workspace, {"time": at, "event": event.kind, "session": event.session, "private": True})


def _append_line(workspace: Workspace, line: dict[str, Any]) -> None:
    """By the default settings: the project's own are not read for it."""
    retention: dict[str, Any] = DEFAULTS["retention"]
    try:
        append_object(metrics_path(workspace), line, retention["metrics_bytes"], retention["rotated_files"])
    except OSError:
        return


def _record(context: EventContext, kind: str, data: dict[str, Any]) -> None:
    event = context.event
    actor = Actor(
        writer=f"{event.host} hook",
        now=context.clock.now(),
        retention=context.mirror.settings["retention"],
        session=event.session,
        agent=context.in_force.agent,
        why=context.request.window.bracket if context.request else context.session.get("bracket") or "",
    )
    file = safe_name(event.session) if event.session else "no-session"
    append_event(context.workspace.shared, actor, kind, data, file)


def _metrics(context: EventContext, milliseconds: float) -> dict[str, Any]:
    event, request, result = context.event, context.request, context.result
    line: dict[str, Any] = {
        "time": iso(context.clock.now()),
        "event": event.kind,
        "source": event.source,
        "session": event.session,
    }
    if event.agent_id:
        line |= {"subagent": event.agent_type, "agent": context.in_force.agent}
    if result and request:
        from limpet.context.values import LISTED, PASSAGE, WISHED, entry_of
        from limpet.engine.block.told import ids_shown

        usage, reserve = context.usage, request.settings["reserve"]
        shown = [choice for choice in result.choices if choice.shown]
        line |= {
            "bracket": request.window.bracket,
            "remaining": usage.remaining if usage else None,
            "prompt": context.session["prompt_count"],
            "budget": request.settings["budgets"].get(request.window.bracket),
            "pieces": [[one.piece.tag, one.piece.name, typical_tokens(one.tokens, reserve)] for one in shown],
            "prompt_id": event.prompt_id,
            "memories": list(ids_shown(result)),
            "parts": [entry_of(mark) for mark in _marks_shown(result) if mark.startswith(PASSAGE)],
            "wishes": [mark.removeprefix(WISHED) for mark in _marks_shown(result) if mark.startswith(WISHED)],
            "listed": [mark.removeprefix(LISTED) for mark in _marks_shown(result) if mark.startswith(LISTED)],
            "tokens": typical_tokens(result.tokens, reserve),
            "layers": result.timings,
            "in": [choice.piece.name for choice in result.choices if choice.lines],
            "out": [[choice.piece.name, choice.why] for choice in result.choices if choice.why != "in"],
            "matched": {choice.piece.name: words for choice in result.choices if (words := _words(choice))},
            "notes": list(result.notes),
        }
    return {**line, "ms": round(milliseconds, 3)}


def _marks_shown(result: Result) -> list[str]:
    marks: list[str] = []
    for one in result.choices:
        marks += one.piece.marks[: len(one.lines)]
    return marks


def _words(choice: Choice) -> list[str]:
    called: list[str] = []
    for name, words in choice.piece.attributes:
        if name in ("matched", "files"):
            called += words.split(", ")
    return called
