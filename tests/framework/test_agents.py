"""The packaged agents: each file is whole, fits its bounds, and names only what exists."""

import json
import re
from pathlib import Path

import click
import jsonschema
import pytest
import yaml

import limpet.framework
from limpet.cli import limpet as program
from limpet.ground.formats.schema import load_schema
from limpet.ground.text.tokens import estimate_tokens
from limpet.roles.roster import AGENTS

FRAMEWORK = Path(limpet.framework.__file__).parent
IDS = list(AGENTS)
FACTS = ("mission", "inputs", "outputs")
SECTIONS = ["When it comes in", "How it works", "A good result", "How it ends"]
# Seed 000, 4.5: primary, secondary.
SECTORS = {
    "greenfield-wu": ("semantic", "episodic"),
    "brownfield-wu": ("semantic", "episodic"),
    "brief": ("episodic", "semantic"),
    "detail": ("semantic", "episodic"),
    "architect": ("semantic", "reflective"),
    "ux": ("reflective", "procedural"),
    "phases": ("procedural", "semantic"),
    "tasks": ("procedural", "semantic"),
    "qa-planning": ("reflective", "episodic"),
    "dev": ("procedural", "semantic"),
    "qa-implementation": ("reflective", "episodic"),
    "devops": ("procedural", "episodic"),
}
EVERY = pytest.mark.parametrize("agent", IDS)


def parts(agent):
    """The frontmatter and the text below it."""
    _, head, body = (FRAMEWORK / "agents" / f"{agent}.md").read_text(encoding="utf-8").split("---\n", 2)
    return yaml.safe_load(head), body


def section(agent, heading):
    return parts(agent)[1].partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def rules(agent):
    """The agent's rules on authority, and its others."""
    lines = (FRAMEWORK / "rules" / f"agent-{agent}").read_text(encoding="utf-8").splitlines()
    found = [line.partition("=") for line in lines if not line.startswith("#")]
    return [text for key, _, text in found if "_AUTH_" in key], [text for key, _, text in found if "_AUTH_" not in key]


def workflows():
    return [yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted((FRAMEWORK / "workflows").iterdir())]


def mentions(text):
    """Every `limpet ...` in a text: in backticks, and in indented or fenced lines."""
    quoted = re.findall(r"`(limpet [^`]+)`", text)
    return quoted + re.findall(r"^(?:    |\$ )(limpet [^#\n]+)", text, re.MULTILINE)


def command_of(line):
    """The command that a line calls, and what follows its words."""
    command, words = program, line.split()[1:]
    while words and isinstance(command, click.Group):
        found = command.get_command(click.Context(command), words[0])
        if found is None:
            break
        command, words = found, words[1:]
    return command, words


def refusal(line):
    """What is wrong with a line that calls a command, "" for nothing."""
    command, rest = command_of(line)
    if command is program or (isinstance(command, click.Group) and rest):
        return f"{line}: no such command"
    known = {name for option in command.params for name in option.opts} | {"--help"}
    return "".join(f"{line}: no {word}" for word in rest if word.startswith("--") and word not in known)


def test_there_is_a_file_and_a_step_for_each_agent_and_no_other():
    assert {path.stem for path in (FRAMEWORK / "agents").glob("*.md")} == set(IDS)
    assert {step["agent"] for workflow in workflows() for step in workflow["steps"]} == set(IDS)


@EVERY
def test_an_agents_file_obeys_its_schema_and_says_everything(agent):
    """Facts are 1 to 110 plain characters, none that XML has to escape; a few commands reach the model."""
    head, _ = parts(agent)
    jsonschema.Draft202012Validator(load_schema("agent")).validate(head)
    wanted = {"schema_version", "id", "title", *FACTS, "steps", "tools", "model", "commands"}
    assert wanted | {"persona"} <= set(head)
    assert head["id"] == agent
    assert set(head["persona"]["greetings"]) == {"minimal", "named", "archetypal"}
    head, _ = parts(agent)
    assert [
        key for key in FACTS if not 0 < len(head[key]) <= 110 or not head[key].isascii() or set(head[key]) & set('<>&"')
    ] == []
    assert sum(command["visibility"] == "key" for command in parts(agent)[0]["commands"]) in (1, 2, 3)
    head, body = parts(agent)
    assert not head.get("templates") or f"limpet work agent show {agent} --forms" in body


