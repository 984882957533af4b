"""Chooses the rules that an event needs: by what always holds, who and what is active, the squad, the prompt's words,
and the deeds that domains come with."""

from __future__ import annotations

from limpet.engine.event_context import ChosenRules, EventContext
from limpet.roles.roster import name_for
from limpet.rules.matching import EVERYWHERE, FAILED_CHECK, STORY, find_matches
from limpet.rules.plan.plan import ALONE, OVERRIDE, find_squad, squad_of
from limpet.rules.plan.store import fresh_records, open_plan
from limpet.work import in_force
from limpet.work.session import EPOCH, FAILED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.rules.plan.plan import Record, RulePlan, Squad

ALWAYS = ("constitution", "global", "context", "always")
# The events whose block has what was done before; a subagent's window is its own.
BLOCKS = ("session_start", "prompt")
# Stars in a prompt, up to which the words of its commands are told from the others: what has more was pasted.
STARS = 200
# Domains whose files are compared when a conversation starts: what they name and check is in the plan.
LOOKED_AT = 1000


def open_called_rules(context: EventContext) -> RulePlan:
    """Edited files count: their commands where a star was typed, at a start all that they say."""
    way = str(context.mirror.settings["rules"]["match"])
    plan = open_plan(context.workspace, way, is_late=lambda: not context.clock.left())
    looked_at = plan.matcher["kinds"].get("commands", []) if "*" in context.event.prompt else []
    if context.event.kind == "session_start":
        looked_at = [*range(len(plan.matcher["names"]))][:LOOKED_AT]
    stale = fresh_records(context.workspace, plan, looked_at) is None
    return _anew(context) if stale else plan


def choose(context: EventContext) -> ChosenRules:
    """An edited file is compiled, and matched once more."""
    plan = context.plan
    chosen = None if plan is None or context.session.get("reload") else _choose(context, plan, checked=True)
    if chosen is None:
        chosen = _choose(context, _anew(context), checked=False)
    assert chosen is not None
    return chosen


def choose_called(context: EventContext, called: dict[int, list[str]]) -> ChosenRules:
    """``called``: what called each domain that no prompt's words did. Edited files count as they are now."""
    plan = context.plan
    chosen = None if plan is None else _choose(context, plan, checked=True, called=called)
    if chosen is None:
        assert plan is not None
        anew, names = _anew(context), plan.matcher["names"]
        moved = {names[number]: words for number, words in called.items()}
        again = {number: moved[name] for number, name in enumerate(anew.matcher["names"]) if name in moved}
        chosen = _choose(context, anew, checked=False, called=again)
    assert chosen is not None
    return chosen


def is_devmode(context: EventContext, chosen: ChosenRules) -> bool:
    override = context.session["overrides"].get("DEVMODE")
    if isinstance(override, bool):
        return override
    return bool(chosen.plan.matcher["devmode"] or context.mirror.settings["rules"]["devmode"])


def is_agent_at_work(context: EventContext) -> bool:
    return in_force.is_at_work(context.in_force, context.mirror.work.get("lock"), context.mirror.settings)


def brought_by(workflow: str, plan: RulePlan) -> list[int]:
    """Case and ``_`` for ``-`` do not count, as in the manifest."""
    return plan.matcher["workflows"].get(workflow.strip().lower().replace("_", "-"), [])


def of_workflow(context: EventContext, plan: RulePlan) -> list[int]:
    """The domains that the workflow brings now (L3): those of the project's current step, in its order, then those that
    the manifest gives to the workflow and that belong to no other step."""
    found, names = context.in_force, plan.matcher["names"]

    def named(key: str) -> list[int]:
        listed = context.mirror.work.get(key) if found.follows_project else None
        return [names.index(name) for name in listed if name in names] if isinstance(listed, list) else []

    step, steps = named("domains"), named("all_domains")
    always = [number for number in brought_by(found.workflow, plan) if number not in steps]
    return list(dict.fromkeys([*step, *always]))


