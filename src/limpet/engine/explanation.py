"""Explains which domains fire in a preview and why the others do not, from the hook's own choice."""

from __future__ import annotations

from typing import Any

from limpet.context.pipeline import build_block
from limpet.context.values import Request, Result
from limpet.engine.block.choose import brought_by, choose, is_agent_at_work, is_namesake
from limpet.engine.block.request import make_request
from limpet.engine.event_context import ChosenRules, EventContext
from limpet.engine.mistakes import draft_event
from limpet.engine.steps.block import answer_commands, request_block, reread_task
from limpet.ground.clock import Clock
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.operations.memory.conversations.conversation import refuse_paused
from limpet.operations.project import Project
from limpet.operations.rules.view import called_by, note_read, show_domain
from limpet.rules.matching import EVERYWHERE
from limpet.rules.naming import RuleDomain, read_catalogue
from limpet.rules.plan.plan import ALONE, OVERRIDE, Squad, squad_of

ALWAYS_ON = ("constitution", "global", "context", "always")
SAYING = ("rules", "authority", "brackets", "commands", "articles")
# Kinds of which a conversation gets only what fits its state.
OF_THE_BLOCK = ("constitution", "context", "commands")


class Explanation(Value):
    """Whether a domain fires in a preview, and why; ``kind``: what may call it (global, always, agent, workflow,
    keyword, commands ...); ``keywords``: its own that the prompt holds."""

    name: str
    kind: str
    fires: bool
    why: str
    keywords: tuple[str, ...] = ()
    squad: str = ""
    mode: str = ""


def explain_domains(seen: Preview) -> list[Explanation]:
    """Every domain of the manifest, in its order, then the squads'."""
    numbers: list[tuple[int, str]] = []
    for kind, found in seen.chosen.plan.matcher["kinds"].items():
        numbers += [(number, kind) for number in found]
    return [_explain(seen, number, kind) for number, kind in sorted(numbers)]


def rules_for(project: Project, prompt: str) -> list[dict[str, Any]]:
    seen = _preview(project, prompt)
    fired = {one.name: one.why for one in explain_domains(seen) if one.fires and one.kind not in OF_THE_BLOCK}
    entries = read_catalogue(project.workspace, lambda domain: domain.name in fired)
    return [_described(entry, fired[entry.domain.name]) for entry in entries]


def rules_of(project: Project, name: str) -> dict[str, Any]:
    """The rules count as sent to the caller's conversation. Raises LimpetError for an unknown name."""
    found = show_domain(project.workspace, name)
    if isinstance(found, RuleDomain):
        note_read(project.workspace, found, project.caller.conversation)
        return _described(found, f"called by {called_by(found)}")
    duties: list[str] = []
    for one in found:
        duties += [f"{one['article']}. {one['title']}: {duty['text']}" for duty in one["duties"]]
    return {"domain": name.upper(), "why": "always on", "rules": duties}


def block_for(project: Project) -> str:
    """Whatever the prompt's words. Raises LimpetError in a conversation that is paused."""
    refuse_paused(project.caller)
    return _preview(project, "").result.block


class Preview(Value):
    """A block that nobody was sent; ``context`` is the event's, after its commands."""

    context: EventContext
    chosen: ChosenRules
    request: Request
    result: Result


def preview(
    workspace: Workspace,
    prompt: str,
    *,
    bracket: str = "",
    agent: str = "",
    session: str = "",
    starting: bool = False,
    clock: Clock,
) -> Preview:
    """The arguments are those of ``draft_event``. Raises LimpetError for an unknown agent or session."""
    context = draft_event(
        workspace, prompt, bracket=bracket, agent=agent, session=session, starting=starting, clock=clock
    )
    if starting:
        chosen = choose(context)
        request = make_request(context, chosen, starting=True)
        context = context.replace(chosen=chosen, request=request)
    else:
        context = request_block(answer_commands(reread_task(context)))
    assert context.chosen is not None and context.request is not None
    result = build_block(context.request, clock)
    return Preview(context=context, chosen=context.chosen, request=context.request, result=result)


def _explain(seen: Preview, number: int, kind: str) -> Explanation:
    chosen = seen.chosen
    name, squad = chosen.plan.matcher["names"][number], squad_of(chosen.plan.matcher, number)
    called = _squad(chosen, number, squad) if squad else _trigger(seen, number, kind)
    fires, why = _switch(seen, number, kind) or called or _keywords(chosen, number)
    if fires:
        fires, why = _outcome(seen, number, _piece_name(seen, number, name, kind), why)
    keywords = tuple(chosen.matched.get(number, ()))
    explanation = Explanation(name=name, kind=kind, fires=fires, why=why, keywords=keywords)
    return explanation.replace(squad=squad.id, mode=squad.mode) if squad else explanation