@EVERY
def test_an_agents_file_says_how_it_works_and_not_what_counts(agent):
    """That stands once, in the steps of the workflows (one list to answer)."""
    head, body = parts(agent)
    assert not {"criteria", "checklist", "handoff"} & set(head)
    assert "[ ]" not in body
    assert 4 <= len(head["steps"]) <= 6
    assert [step for step in head["steps"] if len(step) > 140 or step[-1] not in ".?"] == []


@EVERY
def test_what_the_block_says_of_an_agent_costs_at_most_600_tokens(agent):
    """Facts, key commands, authority, steps and rules, each in its element, by the product's own estimate."""
    head, _ = parts(agent)
    authority, others = rules(agent)
    key = [command["name"] for command in head["commands"] if command["visibility"] == "key"]
    lines = [
        f'<agent name="{agent}" mission="{head["mission"]}">',
        *(f"<{fact}>{head[fact]}</{fact}>" for fact in FACTS[1:]),
        f"<commands>{'; '.join(key)}</commands>",
        *(f"<authority>{rule}</authority>" for rule in authority),
        *(f"{number}. {step}" for number, step in enumerate(head["steps"], 1)),
        *(f"- {rule}" for rule in others),
        "</agent>",
    ]
    assert estimate_tokens("\n".join(lines)) <= 600


@EVERY
def test_no_text_of_the_persona_reaches_the_block(agent):
    """Nobody's name stands in what the model gets."""
    head, _ = parts(agent)
    authority, others = rules(agent)
    told = " ".join([*(head[fact] for fact in FACTS), *head["steps"], *authority, *others])
    assert head["persona"]["name"] not in told


@EVERY
def test_the_text_for_people_has_its_sections_in_order_and_each_step(agent):
    """As many numbered phases as steps."""
    assert re.findall(r"^## (.+)$", parts(agent)[1], re.MULTILINE) == SECTIONS
    phases = re.findall(r"^(\d+)\. \*\*", section(agent, "How it works"), re.MULTILINE)
    assert phases == [str(number) for number in range(1, len(parts(agent)[0]["steps"]) + 1)]
    assert estimate_tokens((FRAMEWORK / "agents" / f"{agent}.md").read_text(encoding="utf-8")) < 2000


def test_the_sectors_are_those_of_the_seeds_table():
    """Seed 000, 4.5; the orchestrator prefers none. An override of an agent's file loses neither them nor its rules."""
    shipped = json.loads((FRAMEWORK / "sectors.json").read_text(encoding="utf-8"))
    assert {agent: (row["primary"], row["secondary"]) for agent, row in shipped.items()} == SECTORS
    assert set(SECTORS) == set(IDS) - {"orchestrator"}
    assert [agent for agent in IDS if {"sectors", "authority", "rules"} & set(parts(agent)[0])] == []


def test_every_template_is_used_and_every_used_one_exists():
    named = {name for agent in IDS for name in parts(agent)[0].get("templates", ())}
    assert named == {path.stem for path in (FRAMEWORK / "templates").iterdir()}


@pytest.mark.parametrize("folder", ["templates", "quality-gates", "intelligence", "agents"])
def test_the_commands_that_a_guide_names_exist(folder):
    lines = [line for path in (FRAMEWORK / folder).glob("*.md") for line in mentions(path.read_text(encoding="utf-8"))]
    assert [refusal(line) for line in lines if refusal(line)] == []


@pytest.mark.parametrize("language", ["es", "fr", "pt"])
def test_a_language_has_every_text_of_every_agent(language):
    """Same ids, same keys, none empty or left in English; a person's agent keeps its name."""
    texts = yaml.safe_load((FRAMEWORK / "agents" / "texts" / f"{language}.yaml").read_text(encoding="utf-8"))
    assert list(texts) == IDS
    for agent, found in texts.items():
        assert list(found) == ["title", "role", "minimal", "named", "archetypal", "signature"], agent
        persona = parts(agent)[0]["persona"]
        assert all(persona["name"] in found[key] for key in ("named", "archetypal", "signature")), agent
        assert all(text.strip() for text in found.values())
        assert found["named"] != persona["greetings"]["named"]
