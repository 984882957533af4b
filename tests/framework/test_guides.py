"""The packaged guides: templates, quality gates, and definitions of the engines that agree with the defaults."""

import re
from pathlib import Path

import pytest

import limpet.framework
from limpet.ground.config.defaults import DEFAULTS
from limpet.memory.model import attention
from limpet.roles.roster import AGENTS

FRAMEWORK = Path(limpet.framework.__file__).parent
TEMPLATES = sorted((FRAMEWORK / "templates").iterdir())
CONTEXT, MEMORY = DEFAULTS["context"], DEFAULTS["memory"]


def text_of(folder, name):
    return (FRAMEWORK / folder / f"{name}.md").read_text(encoding="utf-8")


def rows(text, heading):
    """The cells of the first table below a heading, without its own heading."""
    part = text.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    table = re.search(r"(?:^\|.*\n)+", part, re.MULTILINE)[0].splitlines()
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table[2:]]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_a_template_has_placeholders_that_say_what_to_write(path):
    """Braces are balanced, none is empty, and nothing else is left open; QA of the planning looks for the braces."""
    text = path.read_text(encoding="utf-8")
    found = re.findall(r"\{([^{}]*)\}", text)
    assert len(found) == text.count("{") == text.count("}") > 0
    assert [words for words in found if not words.strip()] == []
    assert re.findall(r"TODO|TBD|FIXME", text) == []


@pytest.mark.parametrize("name", ["brief", "prd", "brownfield-prd", "fullstack-architecture", "qa-gate"])
def test_every_section_of_a_template_guides_its_writer(name):
    """A line of guidance, or placeholders that say it."""
    sections = text_of("templates", name).split("\n## ")[1:]
    assert [each.partition("\n")[0] for each in sections if "<!--" not in each and "{" not in each] == []


def test_the_penalties_of_the_planning_gate():
    """chati.dev's figures: what each fault of the planning costs."""
    found = {
        what.partition(":")[0]: int(points) for points, what in rows(text_of("quality-gates", "planning"), "Score")
    }
    assert found == {
        "critical gap": -20,
        "requirement without an origin in the brief": -15,
        "contradiction between two documents": -15,
        "nobody argued against the plan (no adversarial review in the report)": -15,
        "need of the brief without a requirement": -10,
        "requirement without a story or task": -10,
        "phase without stories or tasks": -10,
        "acceptance criterion that is subjective, trivial or cannot fail": -10,
        "story or task without an acceptance criterion": -5,
        "placeholder left": -5,
    }


def test_the_weights_of_the_implementation_gate():
    """chati.dev's figures; together they are the whole."""
    found = {part: int(weight) for part, weight, _ in rows(text_of("quality-gates", "implementation"), "Score")}
    wanted = {"tests": 25, "security": 25, "coverage": 15, "code quality": 15, "acceptance": 10, "adversarial": 10}
    assert found == wanted
    assert sum(found.values()) == 100


def test_the_conditions_of_the_implementation_gate():
    """chati.dev's figures: no score makes up for them."""
    told = text_of("quality-gates", "implementation").partition("## Conditions\n")[2].partition("\n## ")[0]
    for condition in ("- all tests pass;", "covered to 80 % or more;", "- no critical or high finding is open."):
        assert condition in told


@pytest.mark.parametrize("name", ["planning", "implementation"])
def test_the_gate_of_both_is_that_of_the_settings(name):
    assert f"{DEFAULTS['work']['gate']} of 100 passes" in text_of("quality-gates", name)


def test_the_brackets_are_those_of_the_settings():
    """Decision 2: bounds, budgets, layers and memory of each."""
    found = {row[0]: row for row in rows(text_of("intelligence", "context-engine"), "2. Brackets")}
    assert list(found) == list(CONTEXT["budgets"])
    for bracket, (_, _, tokens, layers, memory) in found.items():
        listed = CONTEXT["layers"][bracket]
        assert int(tokens) == CONTEXT["budgets"][bracket]
        assert layers.replace("L0-L7", "L0, L1, L2, L3, L4, L5, L6, L7").split(", ") == listed
        assert memory == CONTEXT["memory"][bracket]
    bounds = [re.search(r"(\d+) <= r|r >= (\d+)", found[name][1]) for name in ("FRESH", "MODERATE", "DEPLETED")]
    assert [int(bound[1] or bound[2]) for bound in bounds] == list(CONTEXT["brackets"].values())


def test_executors_and_ceilings_are_those_of_the_settings():
    """Decisions 7 and 4."""
    for name, layers, memory in rows(text_of("intelligence", "context-engine"), "6. Executors"):
        executor = CONTEXT["executors"][name]
        assert layers.replace("L0-L7", "L0, L1, L2, L3, L4, L5, L6, L7").split(", ") == executor["layers"]
        assert (memory == "yes") == executor["memory"]
    text = re.sub(r"\s+", " ", text_of("intelligence", "context-engine"))
    named = {
        "constitution": "constitution",
        "mode_agent": "mode and agent",
        "lock": "lock",
        "handoff": "handoff warning",
    }
    for key, words in (named | {"next": "next"}).items():
        assert re.search(rf"\b{words} {CONTEXT['ceilings'][key]}\b", text), key


def test_the_figures_of_attention_are_those_of_the_program():
    """Decision 20."""
    text = text_of("intelligence", "memory-layer")
    life, relevance = MEMORY["half_life_days"], attention.RELEVANCE
    assert f"session {life['session']}, daily {life['daily']}, durable {life['durable']}" in text
    assert f"{relevance['primary']} primary sector of the agent, {relevance['secondary']} secondary" in text
    assert f"min({attention.ACCESS_MOST}, 1 + {attention.ACCESS_STEP} x log2(1 + accesses))" in text
    assert f"HOT | above {attention.HOT_ABOVE}" in text and f"COLD | below {attention.WARM_FROM}" in text


def test_the_agents_sectors_are_those_that_memory_uses():
    text = text_of("intelligence", "memory-layer")
    part = text.partition("| agent | primary | secondary |\n|---|---|---|\n")[2].partition("\n\n")[0]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in part.splitlines()]
    found = {agent: {"primary": one, "secondary": two} for names, one, two in cells for agent in names.split(", ")}
    assert found == attention.preferred_sectors()
    assert set(found) < set(AGENTS)


def test_the_decision_engine_has_the_bands_of_the_decision():
    """Decision 40: 0.6 and 0.4, REUSE from 0.90, ADAPT from 0.60."""
    text = text_of("intelligence", "decision-engine")
    assert "0.6 x keyword overlap + 0.4 x similarity of purpose" in text
    bands = {decision: band for band, decision, _ in rows(text, "4. Decision")}
    assert bands == {"REUSE": "0.90 and more", "ADAPT": "0.60 to below 0.90", "CREATE": "below 0.60"}
