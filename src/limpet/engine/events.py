"""The steps of each event, in order. A room that is to listen to an event adds its step here, and nowhere else.

A step takes the ``EventContext`` and gives it back with what it made. Its module is imported when an event needs it,
because every import costs the user's prompt.
"""

from __future__ import annotations

from limpet.ground.late import late_modules
from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.engine import branches, recovery
    from limpet.engine.event_context import EventContext
    from limpet.engine.steps import (
        block,
        capture,
        deeds,
        effects,
        files,
        guard,
        inbox,
        person,
        quiet,
        session,
        start,
        symbols,
        turn,
        window,
    )
    from limpet.ground.workspace import Workspace

    Step = Callable[[EventContext], EventContext]
else:
    branches, recovery = late_modules("limpet.engine", "branches recovery")
    block, capture, deeds, effects, files, guard, inbox, person, quiet, session, start, symbols = late_modules(
        "limpet.engine.steps", "block capture deeds effects files guard inbox person quiet session start symbols"
    )
    turn, window = late_modules("limpet.engine.steps", "turn window")

# What the person says to Limpet itself; the second may end the walk.
PERSON = (person.hear_person, person.respect_privacy)


class Walk(Value):
    """The steps of one event: those ``before`` need no state of the conversation, and each may end the walk; for those
    after them the state is ``held``: locked, and saved after the last of them."""

    before: tuple[Step, ...] = ()
    held: tuple[Step, ...] = ()


EVENTS: dict[str, Walk] = {
    "session_start": Walk(
        before=(person.hear_person, person.notice_registration, person.respect_privacy, inbox.take_in),
        held=(
            inbox.tell_what_came,
            start.remove_old_files,
            start.make_bundles,
            start.probe_shells,
            start.refresh_memories,
            window.begin_epoch,
            session.carry_on,
            recovery.tell_what_was_left,
            window.measure_window_at_start,
            recovery.write_when_resumed,
            block.open_rules,
            block.compose_block_at_start,
            session.note_start,
            session.note_recalled,
            quiet.keep_quiet,
        ),
    ),
    "prompt": Walk(
        before=(
            person.hear_person,
            person.notice_registration,
            person.respect_privacy,
            inbox.take_in,
            effects.settle_effects,
        ),
        held=(
            session.carry_on,
            inbox.tell_what_came,
            session.begin_unheard,
            effects.tell_effects,
            window.measure_window,
            block.open_rules,
            block.reread_task,
            session.tell_role,
            block.answer_commands,
            block.compose_block,
            recovery.write_when_critical,
            recovery.spawn_when_due,
            session.note_prompt,
            session.note_recalled,
            session.note_asked,
            quiet.keep_quiet,
        ),
    ),
    "pre_compact": Walk(
        before=(person.respect_privacy,),
        held=(window.mark_compaction, capture.keep_before_compaction, capture.start_extraction),
    ),
    "post_compact": Walk(before=(person.respect_privacy,), held=(window.confirm_compaction,)),
    "session_end": Walk(
        before=(person.respect_privacy,), held=(session.note_end, capture.keep_at_end, capture.start_extraction)
    ),
    "subagent_start": Walk(before=PERSON, held=(block.open_rules, block.enter_subagent, block.compose_for_subagent)),
    "tool_before": Walk(
        before=(
            person.hear_person,
            guard.judge_event,
            inbox.announce_call,
            inbox.note_task,
            files.find_existing,
            files.look_at_files,
            person.respect_privacy,
            files.find_called,
        ),
        held=(
            branches.leave_branches,
            block.enter_subagent,
            deeds.tell_deeds,
            deeds.bring_file_rules,
            symbols.note_existing,
        ),
    ),
    "tool_after": Walk(),  # hosts to whom nothing can be said with a prompt are told then
    "tool_failed": Walk(before=PERSON, held=(block.enter_subagent, guard.note_failed, capture.keep_failure)),
    "stop": Walk(
        before=(person.respect_privacy, inbox.take_in, effects.settle_effects, turn.check_rules, turn.look_at_turn),
        held=(branches.leave_branches, turn.capture_turn, turn.say_again),
    ),
    "config_changed": Walk(before=(person.refuse_registration,)),
}

# In a project that nobody trusted: the packaged constitution, and no step that reads, keeps or starts anything of it.
STRANGERS_EVENTS: dict[str, Walk] = {
    "session_start": Walk(
        before=PERSON,
        held=(
            start.remove_old_files,
            start.make_bundles,
            start.probe_shells,
            window.begin_epoch,
            window.measure_window_at_start,
            block.open_rules,
            block.compose_block_at_start,
            session.note_start,
        ),
    ),
    "prompt": Walk(
        before=PERSON, held=(window.measure_window, block.open_rules, block.compose_block, session.note_prompt)
    ),
    "subagent_start": Walk(before=PERSON, held=(block.open_rules, block.compose_for_subagent)),
    "tool_before": Walk(before=(person.hear_person, guard.judge_event)),
    "pre_compact": Walk(before=(person.respect_privacy,), held=(window.mark_compaction,)),
    "post_compact": Walk(before=(person.respect_privacy,), held=(window.confirm_compaction,)),
    "session_end": Walk(before=(person.respect_privacy,), held=(session.note_end,)),
}

# Without a project: what the person says of the conversation counts all the same.
OUTSIDE_EVENTS = {
    "session_start": Walk(before=(*PERSON, person.offer_project_above)),
    **dict.fromkeys(("prompt", "subagent_start"), Walk(before=PERSON)),
}


def walk_of(kind: str, workspace: Workspace | None) -> Walk:
    if workspace is None:
        return OUTSIDE_EVENTS.get(kind, Walk())
    table = STRANGERS_EVENTS if workspace.stranger else EVENTS
    return table.get(kind, Walk())
