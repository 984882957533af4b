"""From plan, mirror and conversation state to the context room's request."""

from __future__ import annotations

from holdfast.context.brackets import bracket_of
from holdfast.context.repetition import rules_digest
from holdfast.context.request import Request
from holdfast.context.values import Agent, Handoff, Rules, Task
from holdfast.engine.block.choose import is_at_work, of_workflow, triggered_by
from holdfast.engine.block.recall import opens, recall
from holdfast.engine.block.recovery import advice, lines_left
from holdfast.ground.text.escaping import clip
from holdfast.roles.roster import resolve
from holdfast.rules.matching import EVERYWHERE, split_signs
from holdfast.rules.plan.squads import EXTEND, squad_of
from holdfast.work.in_force import find_modes, find_user_level
from holdfast.work.session import EPOCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from holdfast.engine.event_context import Chosen, EventContext
    from holdfast.rules.plan.plan import Record

# What a prompt makes and cannot keep, the next one makes again.
UNKEPT = "the user's cache folder is not writable, so prompts take longer (holdfast doctor)"


def make_request(context: EventContext, chosen: Chosen, starting: bool, executor: str = "") -> Request:
    """Return all that the block is made of; the context knows its usage.

    ``executor``: the one that it is for, "" for the task's.
    """
    usage = context.usage
    assert usage is not None
    matcher = chosen.plan.matcher
    bracket = bracket_of(usage.remaining, context.mirror.settings["context"])
    found = context.in_force
    task = _task(context.session.get("task") or context.mirror.work.get("task") or context.mirror.session.get("task"))
    executor = executor or (task.executor if task else "agent")
    recalled = recall(context, bracket, executor, opens(context, starting))
    charter, at_work, following = matcher["charter"], is_at_work(context), _following(context)
    mode, permission = find_modes(found, context.mirror.settings)
    agent, agent_note = _agent(context, chosen)
    pipeline = _text(context.mirror.work, "pipeline") if found.follows_project else ""
    return Request(
        settings=context.mirror.settings["context"],
        bracket=bracket,
        remaining=usage.remaining,
        source=usage.source,
        prompt_number=context.session["prompt_count"],
        starting=starting,
        epoch=context.session[EPOCH],
        mode=mode,
        permission=permission,
        user_level=find_user_level(context.mirror.session) if at_work else "",
        lock=_text(context.mirror.work, "lock"),
        executor=executor,
        short=tuple(charter["short"] if at_work else charter["short_before_work"]),
        titles=_titles(chosen, at_work),
        project_articles=_project_articles(chosen),
        charter_digest=f"{charter['digest']}{at_work:d}"
        + "".join(record["digest"] for record in chosen.of_kind("constitution")),
        record=bool(context.mirror.settings["memory"]["recording"]["told"]) and not context.workspace.stranger,
        remind=context.remind,
        standing=tuple(
            _rules(record) for record in (*chosen.of_kind("global"), *chosen.of_kind("always")) if _says(record)
        ),
        bracket_rules=_bracket_rules(chosen, bracket),
        following=following,
        agent=agent,
        workflow=found.workflow if pipeline else "",
        workflow_rules=_workflow_rules(context, chosen),
        pipeline=pipeline,
        spec=_spec(context, following is not None),
        continuation=lines_left(context),
        handoff=_handoff(context),
        task=task,
        squad_rules=_squad_rules(chosen),
        domains=_domains(context, chosen),
        held=_held(context, chosen, agent),
        directory=_directory(context, chosen),
        called_by_words=matcher["listed"],
        typed=context.typed,
        memory=recalled.memory,
        notes=(
            *context.notes,
            *filter(None, (recalled.note, agent_note)),
            *advice(context),
            *_notes(context, chosen),
        ),
    )


def called_rules(context: EventContext, chosen: Chosen) -> tuple[Rules, ...]:
    """Return the rules of the domains that something else than a prompt called, and that no other layer brings."""
    own = chosen.squad.numbers if chosen.squad else range(0)
    names = {chosen.plan.matcher["names"][number] for number in chosen.matched if number not in own}
    squads = (rules for rules in _squad_rules(chosen) if rules.name in names)
    return (*_domains(context, chosen), *(rules for rules in squads if rules.rules))


def _following(context: EventContext) -> tuple[str, str] | None:
    """Return words and command of what comes next: for the conversation's own task, unless a deviation interrupts the
    project's work, else for the project."""
    own, ours = context.session.get("task"), context.in_force.follows_project
    mine = own.get("next") if isinstance(own, dict) else None
    found = context.mirror.work.get("next") if ours else None
    if isinstance(mine, dict) and not (isinstance(found, dict) and found.get("interrupts")):
        found = mine
    return (_text(found, "words"), _text(found, "command")) if isinstance(found, dict) else None


