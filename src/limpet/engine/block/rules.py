"""The rules as the block has them, by what brings them: the constitution, what always holds, the active agent's, those
of workflow and squads, and those that the prompt's words call."""

from __future__ import annotations

from limpet.context.repetition import rules_digest
from limpet.context.values import AgentView, Charter, Rules, RuleSet
from limpet.engine.block.choose import deeds_done
from limpet.engine.event_context import OTHER_CLASS, ChosenRules, EventContext
from limpet.ground.digest import digest
from limpet.rules.matching import EVERYWHERE, split_signs
from limpet.rules.plan.plan import EXTEND, squad_of
from limpet.work.session import EPOCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from limpet.rules.plan.plan import Record


def find_charter(chosen: ChosenRules, at_work: bool, registered: bool) -> Charter:
    charter = chosen.plan.matcher["charter"]
    registry = charter["short_with_registry"] if registered else ()
    digests = "".join(record["digest"] for record in chosen.of_kind("constitution"))
    return Charter(
        short=(*(charter["short"] if at_work else charter["short_before_work"]), *registry),
        articles=_project_articles(chosen),
        digest=f"{charter['digest']}{at_work:d}{registered:d}{digests}",
    )


def find_rules(context: EventContext, chosen: ChosenRules, bracket: str, agent: AgentView | None) -> RuleSet:
    standing = (*chosen.of_kind("global"), *chosen.of_kind("always"))
    brought = [chosen.records[number] for number in chosen.by_workflow if number in chosen.records]
    matcher = chosen.plan.matcher
    names = ((_to_list(context, chosen, number), words) for number, words in matcher["directory"])
    return RuleSet(
        standing=tuple(_rules(record) for record in standing if _says(record)),
        bracket=_bracket_rules(chosen, bracket),
        workflow=tuple(_rules(record) for record in brought if _says(record)),
        squads=_squad_rules(chosen),
        domains=_domains(chosen),
        held=_held(context, chosen, agent),
        directory=tuple((name, words) for name, words in names if name),
        listed=matcher["listed"],
        fetched=_fetched(context, chosen),
    )


def called_rules(chosen: ChosenRules) -> tuple[Rules, ...]:
    """The rules of the domains that something else than a prompt called, and that no other layer brings."""
    own = chosen.squad.numbers if chosen.squad else range(0)
    names = {chosen.plan.matcher["names"][number] for number in chosen.matched if number not in own}
    squads = (rules for rules in _squad_rules(chosen) if rules.name in names)
    return (*_domains(chosen), *(rules for rules in squads if rules.rules))


def find_agent(context: EventContext, chosen: ChosenRules) -> tuple[AgentView | None, str]:
    """The agent in force, and the note on a mistake in its file, "" for none."""
    name = context.in_force.agent
    if not name or name == context.mirror.work.get("unknown_agent"):  # a note says so
        return None, ""
    from limpet.roles.compiled import read_agent  # most prompts have none

    said = read_agent(context.workspace, name, context.mirror.agents, context.patience("compiler"))
    numbers = [number for number in chosen.by_agent if number in chosen.records]
    records = [chosen.records[number] for number in numbers]
    agent = AgentView(
        name=name,
        mission=said.get("mission", ""),
        inputs=said.get("inputs", ""),
        outputs=said.get("outputs", ""),
        criteria=said.get("criteria", "") or context.mirror.work.get("criteria", {}).get(name, ""),
        steps=tuple(said.get("steps", ())),
        checklist=tuple(said.get("checklist", ())),
        commands=tuple(said.get("commands", ())),
        authority=_each_once(*(record["authority"] for record in records), said.get("authority", ())),
        rules=_each_once(*(record["rules"] for record in records), said.get("rules", ())),
    )
    mistake = said.get("mistake", "")
    note = (
        f"{mistake} (limpet work agent show {name})" if mistake else _model_note(context, name, said.get("model", ""))
    )
    return agent.replace(digest=digest(repr(agent))), note


def _model_note(context: EventContext, agent: str, needed: str) -> str:
    """For a model of a lower class than the agent names (article XVI); "" where no class is known."""
    classes = context.mirror.settings["agents"]["models"]
    words = context.model.lower().partition("[")[0].split("-")
    running = next((one for one in classes if not {*words}.isdisjoint(classes[one])), "")
    order = list(classes)
    if not running or needed not in order or order.index(running) >= order.index(needed):
        return ""
    return f"{OTHER_CLASS}{agent} is for a {needed} model, {context.model} is {running}: tell the user, who decides"


def _each_once(*groups: Iterable[str]) -> tuple[str, ...]:
    once: dict[str, None] = {}
    for group in groups:
        once.update(dict.fromkeys(group))
    return tuple(once)


