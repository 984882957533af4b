"""The steps of each event, in order. A room that is to listen to an event adds its step here, and nowhere else.

A step is named ``module.function`` below ``engine/steps``; it takes the ``EventContext`` and gives it back with what it
made. Modules are imported when an event needs them, because every import costs the user's prompt. Those after ``HOLD``
have the conversation's state, which is locked, and saved after the last of them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.engine.event_context import EventContext
    from limpet.ground.workspace import Workspace

HOLD = "session.hold"
# What the person says to Limpet itself; the second may end the walk.
PERSON = ("person.hear", "person.respect_privacy")

EVENTS: dict[str, tuple[str, ...]] = {
    "session_start": (
        "person.hear",
        "registration.notice",
        "person.respect_privacy",
        HOLD,
        "leftovers.remove",
        "upkeep.make_bundles",
        "upkeep.refresh_memories",
        "epoch.begin",
        "takeover.tell_what_was_left",
        "window.measure_at_start",
        "recovery.write_when_resumed",
        "block.open_rules",
        "block.compose_at_start",
        "state.note_start",
        "state.note_recalled",
    ),
    "prompt": (
        "person.hear",
        "registration.notice",
        "person.respect_privacy",
        "effects.settle",
        HOLD,
        "session.begin_unheard",
        "effects.tell",
        "window.measure",
        "block.open_rules",
        "commands.reread_task",
        "commands.answer",
        "block.compose",
        "recovery.write_when_critical",
        "recovery.spawn_when_due",
        "state.note_prompt",
        "state.note_recalled",
        "candidates.note_asked",
    ),
    "pre_compact": (
        "person.respect_privacy",
        HOLD,
        "epoch.mark_compaction",
        "capture.keep_before_compaction",
        "capture.start_extraction",
    ),
    "post_compact": ("person.respect_privacy", HOLD, "epoch.confirm_compaction"),
    "session_end": (
        "person.respect_privacy",
        HOLD,
        "state.note_end",
        "capture.keep_at_end",
        "capture.start_extraction",
    ),
    "subagent_start": (*PERSON, HOLD, "block.open_rules", "subagent.enter", "subagent.compose"),
    "tool_before": (
        "person.hear",
        "guard.judge",
        "files.look",
        "person.respect_privacy",
        "files.find_called",
        HOLD,
        "subagent.enter",
        "deeds.tell",
        "file_rules.bring",
    ),
    "tool_failed": (*PERSON, HOLD, "subagent.enter", "checks.note_failed", "capture.keep_failure"),
    "stop": (
        "person.respect_privacy",
        "effects.settle",
        "stopping.check_rules",
        "turn.look",
        HOLD,
        "turn.capture",
        "turn.ask",
    ),
    "config_changed": ("registration.refuse",),
}

# In a project that nobody trusted: the packaged constitution, and no step that reads, keeps or starts anything of it.
STRANGERS_EVENTS: dict[str, tuple[str, ...]] = {
    "session_start": (
        *PERSON,
        HOLD,
        "leftovers.remove",
        "upkeep.make_bundles",
        "epoch.begin",
        "window.measure_at_start",
        "block.open_rules",
        "block.compose_at_start",
        "state.note_start",
    ),
    "prompt": (*PERSON, HOLD, "window.measure", "block.open_rules", "block.compose", "state.note_prompt"),
    "subagent_start": (*PERSON, HOLD, "block.open_rules", "subagent.compose"),
    "tool_before": ("person.hear", "guard.judge"),
    "pre_compact": ("person.respect_privacy", HOLD, "epoch.mark_compaction"),
    "post_compact": ("person.respect_privacy", HOLD, "epoch.confirm_compaction"),
    "session_end": ("person.respect_privacy", HOLD, "state.note_end"),
}

# Without a project: what the person says of the conversation counts all the same.
OUTSIDE_EVENTS: dict[str, tuple[str, ...]] = dict.fromkeys(("session_start", "prompt", "subagent_start"), PERSON)


def steps_of(kind: str, workspace: Workspace | None) -> tuple[str, ...]:
    """Return the steps of an event in a project, if there is one."""
    table = OUTSIDE_EVENTS if workspace is None else STRANGERS_EVENTS if workspace.stranger else EVENTS
    return table.get(kind, ())


def take_step(step: str, context: EventContext, steps: tuple[str, ...]) -> EventContext:
    """Return the context after a step; one that holds something for those behind it takes these too."""
    name, _, function = step.partition(".")
    taken = getattr(__import__(f"limpet.engine.steps.{name}", fromlist=[function]), function)
    after: EventContext = taken(context, steps) if step == HOLD else taken(context)
    return after


def take_steps(context: EventContext, steps: tuple[str, ...]) -> EventContext:
    """Return the context after all of these steps."""
    for place, step in enumerate(steps, 1):
        context = take_step(step, context, steps[place:])
    return context