def triggered_by(context: EventContext, plan: RulePlan) -> list[int]:
    """The domains that the active agent brings: those of its id, else those of an alias (decision 34) that no agent of
    the project's own has for a name; those that are off count as if they were not there."""
    found, active = context.in_force, active_domains(context, plan)
    triggers = {}
    for name, numbers in plan.matcher["agents"].items():
        on = [number for number in numbers if active[number]]
        if on:
            triggers[name] = on
    names = [name for name in triggers if name == found.agent or name not in found.own_agents]
    return triggers.get(name_for(found.agent, names), [])


def is_namesake(plan: RulePlan, number: int) -> bool:
    """Whether a squad's domain has the name of one of the project's. Raises ValueError where the plan was spoilt."""
    return plan.record(number)["plain"] in plan.matcher["names"][: plan.matcher["squads_from"]]


def active_domains(context: EventContext, plan: RulePlan) -> list[bool]:
    """Which domains are on: the manifest's word, then this conversation's; the constitution always."""
    told = _overrides(context)
    active = plan.matcher["active"]
    if plan.matcher["at_work"] and not is_agent_at_work(context):
        active = [on and number not in plan.matcher["at_work"] for number, on in enumerate(active)]
    if not told:
        return active
    names, firm = plan.matcher["names"], ("CONSTITUTION", *plan.matcher.get("firm", ()))
    return [
        told[name] if name not in firm and isinstance(told.get(name), bool) else default
        for name, default in zip(names, active, strict=True)
    ]


def _anew(context: EventContext) -> RulePlan:
    way = str(context.mirror.settings["rules"]["match"])
    return open_plan(context.workspace, way, anew=True, is_late=lambda: not context.clock.left())


def _choose(
    context: EventContext, plan: RulePlan, checked: bool, called: dict[int, list[str]] | None = None
) -> ChosenRules | None:
    active = active_domains(context, plan)
    prompt = _matched_part(context, plan)
    squad = find_squad(plan.matcher, context.in_force.squad)
    try:
        matched, excluded = _heard(context, plan, prompt) if prompt else (called or {}, {})
        matched = {**_brought(context, plan), **matched} if context.event.kind in BLOCKS else matched
        wanted = _called(plan, squad, matched, excluded)
    except ValueError:  # the plan was spoilt
        if checked:
            return None
        raise
    by_agent, by_workflow = triggered_by(context, plan), of_workflow(context, plan)
    needed = [*_standing(context, plan), *by_agent, *by_workflow, *_of_squad(squad, excluded), *wanted]
    numbers = [number for number in dict.fromkeys(needed) if active[number]]
    names, sent = plan.matcher["names"], context.session[EPOCH].get("rules", ())
    held = [names.index(name) for name in sent if name in names and active[names.index(name)]]
    # Also a domain of each squad that its mode kept silent: its files tell of a new mode.
    squads = [squad, *(squad_of(plan.matcher, number) for number in matched)]
    asked = [one.numbers[0] for one in squads if one and one.numbers]
    seen = [*numbers, *(number for number in (*asked, *held) if number not in numbers)]
    records = fresh_records(context.workspace, plan, seen) if checked else [plan.record(number) for number in seen]
    if records is None:
        return None
    found = dict(zip(numbers, records, strict=False))
    return ChosenRules(
        plan=plan,
        records=_overridden(squad, found),
        active=active,
        matched=matched,
        excluded=excluded,
        by_agent=by_agent,
        by_workflow=by_workflow,
        squad=squad,
        held={number: record for number, record in zip(seen, records, strict=True) if number in held},
    )


def _matched_part(context: EventContext, plan: RulePlan) -> str:
    prompt = context.event.prompt[: context.mirror.settings["rules"]["match_characters"]]
    if not (0 < prompt.count("*") <= STARS or prompt[:1] in ("/", "$")):
        return prompt
    from limpet.engine.commands.agent import known_commands
    from limpet.rules.format.domain import task_in

    return task_in(prompt, known_commands(plan))


