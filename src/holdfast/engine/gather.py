"""From plan, mirror and conversation state to the context room's request."""

from __future__ import annotations

from holdfast.context.brackets import bracket_of
from holdfast.context.usage import Usage
from holdfast.context.values import Agent, Request, Rules, Task, Typed
from holdfast.ground.values import Value
from holdfast.roles.roster import ROLES, resolve
from holdfast.rules.matcher import EVERYWHERE, find_matches
from holdfast.rules.store import fresh_records, open_plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from holdfast.engine.turn import Turn
    from holdfast.rules.plan import Plan, Record


# What a conversation says when it wants no agent though the project has one.
NOBODY = "none"


class Chosen(Value):
    """The plan's records that an event needs: by role, and by keyword with the words that called them."""

    plan: Plan
    records: dict[int, Record]
    active: list[bool]
    matched: dict[int, list[str]]
    excluded: dict[int, list[str]]

    def of_kind(self, kind: str) -> list[Record]:
        """The active records of a kind."""
        return [self.records[number] for number in self.plan.matcher["kinds"].get(kind, ()) if number in self.records]


def setting(turn: Turn, session_key: str, project_key: str, fallback: object = None) -> Any:
    """A field of this conversation, else of the project, else the fallback (decision 11)."""
    return turn.session.get(session_key) or turn.mirror.session.get(project_key) or fallback


def open_rules(turn: Turn) -> Plan:
    """The project's rules as they stand; where a star was typed, with the commands of an edited file."""
    way = str(turn.mirror.settings["rules"]["match"])
    plan = open_plan(turn.workspace, way)
    commands = plan.matcher["kinds"].get("commands", []) if "*" in turn.event.prompt else []
    stale = fresh_records(turn.workspace, plan, commands) is None
    return open_plan(turn.workspace, way, anew=True) if stale else plan


def choose(turn: Turn, plan: Plan) -> Chosen:
    """Match the prompt, then read the records it needs; an edited file is compiled and matched once more."""
    chosen = None if turn.session.get("reload") else _choose(turn, plan, checked=True)
    if chosen is None:
        anew = open_plan(turn.workspace, str(turn.mirror.settings["rules"]["match"]), anew=True)
        chosen = _choose(turn, anew, checked=False)
    assert chosen is not None
    return chosen


def make_request(turn: Turn, chosen: Chosen, usage: Usage, typed: tuple[Typed, ...], starting: bool) -> Request:
    """All that the block is made of."""
    matcher = chosen.plan.matcher
    bracket = bracket_of(usage.remaining, turn.mirror.settings["context"])
    task = _task(setting(turn, "task", "task"))
    charter = matcher["charter"]
    return Request(
        settings=turn.mirror.settings["context"],
        bracket=bracket,
        remaining=usage.remaining,
        source=usage.source,
        prompt_number=turn.session["prompt_count"],
        starting=starting,
        stretch=turn.session["stretch"],
        mode=str(setting(turn, "mode", "mode", turn.mirror.settings["work"]["mode"])),
        permission=str(setting(turn, "permission", "permission", turn.mirror.settings["guard"]["permission"])),
        lock=str(turn.mirror.session.get("lock") or ""),
        executor=task.executor if task else "agent",
        short=tuple(charter["short"]),
        titles=tuple(charter["titles"]),
        project_articles=_project_articles(chosen),
        charter_digest=charter["digest"] + "".join(record["digest"] for record in chosen.of_kind("constitution")),
        standing=tuple(
            _rules(record) for record in (*chosen.of_kind("global"), *chosen.of_kind("always")) if _says(record)
        ),
        bracket_rules=_bracket_rules(chosen, bracket),
        agent=_agent(turn, chosen),
        workflow=str(setting(turn, "workflow", "workflow", "")),
        workflow_rules=_workflow_rules(turn, chosen),
        task=task,
        squad=str(setting(turn, "squad", "squad", "")),
        domains=_domains(turn, chosen),
        typed=typed,
        notes=(*turn.notes, *_notes(turn, chosen)),
    )


def is_devmode(turn: Turn, chosen: Chosen) -> bool:
    """Whether this conversation, the manifest or the configuration wants the debug section."""
    override = turn.session["overrides"].get("DEVMODE")
    if isinstance(override, bool):
        return override
    return bool(chosen.plan.matcher["devmode"] or turn.mirror.settings["rules"]["devmode"])


def _choose(turn: Turn, plan: Plan, checked: bool) -> Chosen | None:
    matcher = plan.matcher
    active = _active(turn, plan)
    prompt = turn.event.prompt[: turn.mirror.settings["rules"]["match_characters"]]
    matched, excluded = find_matches(matcher["index"], prompt) if prompt else ({}, {})
    agent, workflow = active_agent(turn), str(setting(turn, "workflow", "workflow", ""))
    kinds = matcher["kinds"]
    needed = [number for kind in ("constitution", "global", "context", "always") for number in kinds.get(kind, ())]
    needed += kinds.get("commands", []) if "*" in prompt else []
    needed += triggered_by(agent, plan) + brought_by(workflow, plan)
    if EVERYWHERE not in excluded:
        needed += [number for number in matched if number not in excluded]
    numbers = [number for number in dict.fromkeys(needed) if active[number]]
    records = fresh_records(turn.workspace, plan, numbers) if checked else [plan.record(number) for number in numbers]
    if records is None:
        return None
    return Chosen(
        plan=plan,
        records=dict(zip(numbers, records, strict=True)),
        active=active,
        matched=matched,
        excluded=excluded,
    )


