"""The finished block: always well-formed, within its budget, and with what may never be missing (decision 4)."""

import re

import jsonschema
import pytest
from hypothesis import given

from limpet.context.pipeline import LAYERS, build_block
from limpet.context.values import AgentView, Rules, TypedCommand
from limpet.ground.clock import Clock
from limpet.ground.formats.schema import load_schema
from limpet.ground.text.tokens import estimate_tokens

from ..blocks import read_block
from ..strategies import CONTEXT, SLOW, requests
from ..strategies import request as compose

STILL = Clock(now=lambda: 0.0, timer=lambda: 0.0, worked=lambda: 0.0)
SCHEMA = jsonschema.Draft202012Validator(load_schema("context-block"))
SHORT = ("Set criteria before the work.", "Keep to your role.", "Confirm what destroys.")
STABLE = ("charter", "manner", "executor", "agent")
LEFT = {"FRESH": 80.0, "MODERATE": 50.0, "DEPLETED": 30.0, "CRITICAL": 20.0}


def make(bracket="FRESH", **given):
    """A plain request."""
    facts = {"remaining": LEFT[bracket], "source": "transcript", "mode": "build", "permission": "ask", "short": SHORT}
    return compose(**{"bracket": bracket, **facts, **given})


def build(request):
    """The block as data, checked against its schema."""
    block = read_block(build_block(request, STILL).block)
    SCHEMA.validate(block)
    return block


def domain(name, *texts, matched=()):
    return Rules(name, texts, repr(texts), matched)


@SLOW
@given(requests)
def test_any_block_parses_and_obeys_its_schema(request):
    """Whatever rules, prompt and state hold (tags, NUL, half surrogates, 100,000 characters), the block is sound."""
    result = build_block(request, STILL)
    SCHEMA.validate(read_block(result.block))


@SLOW
@given(requests)
def test_any_block_is_within_its_budget(request):
    """Decision 4: never more than the bracket's tokens, nor than the host keeps in line."""
    result = build_block(request, STILL)
    assert (
        estimate_tokens(result.block, CONTEXT["reserve"]) == result.tokens <= CONTEXT["budgets"][request.window.bracket]
    )
    assert len(result.block) <= CONTEXT["characters"]


@SLOW
@given(requests)
def test_what_is_never_dropped_is_in_any_first_block(request):
    """Decision 4: constitution, mode, agent's name, lock, and the warning below 15 % are there, however full it is."""
    block = build(request)
    assert block["constitution"]
    assert (block["mode"], block["permission"]) == (request.manner.mode, request.manner.permission)
    assert (block["lock"] is not None) == bool(request.manner.lock)
    assert (block["handoff_warning"] is not None) == (request.window.remaining < 15)
    if request.window.bracket == "CRITICAL" and request.agent:
        assert block["agent"] and block["agent"]["name"]


@SLOW
@given(requests)
def test_a_typed_command_is_never_lost(request):
    """Decision 1: what the user typed is there with its first rules, or named among what was left out."""
    block = build(request)
    shown = {command["name"] for command in block["commands"] if command["lines"]}
    named = " ".join(block["left_out"])
    assert [one.name for one in request.typed if one.name not in shown and f"*{one.name}" not in named] == []


@SLOW
@given(requests)
def test_layers_that_the_bracket_turns_off_are_silent(request):
    """Decisions 1 and 7: from DEPLETED on no pipeline, task, handoff, keyword rules; in CRITICAL of the agent the
    mission alone."""
    block = build(request)
    if request.window.bracket in ("DEPLETED", "CRITICAL"):
        assert (block["pipeline"], block["task"], block["handoff"]) == (None, None, None)
        assert [rules for rules in block["rules"] if rules["squad"] or rules["matched"]] == []
    if request.window.bracket == "CRITICAL":
        assert not block["agent"] or not (block["agent"]["authority"] or block["agent"]["rules"])


@SLOW
@given(requests)
def test_the_same_request_gives_the_same_block(request):
    """Nothing but the request goes into a block."""
    assert build_block(request, STILL) == build_block(request.replace(), STILL)


@SLOW
@given(requests, requests)
def test_any_later_block_of_a_stretch_is_sound_and_within_its_budget(earlier, later):
    """Decisions 4 and 5: what was sent before, and the short form of it, make no block larger or unreadable."""
    epoch = build_block(earlier.replace(starting=False), STILL).epoch
    same = later.replace(starting=False, epoch=epoch, prompt_number=earlier.prompt_number + 10)
    stable = {name: getattr(earlier, name) for name in STABLE}
    stable |= {"rules": later.rules.replace(standing=earlier.rules.standing), "work": earlier.work}
    for request in (same, same.replace(**stable)):
        result = build_block(request, STILL)
        block = read_block(result.block) if result.block else None
        if block is not None:
            SCHEMA.validate(block)
        assert result.tokens <= CONTEXT["budgets"][request.window.bracket]
        assert len(result.block) <= CONTEXT["characters"]
    assert request.window.bracket == "FRESH" or (block and (block["reminder"] or block["constitution"]))
    if block and block["reminder"]:
        start, end = result.block.index("<reminder>"), result.block.index("</reminder>")
        assert end + len("</reminder>") - start <= 600