def _spec(context: EventContext, follows: bool) -> tuple[str, ...]:
    """Return the lines on the specs; what is next is said by the work, where any is under way."""
    lines = _texts(context.mirror.work, "spec")
    return tuple(line for place, line in enumerate(lines) if not (follows and place and line.startswith("next: ")))


def _agent(context: EventContext, chosen: Chosen) -> tuple[Agent | None, str]:
    """Return the agent in force, and the note on its file."""
    name = context.in_force.agent
    if not name or name == context.mirror.work.get("unknown_agent"):  # a note says so
        return None, ""
    from holdfast.engine.block.agent import find_agent  # only where there is one: most prompts have none

    return find_agent(context, chosen)


def _rules(record: Record, matched: tuple[str, ...] = ()) -> Rules:
    rules = (*record["authority"], *record["rules"])
    return Rules(name=record["name"], rules=rules, digest=record["digest"], matched=matched)


def _says(record: Record) -> bool:
    return bool(record["rules"] or record["authority"])


def _bracket_rules(chosen: Chosen, bracket: str) -> Rules | None:
    """Return the current bracket's rules only; CRITICAL without rules of its own uses DEPLETED's."""
    found: list[str] = []
    for record in chosen.of_kind("context"):
        brackets = record["brackets"]
        name = "DEPLETED" if bracket == "CRITICAL" and not brackets.get("CRITICAL") else bracket
        if name not in record["disabled"]:
            found += brackets.get(name, [])
        found += record["rules"]
    return Rules(name="CONTEXT", rules=tuple(found), digest="") if found else None


def _workflow_rules(context: EventContext, chosen: Chosen) -> tuple[Rules, ...]:
    numbers = [number for number in of_workflow(context, chosen.plan) if number in chosen.records]
    return tuple(_rules(chosen.records[number]) for number in numbers if _says(chosen.records[number]))


def _domains(context: EventContext, chosen: Chosen) -> tuple[Rules, ...]:
    """Return the global domains that the prompt's words called and that no other layer has loaded already."""
    if EVERYWHERE in chosen.excluded:
        return ()
    matcher = chosen.plan.matcher
    brought = (*triggered_by(context, chosen.plan), *of_workflow(context, chosen.plan))
    taken = {*brought, *matcher["kinds"].get("always", ())}
    found = [
        _rules(chosen.records[number], _words(chosen, number))
        for number in sorted(chosen.matched)
        if number in chosen.records and number < matcher["squads_from"] and number not in taken
    ]
    return tuple(rules for rules in found if rules.rules)


def _held(context: EventContext, chosen: Chosen, agent: Agent | None) -> dict[str, str]:
    """Return what of the rules that this epoch was sent is still in force, with the hash that it has now."""
    sent = context.session[EPOCH].get("rules", {})
    names = chosen.plan.matcher["names"]
    held = {
        names[number]: rules_digest(_rules(record).rules)
        for number, record in chosen.held.items()
        if _says(record) and _still_holds(context, chosen, number, sent[names[number]][1])
    }
    return held | ({f"agent {agent.name}": agent.digest} if agent else {})


def _still_holds(context: EventContext, chosen: Chosen, number: int, layer: str) -> bool:
    """Return whether what was sent in a layer holds: there may be another workflow, step or squad now."""
    name = chosen.plan.matcher["names"][number]
    squad = squad_of(chosen.plan.matcher, number)
    if squad is not None:
        return squad == chosen.squad or squad.mode == EXTEND
    if number in chosen.records and chosen.records[number]["name"] != name:
        return False
    return layer != "L3" or number in chosen.matched or number in of_workflow(context, chosen.plan)