def _switch(seen: Preview, number: int, kind: str) -> tuple[bool, str] | None:
    if not seen.chosen.active[number]:
        matcher = seen.chosen.plan.matcher
        if not matcher["active"][number]:
            return False, "inactive in the manifest"
        waits = number in matcher["at_work"] and not is_agent_at_work(seen.context)
        return False, "active only while work is active" if waits else "switched off in this conversation"
    record = seen.chosen.records.get(number)
    if record and seen.chosen.squad and record["name"] != seen.chosen.plan.matcher["names"][number]:
        return False, f"replaced by {record['name']}: squad {seen.chosen.squad.id} overrides it"
    if kind in ALWAYS_ON:
        return True, "always on"
    return None


def _squad(chosen: ChosenRules, number: int, squad: Squad) -> tuple[bool, str] | None:
    if squad != chosen.squad:
        alone = f"squad {squad.id} is not active"
        if squad.mode == ALONE:
            return False, alone + _matched(chosen, number)
        if squad.mode == OVERRIDE and is_namesake(chosen.plan, number):
            return False, f"squad {squad.id} is not active, so it overrides nothing{_matched(chosen, number)}"
        return None
    if EVERYWHERE in chosen.excluded and squad.mode != ALONE:
        return False, f"excluded by GLOBAL_EXCLUDE: {', '.join(chosen.excluded[EVERYWHERE])}"
    if number in chosen.excluded:
        return False, f"excluded by: {', '.join(chosen.excluded[number])}"
    names = chosen.plan.matcher["names"]
    replaced = [names[n] for n, record in chosen.records.items() if n != number and record["name"] == names[number]]
    place = f", replacing {replaced[0]}" if replaced else ""
    return True, f"squad {squad.id} is active{place}"


def _trigger(seen: Preview, number: int, kind: str) -> tuple[bool, str] | None:
    matcher = seen.chosen.plan.matcher
    if kind == "commands":
        typed = [f"*{one.name}" for one in seen.request.typed]
        return bool(typed), f"typed: {', '.join(typed)}" if typed else "no star-command was typed"
    if kind == "agent" and number in seen.chosen.by_agent:
        return True, f"agent {seen.context.in_force.agent} is active"
    workflow = seen.context.in_force.workflow
    if number in seen.chosen.by_workflow:
        what = f"workflow {workflow} is active" if kind == "workflow" else f"a step of workflow {workflow} brings it"
        return True, what
    if kind == "workflow" and number in brought_by(workflow, seen.chosen.plan) and number not in seen.chosen.matched:
        return False, f"it belongs to another step of workflow {workflow}"
    if kind in ("agent", "workflow") and number not in seen.chosen.matched:
        triggers = matcher["agents"] if kind == "agent" else matcher["workflows"]
        return False, f"{kind} {next(t for t, numbers in triggers.items() if number in numbers)} is not active"
    return None


def _keywords(chosen: ChosenRules, number: int) -> tuple[bool, str]:
    if number not in chosen.matched:
        files = next((globs for each, globs in chosen.plan.matcher.get("paths", ()) if each == number), ())
        comes = f"; comes with files: {', '.join(files)}" if files else ""
        if number in chosen.plan.matcher.get("on_demand", ()):
            name = chosen.plan.matcher["names"][number]
            return False, f"on demand{comes}. To let its keywords call it: limpet rules edit {name.lower()} --on"
        return False, f"none of its keywords is in the prompt{comes}"
    matched = _matched(chosen, number)
    if EVERYWHERE in chosen.excluded:
        return False, f"excluded by GLOBAL_EXCLUDE: {', '.join(chosen.excluded[EVERYWHERE])}{matched}"
    if number in chosen.excluded:
        return False, f"excluded by: {', '.join(chosen.excluded[number])}{matched}"
    return True, f"matched: {', '.join(chosen.matched[number])}"


def _matched(chosen: ChosenRules, number: int) -> str:
    words = chosen.matched.get(number, ())
    return f" (matched: {', '.join(words)})" if words else ""


def _outcome(seen: Preview, number: int, piece: str, why: str) -> tuple[bool, str]:
    record, bracket = seen.chosen.records.get(number), seen.request.window.bracket
    if record and not any(dict(record)[part] for part in SAYING):
        return False, f"{why}, but it has no rules"
    if piece == f"CONTEXT {bracket}" and seen.request.rules.bracket is None:
        return False, f"{why}, but it says nothing at {bracket}"
    left_out = [choice.why for choice in seen.result.choices if choice.piece.name == piece and not choice.shown]
    return True, f"{why}; not in the block: {left_out[0]}" if left_out else why


def _piece_name(seen: Preview, number: int, name: str, kind: str) -> str:
    if kind == "context":
        return f"{name} {seen.request.window.bracket}"
    agent = seen.context.in_force.agent
    return f"agent {agent}" if number in seen.chosen.by_agent else name


def _preview(project: Project, prompt: str) -> Preview:
    session = project.caller.conversation if project.caller.reader.own else ""
    return preview(project.workspace, prompt, session=session, clock=Clock())


def _described(entry: RuleDomain, why: str) -> dict[str, Any]:
    return {"domain": entry.domain.name, "why": why, "rules": [rule for _, rule in entry.lines]}