def test_a_short_block_says_all():
    """With room enough every layer is there, whole, in the order L0 to L7."""
    request = make(
        articles=(("XVII. Licences (BLOCK)", ("MUST keep headers.",)),),
        standing=(domain("GLOBAL", "Read first."),),
        agent=AgentView(
            name="dev",
            mission="Build it.",
            inputs="story",
            outputs="code",
            criteria="tests pass",
            authority=("NEVER push",),
            steps=("Read it.", "Try it."),
            checklist=("Tests ran.",),
            commands=("limpet work story show", "limpet work story done"),
            rules=("Small steps",),
            digest="d",
        ),
        domains=(domain("API", "Version it.", matched=("endpoint", "route")),),
        typed=(TypedCommand("brief", ("At most five lines.",)),),
    )
    block = build(request)
    assert block["constitution"] == [*SHORT, "XVII. Licences (BLOCK)"]
    assert block["articles"] == [{"title": "XVII. Licences (BLOCK)", "lines": ["MUST keep headers."]}]
    assert block["agent"] == {
        "name": "dev",
        "mission": "Build it.",
        "inputs": "story",
        "outputs": "code",
        "criteria": "tests pass",
        "commands": "limpet work story show; limpet work story done",
        "authority": ["NEVER push"],
        "steps": ["Read it.", "Try it."],
        "checklist": ["Tests ran."],
        "rules": ["Small steps"],
    }
    assert block["rules"] == [
        {"domain": "GLOBAL", "matched": [], "squad": None, "lines": ["Read first."]},
        {"domain": "API", "matched": ["endpoint", "route"], "squad": None, "lines": ["Version it."]},
    ]
    assert block["commands"] == [{"name": "brief", "lines": ["At most five lines."]}]
    assert block["left_out"] == block["notes"] == []
    text = build_block(request, STILL).block
    assert sorted(map(text.index, ("<constitution", "<mode", "GLOBAL", "<agent", "API", "<command "))) == [
        text.index(mark) for mark in ("<constitution", "<mode", "GLOBAL", "<agent", "API", "<command ")
    ]


def test_critical_keeps_the_agents_mission_whole():
    """Decision 2: where L2 is off, L1 still says who is at work and what for."""
    mission = "Build what the story says, and nothing " * 3 + "else"
    agent = AgentView("dev", mission, authority=("NEVER push",), rules=("Small steps",))
    block = build(make("CRITICAL", agent=agent))
    assert block["agent"]["name"] == "dev"
    assert block["agent"]["mission"] == agent.mission
    assert (block["agent"]["authority"], block["agent"]["rules"]) == ([], [])


@pytest.mark.parametrize(("left", "warned"), [(15.0, False), (14.9, True), (0.0, True)])
def test_the_handoff_is_mandatory_below_fifteen_percent(left, warned):
    """Decision 2: the warning comes below 15 %, in every block, and says whole what to do."""
    request = make("CRITICAL", remaining=left)
    first = build_block(request, STILL)
    again = build_block(request.replace(epoch=first.epoch, prompt_number=1), STILL)
    assert (read_block(first.block)["handoff_warning"] is not None) == warned
    assert bool(again.block) == warned
    if warned:
        assert "start no new task" in read_block(again.block)["handoff_warning"]


def test_commands_survive_a_full_critical_block():
    """Decision 4: rules fall before what the user typed does."""
    standing = tuple(domain(f"ALWAYS_{n}", *(f"rule {n} {i} of many words" for i in range(40))) for n in range(9))
    block = build(
        make("CRITICAL", standing=standing, typed=(TypedCommand("plan", ("Write no code.", "Number the steps.")),))
    )
    assert block["commands"] == [{"name": "plan", "lines": ["Write no code.", "Number the steps."]}]
    assert block["left_out"][0].startswith("ALWAYS_1: over the token budget")


def test_a_command_too_long_is_cut_at_a_rules_end_with_a_pointer():
    """Decision 4: whole rules stay, and the block names where the rest stands."""
    typed = TypedCommand(
        "plan", tuple(f"rule number {n} says something of use" for n in range(400)), "limpet rules show COMMANDS"
    )
    block = build(make("CRITICAL", typed=(typed,)))
    kept = block["commands"][0]["lines"]
    assert kept == list(typed.lines[: len(kept)])
    assert 0 < len(kept) < 400
    assert f"*plan: cut: {400 - len(kept)} of 400 lines left out (limpet rules show COMMANDS)" in block["left_out"]


def test_a_command_that_does_not_fit_is_named_before_all_else():
    """Decision 4: the list of what was left out is cut too, and must not lose what the user typed."""
    domains = tuple(domain(f"BIG_{n}", "word " * 5000) for n in range(40))
    block = build(make(domains=domains, typed=(TypedCommand("plan", ("word " * 5000,), "limpet rules show COMMANDS"),)))
    assert block["left_out"][0] == "*plan: over the token budget (limpet rules show COMMANDS)"
    assert block["left_out"][-1].startswith("+")