def _directory(context: EventContext, chosen: Chosen) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the directory without the domains that the conversation has or gets now; none where the stable part was
    sent."""
    epoch = context.session[EPOCH]
    if epoch.get("stable") is not None:
        return ()
    names, sent = chosen.plan.matcher["names"], epoch.get("sent", {})
    return tuple(
        (names[number], words)
        for number, words in chosen.plan.matcher["directory"]
        if chosen.active[number] and number not in chosen.records and f"L6 {names[number]}" not in sent
    )


def _squad_rules(chosen: Chosen) -> tuple[Rules, ...]:
    """Return the active squad's domains, then those of other squads that the prompt's words called."""
    matcher = chosen.plan.matcher
    own = chosen.squad.numbers if chosen.squad else range(0)
    numbers = sorted((n for n in chosen.records if n >= matcher["squads_from"]), key=lambda n: (n not in own, n))
    squads = {number: squad_of(matcher, number) for number in numbers}
    return tuple(
        _rules(chosen.records[number], _words(chosen, number)).replace(squad=squad.id)
        for number, squad in squads.items()
        if squad and _says(chosen.records[number])
    )


def _words(chosen: Chosen, number: int) -> tuple[str, ...]:
    return tuple(split_signs(word)[1] for word in chosen.matched.get(number, ()))


def _project_articles(chosen: Chosen) -> tuple[tuple[str, tuple[str, ...]], ...]:
    articles = [(heading, tuple(duties)) for heading, duties in chosen.plan.matcher["charter"]["project"]]
    for record in chosen.of_kind("constitution"):
        articles += [
            (f"Article {number}. {texts[0]}", tuple(texts[1:])) for number, texts in record["articles"].items()
        ]
        if record["rules"]:
            articles.append((record["name"].title(), tuple(record["rules"])))
    return tuple(articles)


def _titles(chosen: Chosen, at_work: bool) -> tuple[str, ...]:
    """Return the titles of the articles that bind now, the project's own first, so that no cut takes them."""
    charter = chosen.plan.matcher["charter"]
    shipped = charter["titles"] if at_work else charter["always"]
    own = [heading.rpartition(" (")[0] or heading for heading, _ in _project_articles(chosen)]
    plain = [title.replace(".", "", 1) for title in own]
    return tuple(dict.fromkeys((*plain, *shipped)))


def _task(found: object) -> Task | None:
    if not isinstance(found, dict):
        return Task(title=found) if isinstance(found, str) and found else None
    title = str(found.get("title") or found.get("id") or "")
    if not title or found.get("problem"):  # whose story cannot be read
        return None
    return Task(
        title=title,
        story=_text(found, "id"),
        executor=_text(found, "executor") or "agent",
        agent=_text(found, "agent"),
        progress=_text(found, "progress"),
        pre_conditions=_checks(found, "pre_conditions"),
        acceptance=_checks(found, "acceptance"),
        files=tuple((str(pair[0]), str(pair[1])) for pair in _pairs(found, "files")),
    )


def _handoff(context: EventContext) -> Handoff | None:
    """Return what was handed over to the agent that is active here."""
    found = context.mirror.work.get("handoff")
    if not isinstance(found, dict) or found.get("to") != context.in_force.agent:
        return None
    return Handoff(source=_text(found, "from"), score=_text(found, "score"), lines=_texts(found, "lines"))


def _checks(found: dict[str, Any], name: str) -> tuple[tuple[bool, str], ...]:
    return tuple((bool(pair[0]), str(pair[1])) for pair in _pairs(found, name))


def _pairs(found: dict[str, Any], name: str) -> list[Any]:
    pairs = found.get(name)
    return [pair for pair in pairs if isinstance(pair, list) and len(pair) == 2] if isinstance(pairs, list) else []


def _text(found: dict[str, Any], name: str) -> str:
    value = found.get(name)
    return value if isinstance(value, str) else ""


def _texts(found: dict[str, Any], name: str) -> tuple[str, ...]:
    values = found.get(name)
    return tuple(value for value in values if isinstance(value, str)) if isinstance(values, list) else ()


def _is_own_agent(record: Record) -> bool:
    return record["kind"] == "agent" and resolve(record["plain"].removeprefix("AGENT_")) is None


def _notes(context: EventContext, chosen: Chosen) -> tuple[str, ...]:
    notes = [context.mirror.note] if context.mirror.note else []
    if not (chosen.plan.kept and context.mirror.kept):
        notes.append(UNKEPT)
    own = context.session.get("task")
    if isinstance(own, dict) and own.get("problem"):
        notes.append(f"{clip(_text(own, 'problem'), 110)} (holdfast story list)")
    if context.mirror.problems:
        problem = context.mirror.problems[0]
        names_command = "holdfast " in problem
        notes.append(problem if names_command else f"{clip(problem, 90)} (holdfast config check, holdfast status)")
    if not chosen.plan.matcher["names"] and not context.workspace.stranger:
        notes.append("no rules: the manifest is missing or empty (holdfast rules check)")
    silent = [
        record["name"]
        for record in chosen.records.values()
        if not record["digest"] and record["plain"] != "CONSTITUTION" and not _is_own_agent(record)
    ]
    if silent:
        notes.append(f"no rules file for {clip(', '.join(silent), 60)} (holdfast rules check)")
    if chosen.plan.matcher["problems"]:
        notes.append(f"rules: {chosen.plan.matcher['problems']} mistakes (holdfast rules check)")
    if len(context.event.prompt) > context.mirror.settings["rules"]["match_characters"]:
        notes.append("long prompt: only its beginning was searched for keywords")
    return tuple(notes)
