"""From plan, mirror and conversation state to the context room's request, whose values are made near their subjects."""

from __future__ import annotations

from limpet.context.rules_layers import REPORT_ONLY
from limpet.context.usage import bracket_of
from limpet.context.values import HandoffView, Manner, Request, Task, Window, Work
from limpet.engine.block.candidates import find_asked
from limpet.engine.block.choose import is_agent_at_work
from limpet.engine.block.recall import recall
from limpet.engine.block.rules import find_agent, find_charter, find_rules
from limpet.engine.block.told import opens
from limpet.engine.recovery import advice, lines_beside, lines_beside_a_task, lines_left
from limpet.ground.late import Late
from limpet.ground.text.escaping import clip
from limpet.ground.workspace import uses_registry
from limpet.roles.roster import resolve_id
from limpet.work.in_force import find_modes, find_user_level
from limpet.work.session import EPOCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.engine.block import taught
    from limpet.engine.event_context import ChosenRules, EventContext
else:
    taught = Late("limpet.engine.block.taught")

# The workflows of a project without any state.
SHIPPED = tuple("solo brownfield brownfield-discovery brownfield-service brownfield-ui greenfield quick-flow".split())
# Characters of a prompt that asks for a workflow, and what the words have in them by which it calls it
# (``words/workflows``): a prompt without any, and without a name, is not read for it.
LONGEST = 400
SIGNS = ("workflow", "proces", "pipeline", "flow", "flux", "flujo")
# What a prompt makes and cannot keep, the next one makes again.
UNKEPT = "the user's cache folder is not writable, so prompts take longer (limpet doctor)"


def make_request(context: EventContext, chosen: ChosenRules, starting: bool, executor: str = "") -> Request:
    """The context knows its usage. ``executor``: the one that the block is for, "" for the task's."""
    usage, at_work = context.usage, is_agent_at_work(context)
    assert usage is not None
    bracket, work = bracket_of(usage.remaining, context.mirror.settings["context"]), find_work(context)
    executor = executor or (work.task.executor if work.task else "agent")
    recalled = recall(context, bracket, executor, opens(context, starting), work.task)
    agent, agent_note = find_agent(context, chosen)
    problems = tuple(filter(None, (recalled.note, agent_note)))
    if work.continuation:
        told = dict(recalled.wishes.titles if recalled.wishes else ())
        told.update(recalled.memory.titles if recalled.memory else ())
        work = work.replace(continuation=lines_beside(work.continuation, told.values()))
        if work.task:
            work = work.replace(continuation=lines_beside_a_task(work.continuation, work.task))
    return Request(
        settings=context.mirror.settings["context"],
        window=Window(bracket=bracket, remaining=usage.remaining, source=usage.source),
        executor=executor,
        prompt_number=context.session["prompt_count"],
        starting=starting,
        epoch=context.session[EPOCH],
        charter=find_charter(chosen, at_work, uses_registry(context.workspace)),
        manner=_manner(context, at_work),
        rules=find_rules(context, chosen, bracket, agent),
        work=work,
        agent=agent,
        wishes=recalled.wishes,
        memory=recalled.memory,
        contents=recalled.contents,
        candidates=find_asked(context, executor),
        typed=context.typed,
        name=context.client.name(),
        notes=(*context.notes, *problems, *advice(context), *_notes(context, chosen)),
    )


def find_work(context: EventContext) -> Work:
    found, session, view = context.in_force, context.session, context.mirror.work
    pipeline = memory_text_of(view, "pipeline") if found.follows_project else ""
    following = _following(context)
    spec = _texts(view, "spec")
    if following:
        spec = (*spec[:1], *(line for line in spec[1:] if not line.startswith("next: ")))
    return Work(
        workflow=found.workflow if pipeline else "",
        pipeline=pipeline,
        spec=spec,
        continuation=lines_left(context),
        task=_task(context, session.get("task") or view.get("task") or context.mirror.session.get("task")),
        handoff=_handoff(view.get("handoff"), found.agent),
        following=following,
        agreed=context.may_run,
    )


def memory_text_of(found: dict[str, Any], name: str) -> str:
    value = found.get(name)
    return value if isinstance(value, str) else ""


def _manner(context: EventContext, at_work: bool) -> Manner:
    mode, permission = find_modes(context.in_force, context.mirror.settings)
    told = bool(context.mirror.settings["memory"]["recording"]["told"])
    validates = mode and context.in_force.follows_project and context.mirror.work.get("validates")
    return Manner(
        mode=mode,
        asks=REPORT_ONLY if validates else "",
        permission=permission,
        user_level=find_user_level(context.mirror.session) if at_work else "",
        lock=memory_text_of(context.mirror.work, "lock"),
        record=told and not (context.workspace.stranger or context.is_unattended),
    )


