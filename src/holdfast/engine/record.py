"""The hook's records, for people and programs to read later: metrics of every event, and every block that was sent."""

from __future__ import annotations

import os

from holdfast.ground.clock import iso
from holdfast.ground.config.defaults import DEFAULTS
from holdfast.ground.digest import digest
from holdfast.ground.event_log.append import Actor, append_event
from holdfast.ground.event_log.files import BLOCK, block_path, metrics_path
from holdfast.ground.storage.files import write_atomic
from holdfast.ground.storage.json_lines import append_object
from holdfast.ground.storage.names import safe_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from holdfast.context.values import Choice
    from holdfast.engine.event_context import Outcome
    from holdfast.ground.clock import Clock
    from holdfast.ground.event import Event
    from holdfast.ground.workspace import Workspace


def record_event(
    workspace: Workspace,
    event: Event,
    outcome: Outcome,
    retention: dict[str, Any],
    clock: Clock,
    began: float,
) -> None:
    """One line of metrics, one event, and the block itself under its hash; a disk that refuses is no reason to fail."""
    now = clock.now()
    result = outcome.result
    block = result.block if result else ""
    try:
        if block:
            _keep_block(workspace, event, outcome, block, retention, now)
        if outcome.recalled:
            _record(workspace, event, outcome, "memory.access", {"ids": list(outcome.recalled)}, retention, now)
        line = _metrics(event, outcome, now, (clock.timer() - began) * 1000)
        append_object(metrics_path(workspace), line, retention["metrics_bytes"], retention["rotated_files"])
    except (OSError, ValueError):
        return


def record_crash(workspace: Workspace, event: Event, error: Exception, clock: Clock) -> None:
    """One line of metrics for a failure that no layer caught: what it was and where it came from."""
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
    retention: dict[str, Any] = DEFAULTS["retention"]
    try:
        append_object(metrics_path(workspace), line, retention["metrics_bytes"])
    except OSError:
        return


def _keep_block(
    workspace: Workspace, event: Event, outcome: Outcome, block: str, retention: dict[str, Any], now: float
) -> None:
    name = digest(block, 12)
    path = block_path(workspace.shared, name)
    if not os.path.exists(path):
        write_atomic(path, block, follow=False)
    data = {"block": name, "event": event.kind, "source": event.source}
    _record(workspace, event, outcome, BLOCK, data, retention, now)


def _record(
    workspace: Workspace,
    event: Event,
    outcome: Outcome,
    kind: str,
    data: dict[str, Any],
    retention: dict[str, Any],
    now: float,
) -> None:
    actor = Actor(
        writer=f"{event.host} hook",
        now=now,
        retention=retention,
        session=event.session,
        agent=outcome.session.get("active_agent") or "",
        why=outcome.session.get("bracket") or "",
    )
    append_event(workspace.shared, actor, kind, data, safe_name(event.session) if event.session else "no-session")


def _metrics(event: Event, outcome: Outcome, now: float, milliseconds: float) -> dict[str, Any]:
    line: dict[str, Any] = {
        "time": iso(now),
        "event": event.kind,
        "source": event.source,
        "session": event.session,
    }
    result = outcome.result
    if result:
        line |= {
            "bracket": outcome.session.get("bracket"),
            "tokens": result.tokens,
            "layers": result.timings,
            "in": [choice.piece.name for choice in result.choices if choice.lines],
            "out": [_left_out(choice) for choice in result.choices if choice.why != "in"],
            "matched": {choice.piece.name: words for choice in result.choices if (words := _words(choice))},
            "notes": list(result.notes),
        }
    return {**line, "ms": round(milliseconds, 3)}


def _words(choice: Choice) -> list[str]:
    """The keywords that called the piece: the rules' own words, none of the prompt's."""
    return [word for name, words in choice.piece.attributes if name == "matched" for word in words.split(", ")]


def _left_out(choice: Choice) -> list[str]:
    return [choice.piece.name, choice.why]
