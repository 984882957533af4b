"""Hands what was said and done to a second process, which makes memories and a digest of it.

The hook has neither YAML nor the time: before a compaction it waits for that process a little, at an end not at all.
"""

from __future__ import annotations

from limpet.engine.worker import run_jobs, start_job
from limpet.transcripts.tail import size_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.engine.event_context import EventContext

# What each job keeps, and what is said where it was not done in time.
KEEPS = {"continuation": "the state of the work", "capture": "lessons of the conversation"}
# What the capture's answer says that the person is told.
COUNTED = ("kept", "noted")
LOST = "{} may not have been kept before the compaction"
# Characters of an error, and of the command that failed, that the job gets.
LONGEST_TEXT = 4000
PATHS = ("file_path", "path", "notebook_path")


def keep_before_compaction(context: EventContext) -> EventContext:
    """Within ``hosts.capture_deadline_ms``; the state tells afterwards how to go on, and what could not be kept."""
    if not context.is_kept:
        return context
    jobs = tuple(KEEPS) if captures(context) else ("continuation",)
    # The state is locked while the job is waited for, so the job leaves the title to the hook.
    orders = {**orders_of(context), "waited": True}
    answers = run_jobs(context.workspace, jobs, orders, context.patience("capture"))
    lines = (answers[0] or {}).get("lines")
    late = " and ".join(KEEPS[job] for job, answer in zip(jobs, answers, strict=True) if answer is None)
    captured = (answers[1] if len(answers) > 1 else None) or {}
    return context.with_session(
        continuation=lines if isinstance(lines, list) else [],
        uncaptured=LOST.format(late) if late else "",
        kept={name: captured[name] for name in COUNTED if captured.get(name)},
        title=context.session.get("title") or captured.get("title") or None,
    )


def keep_at_end(context: EventContext) -> EventContext:
    """Start the capture and go: Claude Code gives a session's end a second and a half. Of one that ends in CRITICAL the
    next conversation is told where it stood at last."""
    if context.is_kept and not context.is_unattended and context.session.get("bracket") == "CRITICAL":
        start_job(context.workspace, "continuation", orders_of(context))
    if captures(context):
        start_job(context.workspace, "capture", orders_of(context))
    return context


def keep_failure(context: EventContext) -> EventContext:
    event = context.event
    is_kept = context.is_sent and not context.private and not context.is_unattended
    if not (is_kept and event.error and context.mirror.settings["memory"]["capture"]):
        return context
    given = event.tool_input or {}
    orders = {
        "session": event.session,
        "agent": context.in_force.agent,
        "tool": " ".join(part for part in (event.tool, given.get("command")) if isinstance(part, str))[:LONGEST_TEXT],
        "tool_use_id": event.tool_use_id,
        "error": event.error[:LONGEST_TEXT],
        "paths": [value for name in PATHS if isinstance(value := given.get(name), str)],
        "now": context.clock.now(),
    }
    start_job(context.workspace, "failure", orders)
    return context


def start_extraction(context: EventContext) -> EventContext:
    """Have a model say what the conversation taught, where the user chose one: nobody waits for it (decision 50)."""
    if context.mirror.settings["memory"]["capture_model"] and captures(context):
        start_job(context.workspace, "extract", orders_of(context))
    return context


def captures(context: EventContext) -> bool:
    is_heard = context.is_kept and not context.is_unattended and size_of(context.event.transcript)
    return bool(is_heard and context.mirror.settings["memory"]["capture"])


def orders_of(context: EventContext) -> dict[str, Any]:
    event = context.event
    return {
        "session": event.session,
        "host": event.host,
        "transcript": event.transcript,
        "agent": context.in_force.agent,
        "now": context.clock.now(),
    }