def _notes(context: EventContext, chosen: ChosenRules) -> tuple[str, ...]:
    notes = [context.mirror.note] if context.mirror.note else []
    if not (chosen.plan.kept and context.mirror.kept):
        notes.append(UNKEPT)
    own = context.session.get("task")
    if isinstance(own, dict) and own.get("problem"):
        notes.append(f"{clip(memory_text_of(own, 'problem'), 110)} (limpet work story list)")
    if context.mirror.problems:
        problem = context.mirror.problems[0]
        names_command = "limpet " in problem
        notes.append(problem if names_command else f"{clip(problem, 90)} (limpet doctor, limpet status)")
    silent = []
    for record in chosen.records.values():
        is_own_agent = record["kind"] == "agent" and resolve_id(record["plain"].removeprefix("AGENT_")) is None
        if not (record["digest"] or record["plain"] == "CONSTITUTION" or is_own_agent):
            silent.append(record["name"])
    if silent:
        notes.append(f"no rules file for {clip(', '.join(silent), 60)} (limpet rules check)")
    if chosen.plan.matcher["problems"]:
        notes.append(f"rules: {chosen.plan.matcher['problems']} mistakes (limpet rules check)")
    other, prompts = chosen.plan.matcher["in_place"], int(context.session.get("prompt_count", 0))
    if other and (context.event.kind == "session_start" or prompts <= 1):
        notes.append(f"with the rules in {other}/ (limpet import --from {other[1:]})")
    if len(context.event.prompt) > context.mirror.settings["rules"]["match_characters"]:
        notes.append("long prompt: only its beginning was searched for keywords")
    return tuple(notes)


def _following(context: EventContext) -> tuple[str, str] | None:
    """The workflow that the prompt asks for, where none is in force; else the conversation's own task comes first,
    unless a deviation interrupts the project's work."""
    if wanted := _wanted(context):
        return wanted
    own, ours = context.session.get("task"), context.in_force.follows_project
    mine = own.get("next") if isinstance(own, dict) else None
    found = context.mirror.work.get("next") if ours else None
    if isinstance(mine, dict) and not (isinstance(found, dict) and found.get("interrupts")):
        found = mine
    return (memory_text_of(found, "words"), memory_text_of(found, "command")) if isinstance(found, dict) else None


def _wanted(context: EventContext) -> tuple[str, str] | None:
    names, prompt = context.mirror.work.get("workflows", SHIPPED), context.event.prompt
    if context.in_force.workflow or context.workspace.stranger or len(prompt) > LONGEST:
        return None
    low = prompt.lower()
    if not any(sign in low for sign in (*SIGNS, *names)):
        return None
    from limpet.work.wanted import find_wanted

    return find_wanted(prompt, names)


def _task(context: EventContext, found: object) -> Task | None:
    if not isinstance(found, dict):
        return Task(title=found) if isinstance(found, str) and found else None
    title = str(found.get("title") or found.get("id") or "")
    if not title or found.get("problem"):  # whose story cannot be read
        return None
    agent, known = memory_text_of(found, "agent"), found.get("knowledge")
    return Task(
        title=title,
        story=memory_text_of(found, "id"),
        executor=memory_text_of(found, "executor") or "agent",
        agent=agent,
        progress=memory_text_of(found, "progress"),
        pre_conditions=_checks(found, "pre_conditions"),
        acceptance=_checks(found, "acceptance"),
        files=tuple((str(pair[0]), str(pair[1])) for pair in _pairs(found, "files")),
        knowledge=taught.taught_with_task(context, agent, known) if known else (),
        backlog=memory_text_of(found, "backlog"),
    )


def _handoff(found: object, agent: str) -> HandoffView | None:
    if not isinstance(found, dict) or found.get("to") != agent:
        return None
    source, score = memory_text_of(found, "from"), memory_text_of(found, "score")
    return HandoffView(source=source, score=score, lines=_texts(found, "lines"))


def _checks(found: dict[str, Any], name: str) -> tuple[tuple[bool, str], ...]:
    return tuple((bool(pair[0]), str(pair[1])) for pair in _pairs(found, name))


def _pairs(found: dict[str, Any], name: str) -> list[Any]:
    pairs = found.get(name)
    return [pair for pair in pairs if isinstance(pair, list) and len(pair) == 2] if isinstance(pairs, list) else []


def _texts(found: dict[str, Any], name: str) -> tuple[str, ...]:
    values = found.get(name)
    return tuple(value for value in values if isinstance(value, str)) if isinstance(values, list) else ()