def _active(turn: Turn, plan: Plan) -> list[bool]:
    """Which domains are on: the manifest's word, then this conversation's; the constitution always."""
    overrides = turn.session["overrides"]
    active = plan.matcher["active"]
    if not overrides:
        return active
    names = plan.matcher["names"]
    return [
        overrides[name] if name != "CONSTITUTION" and isinstance(overrides.get(name), bool) else default
        for name, default in zip(names, active, strict=True)
    ]


def active_agent(turn: Turn) -> str:
    """The id of the active agent, "" when there is none."""
    name = str(setting(turn, "active_agent", "current_agent", NOBODY))
    return "" if name == NOBODY else find_agent(turn, name) or name.lower().lstrip("@")


def find_agent(turn: Turn, name: str) -> str | None:
    """The id that a name or alias stands for here: some differ in a brownfield workflow."""
    workflow = str(setting(turn, "workflow", "workflow", ""))
    return resolve(name, brownfield=workflow.startswith("brownfield"))


def brought_by(workflow: str, plan: Plan) -> list[int]:
    """The domains that the workflow brings; case and ``_`` for ``-`` do not count, as in the manifest."""
    return plan.matcher["workflows"].get(workflow.strip().lower().replace("_", "-"), [])


def triggered_by(agent: str, plan: Plan) -> list[int]:
    """The domains that the agent brings: a trigger may be its id or an alias (decision 34)."""
    return [
        number
        for trigger, numbers in plan.matcher["agents"].items()
        if agent and agent in (trigger, resolve(trigger), resolve(trigger, brownfield=True))
        for number in numbers
    ]


def _agent(turn: Turn, chosen: Chosen) -> Agent | None:
    name = active_agent(turn)
    if not name:
        return None
    title, mission, inputs, outputs, criteria = ROLES.get(name, ("", "", "", "", ""))
    numbers = [number for number in triggered_by(name, chosen.plan) if chosen.active[number]]
    records = [chosen.records[number] for number in numbers]
    return Agent(
        name=name,
        mission=mission or title,
        inputs=inputs,
        outputs=outputs,
        criteria=criteria,
        authority=tuple(rule for record in records for rule in record["authority"]),
        rules=tuple(rule for record in records for rule in record["rules"]),
        digest="".join(record["digest"] for record in records),
    )


def _rules(record: Record, matched: tuple[str, ...] = ()) -> Rules:
    rules = (*record["authority"], *record["rules"])
    return Rules(name=record["name"], rules=rules, digest=record["digest"], matched=matched)


def _says(record: Record) -> bool:
    return bool(record["rules"] or record["authority"])


def _bracket_rules(chosen: Chosen, bracket: str) -> Rules | None:
    """The current bracket's rules only; CRITICAL without rules of its own uses DEPLETED's."""
    found: list[str] = []
    for record in chosen.of_kind("context"):
        brackets = record["brackets"]
        name = "DEPLETED" if bracket == "CRITICAL" and not brackets.get("CRITICAL") else bracket
        if name not in record["disabled"]:
            found += brackets.get(name, [])
        found += record["rules"]
    return Rules(name="CONTEXT", rules=tuple(found), digest="") if found else None


def _workflow_rules(turn: Turn, chosen: Chosen) -> tuple[Rules, ...]:
    workflow = str(setting(turn, "workflow", "workflow", ""))
    numbers = [number for number in brought_by(workflow, chosen.plan) if chosen.active[number]]
    return tuple(_rules(chosen.records[number]) for number in numbers if _says(chosen.records[number]))


def _domains(turn: Turn, chosen: Chosen) -> tuple[Rules, ...]:
    """The domains that the prompt's words called and that no other layer has loaded already."""
    if EVERYWHERE in chosen.excluded:
        return ()
    matcher = chosen.plan.matcher
    taken = {*triggered_by(active_agent(turn), chosen.plan), *matcher["kinds"].get("always", ())}
    found = [
        _rules(chosen.records[number], tuple(word.lstrip("=") for word in words))
        for number, words in sorted(chosen.matched.items())
        if number in chosen.records and number not in chosen.excluded and number not in taken
    ]
    return tuple(rules for rules in found if rules.rules)


def _project_articles(chosen: Chosen) -> tuple[tuple[str, tuple[str, ...]], ...]:
    articles = [(heading, tuple(duties)) for heading, duties in chosen.plan.matcher["charter"]["project"]]
    for record in chosen.of_kind("constitution"):
        articles += [
            (f"Article {number}. {texts[0]}", tuple(texts[1:])) for number, texts in record["articles"].items()
        ]
        if record["rules"]:
            articles.append((record["name"].title(), tuple(record["rules"])))
    return tuple(articles)


def _task(found: object) -> Task | None:
    if isinstance(found, dict):
        title = str(found.get("title") or found.get("id") or "")
        story, executor = str(found.get("id") or ""), str(found.get("executor") or "agent")
        return Task(title=title, story=story, executor=executor) if title else None
    return Task(title=found) if isinstance(found, str) and found else None


def _notes(turn: Turn, chosen: Chosen) -> tuple[str, ...]:
    notes = [turn.mirror.note] if turn.mirror.note else []
    if turn.mirror.problems:
        notes.append(f"configuration: {turn.mirror.problems[0]} (holdfast config check)")
    if chosen.plan.matcher["problems"]:
        notes.append(f"rules: {chosen.plan.matcher['problems']} mistakes (holdfast rules check)")
    if len(turn.event.prompt) > turn.mirror.settings["rules"]["match_characters"]:
        notes.append("a very long prompt: only its beginning was searched for keywords")
    return tuple(notes)