def _heard(context: EventContext, plan: RulePlan, prompt: str) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
    """A domain on demand hears its words where this conversation switched it on, or the user wants all rules always."""
    matched, excluded = find_matches(plan.matcher["index"], prompt)
    names, full = plan.matcher["names"], context.mirror.settings["rules"]["full"]
    told = _overrides(context)
    deaf = [number for number in plan.matcher.get("on_demand", ()) if not (full or told.get(names[number]) is True)]
    return {number: words for number, words in matched.items() if number not in deaf}, excluded


def deeds_done(context: EventContext) -> set[str]:
    """What a domain may come with, of what was done: a check that failed, a story under way."""
    task = context.in_force.task
    is_story = isinstance(task, dict) and bool(task.get("id"))
    done = {FAILED_CHECK: bool(context.session[EPOCH].get(FAILED)), STORY: is_story}
    return {deed for deed, is_done in done.items() if is_done}


def _brought(context: EventContext, plan: RulePlan) -> dict[int, list[str]]:
    """What comes with a deed comes once an epoch; a domain that says when to read it comes as that line alone, unless
    the user wants all rules always."""
    epoch, names, done = context.session[EPOCH], plan.matcher["names"], deeds_done(context)
    named = () if context.mirror.settings["rules"]["full"] else dict(plan.matcher.get("fetched", ()))
    known = (*epoch.get("rules", ()), *(key.removeprefix("off L6 ") for key in epoch.get("sent", ())))
    brought = {}
    for number, deeds in plan.matcher.get("deeds", ()):
        for deed in deeds:
            if deed in done and names[number] not in known and number not in named:
                brought[number] = [deed.replace("-", " ")]
    return brought


def _standing(context: EventContext, plan: RulePlan) -> list[int]:
    kinds = plan.matcher["kinds"]
    wanted = (*ALWAYS, "commands") if "*" in context.event.prompt else ALWAYS
    numbers: list[int] = []
    for kind in wanted:
        numbers += kinds.get(kind, ())
    return numbers


def _of_squad(squad: Squad | None, excluded: dict[int, list[str]]) -> list[int]:
    """A squad that stands alone is beyond the exclusions for all."""
    if squad is None or (EVERYWHERE in excluded and squad.mode != ALONE):
        return []
    return [number for number in squad.numbers if number not in excluded]


def _called(
    plan: RulePlan, active_squad: Squad | None, matched: dict[int, list[str]], excluded: dict[int, list[str]]
) -> list[int]:
    """A squad that stands alone hears the prompt's words only while it is active."""
    if EVERYWHERE in excluded:
        return []
    found = []
    for number in matched:
        squad = squad_of(plan.matcher, number)
        if number not in excluded and (squad in (None, active_squad) or _hears(plan, squad, number)):
            found.append(number)
    return found


def _hears(plan: RulePlan, squad: Squad | None, number: int) -> bool:
    """Not where its squad stands alone, nor where it would override one of the project's while that is not active."""
    mode = squad.mode if squad else ""
    return mode != ALONE and not (mode == OVERRIDE and is_namesake(plan, number))


def _overridden(squad: Squad | None, records: dict[int, Record]) -> dict[int, Record]:
    """An overriding squad's domains speak in the layer of those they replace; the constitution is never replaced."""
    if squad is None or squad.mode != OVERRIDE:
        return records
    own = {record["plain"]: number for number, record in records.items() if number in squad.numbers}
    replaced = {
        number: own[record["name"]]
        for number, record in records.items()
        if number not in squad.numbers and record["name"] in own and record["name"] != "CONSTITUTION"
    }
    kept = {number: record for number, record in records.items() if number not in replaced.values()}
    return kept | {number: records[other] for number, other in replaced.items()}


def _overrides(context: EventContext) -> dict[str, Any]:
    """CARL and SYNAPSE name the manifest's key for a domain."""
    overrides: dict[str, Any] = context.session["overrides"]
    return {name.removesuffix("_STATE"): on for name, on in overrides.items() if name.endswith("_STATE")} | overrides
