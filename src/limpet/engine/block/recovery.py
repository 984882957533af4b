"""What the block says of recovery: where a conversation stood, and advice to go on in a fresh one, where the seeds'
criteria speak for it (decision 8)."""

from __future__ import annotations

import os

from limpet.ground.digest import safe_name
from limpet.work.recovery.criteria import advise, is_spawned, read_figures, should_spawn, tell_spawned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.engine.event_context import EventContext

ON = "on"
STARTING = "a new conversation is starting to continue this work ({}): do not start another"


def advice(context: EventContext) -> tuple[str, ...]:
    """Return the note for the block, none where nothing speaks for a fresh conversation, or this one may start none."""
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
    """Return whether this note of the block tells that a fresh conversation is being started."""
    return note.startswith(STARTING.partition("{")[0])


def lines_left(context: EventContext) -> tuple[str, ...]:
    """Return where this conversation stood before a compaction, or the one that it takes over: with the first start or
    prompt after it, whichever the host has; none while a compaction is not known to have been made."""
    lines, marker = context.session.get("continuation"), context.session["marker"]
    waits = isinstance(marker, dict) and not marker.get("confirmed")
    if context.event.kind not in ("session_start", "prompt") or waits or not isinstance(lines, list):
        return ()
    return tuple(line for line in lines if isinstance(line, str))


def continuation_file(context: EventContext) -> str:
    """Return the name of this conversation's continuation in its folder, whether it is there or not."""
    return f"{safe_name(context.event.session)}.md"


def has_continuation(context: EventContext) -> bool:
    """Return whether this conversation's continuation was written."""
    return os.path.isfile(context.workspace.path("continuation", continuation_file(context)))


def may_spawn(context: EventContext) -> bool:
    """Return whether a fresh conversation may be started: the user switched it on, and this one was not spawned."""
    return context.mirror.settings["recovery"]["spawn"] == ON and context.is_kept and not is_spawned(os.environ)


def reasons_to_leave(context: EventContext) -> tuple[str, ...]:
    """Return what speaks for a fresh conversation, by the seeds' criteria."""
    limits = {name: value for name, value in context.mirror.settings["recovery"].items() if name != "spawn"}
    pending = context.mirror.work.get("handoff_pending") is True or _was_handed_over(context)
    return should_spawn(read_figures(context.session, last_score(context), pending), **limits)


def _was_handed_over(context: EventContext) -> bool:
    """Return whether work was handed to the active agent since this conversation's last prompt: whoever did the step
    before is here, and the next one would begin better in a window of its own. A compaction just gave it one."""
    found = context.mirror.work.get("handoff")
    if not isinstance(found, dict) or found.get("to") != context.in_force.agent or context.event.source == "compact":
        return False
    return str(found.get("at") or "") >= str(context.session.get("last_activity") or "~")


def last_score(context: EventContext) -> float | None:
    """Return the active agent's last gate score in percent."""
    agents = context.mirror.session.get("agents")
    record = agents.get(context.in_force.agent) if isinstance(agents, dict) else None
    score = record.get("score") if isinstance(record, dict) else None
    return score if isinstance(score, (int, float)) and not isinstance(score, bool) else None