def _rules(record: Record, matched: tuple[str, ...] = ()) -> Rules:
    rules = (*record["authority"], *record["rules"])
    firm = "firm" in record
    return Rules(name=record["name"], rules=rules, digest=record["digest"], matched=matched, firm=firm)


def _says(record: Record) -> bool:
    return bool(record["rules"] or record["authority"])


def _bracket_rules(chosen: ChosenRules, bracket: str) -> Rules | None:
    """CRITICAL without rules of its own uses DEPLETED's."""
    found: list[str] = []
    for record in chosen.of_kind("context"):
        brackets = record["brackets"]
        name = "DEPLETED" if bracket == "CRITICAL" and not brackets.get("CRITICAL") else bracket
        if name not in record["disabled"]:
            found += brackets.get(name, [])
        found += record["rules"]
    return Rules(name="CONTEXT", rules=tuple(found), digest="") if found else None


def _domains(chosen: ChosenRules) -> tuple[Rules, ...]:
    if EVERYWHERE in chosen.excluded:
        return ()
    matcher = chosen.plan.matcher
    brought = (*chosen.by_agent, *chosen.by_workflow)
    taken = {*brought, *matcher["kinds"].get("always", ())}
    found = [
        _rules(chosen.records[number], _words(chosen, number))
        for number in sorted(chosen.matched)
        if number in chosen.records and number < matcher["squads_from"] and number not in taken
    ]
    return tuple(rules for rules in found if rules.rules)


def _held(context: EventContext, chosen: ChosenRules, agent: AgentView | None) -> dict[str, str]:
    sent = context.session[EPOCH].get("rules", {})
    names = chosen.plan.matcher["names"]
    held = {
        names[number]: rules_digest(_rules(record).rules)
        for number, record in chosen.held.items()
        if _says(record) and _still_holds(chosen, number, sent[names[number]][1])
    }
    return held | ({f"agent {agent.name}": agent.digest} if agent else {})


def _still_holds(chosen: ChosenRules, number: int, layer: str) -> bool:
    name = chosen.plan.matcher["names"][number]
    squad = squad_of(chosen.plan.matcher, number)
    if squad is not None:
        return squad == chosen.squad or squad.mode == EXTEND
    if number in chosen.records and chosen.records[number]["name"] != name:
        return False
    return layer != "L3" or number in chosen.matched or number in chosen.by_workflow


def _fetched(context: EventContext, chosen: ChosenRules) -> tuple[tuple[str, str], ...]:
    """What also comes with a deed is named once that was done."""
    matcher = chosen.plan.matcher
    deeds, done = dict(matcher.get("deeds", ())), deeds_done(context)
    listed = (
        (number, when)
        for number, when in matcher.get("fetched", ())
        if not deeds.get(number) or done & {*deeds[number]}
    )
    return tuple((name, when) for number, when in listed if (name := _to_name(context, chosen, number)))


def _to_list(context: EventContext, chosen: ChosenRules, number: int) -> str:
    return _to_name(context, chosen, number) if context.session[EPOCH].get("stable") is None else ""


def _to_name(context: EventContext, chosen: ChosenRules, number: int) -> str:
    """The domain's name; "" for one that is off, or that the conversation has or gets now."""
    name = chosen.plan.matcher["names"][number]
    sent = f"L6 {name}" in context.session[EPOCH].get("sent", {})
    return name if chosen.active[number] and number not in chosen.records and not sent else ""


def _squad_rules(chosen: ChosenRules) -> tuple[Rules, ...]:
    matcher = chosen.plan.matcher
    own = chosen.squad.numbers if chosen.squad else range(0)
    numbers = sorted((n for n in chosen.records if n >= matcher["squads_from"]), key=lambda n: (n not in own, n))
    squads = {number: squad_of(matcher, number) for number in numbers}
    return tuple(
        _rules(chosen.records[number], _words(chosen, number)).replace(squad=squad.id)
        for number, squad in squads.items()
        if squad and _says(chosen.records[number])
    )


def _words(chosen: ChosenRules, number: int) -> tuple[str, ...]:
    return tuple(split_signs(word)[1] for word in chosen.matched.get(number, ()))


def _project_articles(chosen: ChosenRules) -> tuple[tuple[str, tuple[str, ...]], ...]:
    articles = [(heading, tuple(duties)) for heading, duties in chosen.plan.matcher["charter"]["project"]]
    for record in chosen.of_kind("constitution"):
        for number, texts in record["articles"].items():
            articles.append((f"Article {number}. {texts[0]}", tuple(texts[1:])))
        if record["rules"]:
            articles.append((record["name"].title(), tuple(record["rules"])))
    return tuple(articles)
