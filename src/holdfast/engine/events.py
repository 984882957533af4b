"""The steps of each event, in order. A room that is to listen to an event adds its step here, and nowhere else.

A step is named ``module.function`` below ``engine/steps``; it takes the ``EventContext`` and gives it back with what it
made. Modules are imported when an event needs them, because every import costs the user's prompt.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.engine.event_context import EventContext

EVENTS: dict[str, tuple[str, ...]] = {
    "session_start": (
        "leftovers.remove",
        "upkeep.refresh_memories",
        "epoch.begin",
        "takeover.tell_what_was_left",
        "window.measure_at_start",
        "block.open_rules",
        "registration.complete",
        "block.compose_at_start",
        "state.note_start",
        "state.note_recalled",
    ),
    "prompt": (
        "window.measure",
        "block.open_rules",
        "commands.reread_task",
        "commands.answer",
        "recording.remind",
        "block.compose",
        "continuation.write_when_critical",
        "state.note_prompt",
        "recovery.spawn_when_due",
        "state.note_recalled",
    ),
    "pre_compact": ("epoch.mark_compaction", "capture.keep_before_compaction", "extraction.start"),
    "post_compact": ("epoch.confirm_compaction",),
    "session_end": ("state.note_end", "capture.keep_at_end", "extraction.start"),
    "subagent_start": ("block.open_rules", "subagent.enter", "subagent.compose"),
    "tool_before": ("block.open_rules", "subagent.enter", "files.bring_rules"),
    "stop": (),  # engine.stopping, because the state cannot be locked for so long
    "tool_failed": ("subagent.enter", "capture.keep_failure"),
}

# In a project that nobody trusted: the packaged constitution, and no step that reads, keeps or starts anything of it.
STRANGERS_EVENTS: dict[str, tuple[str, ...]] = {
    "session_start": (
        "leftovers.remove",
        "epoch.begin",
        "window.measure_at_start",
        "block.open_rules",
        "block.compose_at_start",
        "state.note_start",
    ),
    "prompt": ("window.measure", "block.open_rules", "block.compose", "state.note_prompt"),
    "subagent_start": ("block.open_rules", "subagent.compose"),
    "pre_compact": ("epoch.mark_compaction",),
    "post_compact": ("epoch.confirm_compaction",),
    "session_end": ("state.note_end",),
}


def take_steps(context: EventContext) -> EventContext:
    """Return the context after all steps of its event."""
    for step in (STRANGERS_EVENTS if context.workspace.stranger else EVENTS)[context.event.kind]:
        name, _, function = step.partition(".")
        context = getattr(__import__(f"holdfast.engine.steps.{name}", fromlist=[function]), function)(context)
    return context