def test_what_falls_first_is_lowest_in_rank():
    """Decision 4: keyword domains fall before the agent's rules, and the block names them with where to read them."""
    domains = tuple(domain(f"BIG_{n}", *(f"a rule of some ten words, number {i}" for i in range(30))) for n in range(9))
    agent = AgentView("dev", "Build.", rules=tuple(f"agent rule {i}" for i in range(10)))
    block = build(make(agent=agent, domains=domains))
    assert len(block["agent"]["rules"]) == 10
    shown = [rules["domain"] for rules in block["rules"]]
    assert shown == [f"BIG_{n}" for n in range(len(shown))]
    assert f"BIG_{len(shown)}: over the token budget (limpet rules show BIG_{len(shown)})" in block["left_out"]


def test_what_was_cut_comes_with_the_next_block_and_once():
    """The rest of it alone; nothing of it is said to have changed."""
    said = tuple(f"a rule of some ten words, number {number}" for number in range(120))
    held = (Rules(name="ALWAYS", rules=said[:60], digest="always"), domain("BIG", *said))
    seen, epoch = {"ALWAYS": [], "BIG": []}, {}
    for number in range(1, 6):
        known = {name: mark[0] for name, mark in epoch.get("rules", {}).items()}
        request = make(standing=held[:1], domains=held[1:], held=known, prompt_number=number, epoch=epoch)
        result = build_block(request, STILL)
        epoch = result.epoch
        block = read_block(result.block) if result.block else {"rules": [], "notes": None}
        assert not block["notes"]
        for rules in block["rules"]:
            seen[rules["domain"]] += [line.removeprefix("- ") for line in rules["lines"]]
    assert seen == {"ALWAYS": list(said[:60]), "BIG": list(said)}
    assert "cut" not in epoch


def test_a_layer_that_fails_costs_only_itself(monkeypatch):
    """Principle 1: the block degrades layer by layer and says so."""

    def broken(request):
        raise KeyError("gone")
        yield

    monkeypatch.setitem(LAYERS, "L6", broken)
    block = build(make(typed=(TypedCommand("brief", ("Short.",)),)))
    assert block["notes"] == ["L6 failed: KeyError"]
    assert block["commands"] and block["constitution"]


def test_out_of_time_cuts_what_may_be_missing_and_names_it():
    """Decisions 9 and 67: L0 to L2 and typed commands always run whole; what the clock cuts is named. What others do
    with the processor cuts nothing, as long as the event has time."""
    ticks = iter(range(1000))
    busy = Clock(now=lambda: 0.0, timer=lambda: float(next(ticks)), worked=lambda: 0.0, end=900.0)
    clock = busy.replace(worked=busy.timer)
    domains = tuple(domain(f"D{n}", "One rule.") for n in range(5))
    request = make(
        domains=domains,
        typed=(TypedCommand("brief", ("Short.",)),),
        standing=(domain("GLOBAL", "a"), domain("OTHER", "b")),
        agent=AgentView("dev", "Build.", rules=("One.", "Two.")),
    )
    assert build_block(request, busy).block == build_block(request, STILL).block
    block = read_block(build_block(request, clock).block)
    assert block["agent"]["rules"] == ["One.", "Two."]
    assert "L6 was cut short: out of time" in block["notes"]
    assert [rules["domain"] for rules in block["rules"]] == ["GLOBAL", "OTHER", "D0"]
    assert block["commands"]


def test_marks_of_xml_in_rules_come_back_as_they_were():
    """Principle 7: a rule's text stays text, in elements and attributes alike."""
    agent = AgentView("dev", "Build it & ship <it>", inputs='a "quoted" & <tagged> text', rules=("1 < 2 && 3 > 2",))
    block = build(make(agent=agent))
    assert block["agent"]["mission"] == agent.mission
    assert block["agent"]["inputs"] == agent.inputs
    assert block["agent"]["rules"] == list(agent.rules)


@SLOW
@given(requests)
def test_the_smallest_budget_that_may_be_configured_holds(request):
    """At 600 tokens and 2,000 characters the block is still sound, within both, and binds its reader."""
    settings = {**CONTEXT, "budgets": dict.fromkeys(CONTEXT["budgets"], 600), "characters": 2000}
    result = build_block(request.replace(settings=settings), STILL)
    block = read_block(result.block)
    assert result.tokens <= 600
    assert len(result.block) <= 2000
    assert block["constitution"] and block["mode"] == request.manner.mode


def test_a_note_for_which_there_is_no_room_comes_with_the_next_block():
    """Each once."""
    notes = tuple(f"{name} {'is said here in as many words as a note may have, ' * 2}" for name in "abcd")
    request, shown = make(notes=notes), ""
    for number in range(1, 5):
        result = build_block(request.replace(prompt_number=number), STILL)
        shown += "".join(re.findall("<notes>.*</notes>", result.block))
        request = request.replace(epoch=result.epoch)
    assert [shown.count(f"{name} is said here") for name in "abcd"] == [1, 1, 1, 1]
