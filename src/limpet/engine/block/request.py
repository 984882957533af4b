"""From plan, mirror and conversation state to the context room's request, whose values are made near their subjects."""

from __future__ import annotations

from limpet.context.brackets import bracket_of
from limpet.context.values import Manner, Request, Window
from limpet.engine.block.candidates import find_candidates
from limpet.engine.block.choose import is_at_work
from limpet.engine.block.recall import opens, recall
from limpet.engine.block.recovery import advice
from limpet.engine.block.rules import find_agent, find_charter, find_rules
from limpet.engine.block.work import find_work, text_of
from limpet.ground.text.escaping import clip
from limpet.roles.roster import resolve
from limpet.work.in_force import find_modes, find_user_level
from limpet.work.session import EPOCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.engine.event_context import Chosen, EventContext
    from limpet.rules.plan.plan import Record

# What a prompt makes and cannot keep, the next one makes again.
UNKEPT = "the user's cache folder is not writable, so prompts take longer (limpet doctor)"


def make_request(context: EventContext, chosen: Chosen, starting: bool, executor: str = "") -> Request:
    """Return all that the block is made of; the context knows its usage.

    ``executor``: the one that it is for, "" for the task's.
    """
    usage, at_work = context.usage, is_at_work(context)
    assert usage is not None
    bracket, work = bracket_of(usage.remaining, context.mirror.settings["context"]), find_work(context)
    executor = executor or (work.task.executor if work.task else "agent")
    recalled = recall(context, bracket, executor, opens(context, starting))
    agent, agent_note = find_agent(context, chosen)
    problems = tuple(filter(None, (recalled.note, agent_note)))
    return Request(
        settings=context.mirror.settings["context"],
        window=Window(bracket=bracket, remaining=usage.remaining, source=usage.source),
        executor=executor,
        prompt_number=context.session["prompt_count"],
        starting=starting,
        epoch=context.session[EPOCH],
        charter=find_charter(chosen, at_work),
        manner=_manner(context, at_work),
        rules=find_rules(context, chosen, bracket, agent),
        work=work,
        agent=agent,
        wishes=recalled.wishes,
        memory=recalled.memory,
        contents=recalled.contents,
        candidates=find_candidates(context, bracket, executor),
        typed=context.typed,
        notes=(*context.notes, *problems, *advice(context), *_notes(context, chosen)),
    )


def _manner(context: EventContext, at_work: bool) -> Manner:
    mode, permission = find_modes(context.in_force, context.mirror.settings)
    told = bool(context.mirror.settings["memory"]["recording"]["told"])
    return Manner(
        mode=mode,
        permission=permission,
        user_level=find_user_level(context.mirror.session) if at_work else "",
        lock=text_of(context.mirror.work, "lock"),
        record=told and not context.workspace.stranger,
    )


def _is_own_agent(record: Record) -> bool:
    return record["kind"] == "agent" and resolve(record["plain"].removeprefix("AGENT_")) is None


def _notes(context: EventContext, chosen: Chosen) -> tuple[str, ...]:
    notes = [context.mirror.note] if context.mirror.note else []
    if not (chosen.plan.kept and context.mirror.kept):
        notes.append(UNKEPT)
    own = context.session.get("task")
    if isinstance(own, dict) and own.get("problem"):
        notes.append(f"{clip(text_of(own, 'problem'), 110)} (limpet story list)")
    if context.mirror.problems:
        problem = context.mirror.problems[0]
        names_command = "limpet " in problem
        notes.append(problem if names_command else f"{clip(problem, 90)} (limpet config check, limpet status)")
    silent = [
        record["name"]
        for record in chosen.records.values()
        if not record["digest"] and record["plain"] != "CONSTITUTION" and not _is_own_agent(record)
    ]
    if silent:
        notes.append(f"no rules file for {clip(', '.join(silent), 60)} (limpet rules check)")
    if chosen.plan.matcher["problems"]:
        notes.append(f"rules: {chosen.plan.matcher['problems']} mistakes (limpet rules check)")
    if len(context.event.prompt) > context.mirror.settings["rules"]["match_characters"]:
        notes.append("long prompt: only its beginning was searched for keywords")
    return tuple(notes)
