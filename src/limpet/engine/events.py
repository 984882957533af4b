"""The steps of each event, in order. A room that is to listen to an event adds its step here, and nowhere else.

A step takes the ``EventContext`` and gives it back with what it made. Its module is imported when an event needs it,
because every import costs the user's prompt. Those after ``HOLD`` have the conversation's state, which is locked, and
saved after the last of them.
"""

from __future__ import annotations

from limpet.ground.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.engine.event_context import EventContext
    from limpet.engine.steps import (
        block,
        capture,
        deeds,
        effects,
        files,
        guard,
        person,
        recovery,
        session,
        start,
        subagent,
        turn,
        window,
    )
    from limpet.ground.workspace import Workspace

    Step = Callable[..., EventContext]
else:
    block = Late("limpet.engine.steps.block")
    capture = Late("limpet.engine.steps.capture")
    deeds = Late("limpet.engine.steps.deeds")
    effects = Late("limpet.engine.steps.effects")
    files = Late("limpet.engine.steps.files")
    guard = Late("limpet.engine.steps.guard")
    person = Late("limpet.engine.steps.person")
    recovery = Late("limpet.engine.steps.recovery")
    session = Late("limpet.engine.steps.session")
    start = Late("limpet.engine.steps.start")
    subagent = Late("limpet.engine.steps.subagent")
    turn = Late("limpet.engine.steps.turn")
    window = Late("limpet.engine.steps.window")

HOLD = session.hold_state
# What the person says to Limpet itself; the second may end the walk.
PERSON = (person.hear_person, person.respect_privacy)

EVENTS: dict[str, tuple[Step, ...]] = {
    "session_start": (
        person.hear_person,
        person.notice_registration,
        person.respect_privacy,
        HOLD,
        start.remove_old_files,
        start.make_bundles,
        start.refresh_memories,
        window.begin_epoch,
        recovery.tell_what_was_left,
        window.measure_window_at_start,
        recovery.write_when_resumed,
        block.open_rules,
        block.compose_block_at_start,
        session.note_start,
        session.note_recalled,
    ),
    "prompt": (
        person.hear_person,
        person.notice_registration,
        person.respect_privacy,
        effects.settle_effects,
        HOLD,
        session.begin_unheard,
        effects.tell_effects,
        window.measure_window,
        block.open_rules,
        block.reread_task,
        block.answer_commands,
        block.compose_block,
        recovery.write_when_critical,
        recovery.spawn_when_due,
        session.note_prompt,
        session.note_recalled,
        session.note_asked,
    ),
    "pre_compact": (
        person.respect_privacy,
        HOLD,
        window.mark_compaction,
        capture.keep_before_compaction,
        capture.start_extraction,
    ),
    "post_compact": (person.respect_privacy, HOLD, window.confirm_compaction),
    "session_end": (
        person.respect_privacy,
        HOLD,
        session.note_end,
        capture.keep_at_end,
        capture.start_extraction,
    ),
    "subagent_start": (*PERSON, HOLD, block.open_rules, subagent.enter_subagent, subagent.compose_for_subagent),
    "tool_before": (
        person.hear_person,
        guard.judge_event,
        files.look_at_files,
        person.respect_privacy,
        files.find_called,
        HOLD,
        subagent.enter_subagent,
        deeds.tell_deeds,
        deeds.bring_file_rules,
    ),
    "tool_failed": (*PERSON, HOLD, subagent.enter_subagent, guard.note_failed, capture.keep_failure),
    "stop": (
        person.respect_privacy,
        effects.settle_effects,
        turn.check_rules,
        turn.look_at_turn,
        HOLD,
        turn.capture_turn,
        turn.ask_at_stop,
    ),
    "config_changed": (person.refuse_registration,),
}

# In a project that nobody trusted: the packaged constitution, and no step that reads, keeps or starts anything of it.
STRANGERS_EVENTS: dict[str, tuple[Step, ...]] = {
    "session_start": (
        *PERSON,
        HOLD,
        start.remove_old_files,
        start.make_bundles,
        window.begin_epoch,
        window.measure_window_at_start,
        block.open_rules,
        block.compose_block_at_start,
        session.note_start,
    ),
    "prompt": (*PERSON, HOLD, window.measure_window, block.open_rules, block.compose_block, session.note_prompt),
    "subagent_start": (*PERSON, HOLD, block.open_rules, subagent.compose_for_subagent),
    "tool_before": (person.hear_person, guard.judge_event),
    "pre_compact": (person.respect_privacy, HOLD, window.mark_compaction),
    "post_compact": (person.respect_privacy, HOLD, window.confirm_compaction),
    "session_end": (person.respect_privacy, HOLD, session.note_end),
}

# Without a project: what the person says of the conversation counts all the same.
OUTSIDE_EVENTS: dict[str, tuple[Step, ...]] = dict.fromkeys(("session_start", "prompt", "subagent_start"), PERSON)


def steps_of(kind: str, workspace: Workspace | None) -> tuple[Step, ...]:
    """Return the steps of an event in a project, if there is one."""
    table = OUTSIDE_EVENTS if workspace is None else STRANGERS_EVENTS if workspace.stranger else EVENTS
    return table.get(kind, ())


def take_step(step: Step, context: EventContext, steps: tuple[Step, ...]) -> EventContext:
    """Return the context after a step; one that holds something for those behind it takes these too."""
    return step(context, steps) if step is HOLD else step(context)


def take_steps(context: EventContext, steps: tuple[Step, ...]) -> EventContext:
    for place, step in enumerate(steps, 1):
        context = take_step(step, context, steps[place:])
    return context
