"""The files of agents: a project's own replaces the packaged one."""

import os

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.errors import LimpetError
from limpet.ground.formats.frontmatter import split_frontmatter
from limpet.roles.agent import VISIBILITIES, Agent, AgentCommand, Persona
from limpet.roles.agents import LONGEST_MISSION, load_agent, load_agents, parse_agent, render_agent
from limpet.roles.roster import AGENTS

from ..strategies import QUICK

GOOD = "---\nmission: Ours\n---\n"


def write(workspace, **files):
    folder = workspace.path("agents")
    os.makedirs(folder, exist_ok=True)
    for name, text in files.items():
        with open(os.path.join(folder, name + ".md"), "w", encoding="utf-8") as file:
            file.write(text)
    return folder


def test_without_a_project_there_are_the_packaged_agents():
    """All of them, in the roster's order, without a problem."""
    agents, problems = load_agents("")
    assert (list(agents), problems) == (list(AGENTS), [])


def test_a_projects_file_replaces_the_packaged_one_and_adds_agents(workspace):
    """However its name is spelt; a README is no agent."""
    folder = write(workspace, dev=GOOD, Marketing_Lead=GOOD, README="# Our agents\n\nText.\n")
    agents, problems = load_agents(folder)
    assert (list(agents), problems) == ([*AGENTS, "marketing-lead"], [])
    assert (agents["dev"].mission, agents["dev"].source) == ("Ours", ".limpet/agents/dev.md")
    assert agents["marketing-lead"].source == ".limpet/agents/Marketing_Lead.md"


def test_a_broken_file_is_reported_and_the_packaged_one_used(workspace):
    """Nobody is left without an agent by a typing mistake; of an own agent only the name is known then."""
    agent, problems = load_agent(write(workspace, dev="---\nmission: [\n---\n"), "dev")
    assert agent == load_agent("", "dev")[0]
    assert (problems[0].where, problems[0].note) == (
        ".limpet/agents/dev.md:3",
        ".limpet/agents/dev.md:3 cannot be read, so the packaged agent is used",
    )
    assert str(problems[0]).startswith(".limpet/agents/dev.md:3: Invalid YAML: ")
    agent, [problem] = load_agent(write(workspace, scribe=""), "scribe")
    assert (agent, "so only its name is known" in problem.text) == (Agent("scribe", "Scribe", ""), True)


def test_an_own_agent_is_itself_only(workspace):
    """``data-engineer`` is no second text of the architect (W19); another's broken file is not its business."""
    agents, _ = load_agents(write(workspace, **{"data-engineer": GOOD}))
    assert agents["data-engineer"].mission == "Ours" and agents["architect"].mission != "Ours"
    assert load_agent(write(workspace, scribe="", dev=GOOD), "dev")[1] == []


def test_a_link_out_of_the_project_is_not_followed(workspace, tmp_path):
    """What lies elsewhere is not the project's."""
    (tmp_path / "elsewhere.md").write_text(GOOD, encoding="utf-8")
    folder = write(workspace)
    os.symlink(tmp_path / "elsewhere.md", os.path.join(folder, "dev.md"))
    agent, [problem] = load_agent(folder, "dev")
    assert agent.mission != "Ours" and "dev.md" in problem.where


OWN = """---
schema_version: 1
id: marketing-lead
title: Marketing lead
mission: Say what it does
checklist:
  - Every claim has a source.
handoff: ['@QA_Planning']
commands:
  - {name: limpet work story show, visibility: key}
persona:
  greetings: {minimal: Hello.}
---

How it works.
"""

SUB_AGENT = """---
name: code-reviewer
description: Reviews code. Examples: <example>Context: user: "look at this"</example>
tools: Read, Grep, Bash(git diff:*)
model: opus
---
You are a reviewer.
"""

SYNAPSE = """# dev
```yaml
IDE-FILE-RESOLUTION:
  - FOR LATER USE ONLY
agent:
  name: Dex
  id: dev
  title: Full Stack Developer
  whenToUse: 'Use for code'
persona_profile:
  communication:
    greeting_levels:
      minimal: 'dev ready'
    signature_closing: 'Dex, always building'
persona:
  role: Senior engineer
  core_principles:
    - CRITICAL: Read the story first
    - Numbered options
commands:
  - name: help
    visibility: [full, quick, key]
    description: 'Show all commands'
  - develop: Implement the story (modes: yolo, interactive)
  - exit
```
Text.
"""


def parse(text, agent_id="x"):
    return parse_agent(text, agent_id, "agents/x.md")


def test_our_own_frontmatter_is_read_with_its_body():
    """Every key has its place in the value, and what is left out is empty."""
    agent, problems = parse(OWN, "marketing-lead")
    assert (agent.title, agent.mission, agent.checklist) == (
        "Marketing lead",
        "Say what it does",
        ("Every claim has a source.",),
    )
    assert agent.commands == (AgentCommand(name="limpet work story show", description="", visibility="key"),)
    assert (agent.handoff, agent.persona.minimal, agent.body) == (("qa-planning",), "Hello.", "How it works.")
    assert (agent.rules, problems) == ((), [])


def test_a_command_that_is_wrong_and_a_title_left_out_cost_nothing_else():
    """An id says enough to be shown."""
    assert parse("---\nmission: m\n---\n", "data-engineer")[0].title == "Data engineer"
    agent, problems = parse("---\nmission: m\ncommands: [{name: a}, {name: b, visibility: loud}]\n---\n")
    assert [one.name for one in agent.commands] == ["a"] and len(problems) == 1


def test_what_is_wrong_is_left_out_and_named_with_its_line():
    """An unknown key, a wrong value and another's id cost themselves only."""
    text = "---\nmission: m\nid: y\nmodle: fast\nmodel: opus\nsteps: [a]\n---\n"
    agent, problems = parse(text)
    assert (agent.mission, agent.model, agent.steps) == ("m", "", ("a",))
    assert list(map(str, problems)) == [
        "agents/x.md:4: Unknown key: modle (did you mean model?)",
        "agents/x.md:5: model must be one of fast, balanced, strong (got 'opus')",
        "agents/x.md:3: id is y, but the file's name makes it x",
    ]


def test_a_sub_agent_of_a_coding_agent_is_read_though_its_frontmatter_is_no_yaml():
    """Mission without the examples, tools and class of model in our words, the prompt as the body."""
    agent, problems = parse(SUB_AGENT, "code-reviewer")
    assert (agent.mission, agent.tools, agent.model) == ("Reviews code.", ("read", "shell"), "strong")
    assert (agent.aliases, agent.body, problems) == ((), "You are a reviewer.", [])
    assert parse(SUB_AGENT, "reviewer")[0].aliases == ("code-reviewer",)


INSTRUCTIONS = """---
name: reviewer
description: Reviews code.
---
# The reviewer

You are a senior reviewer
of this team.

When invoked:
1. Run git diff
   - and nothing else
2) Look at what changed

Say what you found. Then check:
* [ ] the tests

Review checklist:
- Names say what things are

## Never
- push to main
Write code.

```sh
1. no step
```
**Output:**
A list.
"""


def test_the_text_of_a_sub_agent_becomes_steps_checklist_and_rules():
    """By numbers, boxes and the word checklist; what goes on with an item stays with it, and nothing loses the words
    that it stands below."""
    agent = parse(INSTRUCTIONS, "reviewer")[0]
    assert agent.steps == ("When invoked: Run git diff - and nothing else", "When invoked: Look at what changed")
    assert agent.checklist == ("Then check: the tests", "Names say what things are")
    assert agent.rules == (
        "You are a senior reviewer of this team.",
        "Say what you found",
        "Never: push to main Write code.",
        "Never: ```sh 1. no step ```",
        "Never: Output: A list.",
    )


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("# The scribe\n\n## Never\n\n### Git\n\n- push to main\n", "Never: Git: push to main"),
        ("# The scribe\n\n# Never\n\n- push to main\n", "Never: push to main"),
        ("## Never\n\n**Git**\n\n- push to main\n\n## Do\n\n- pull it\n", "Never: Git: push to main"),
    ],
)
def test_a_line_of_the_text_keeps_all_headings_that_it_stands_below(text, rule):
    agent = parse(f"---\ndescription: d\n---\n{text}")[0]
    assert agent.rules[0] == rule and agent.rules[1:] in ((), ("Do: pull it",))


def test_the_text_of_our_own_file_is_for_people():
    """It says in its keys what the agent gets."""
    agent = parse("---\nmission: m\n---\n- a\n")[0]
    assert (agent.rules, agent.body) == ((), "- a")


def test_unknown_keys_of_a_sub_agent_are_reported_in_one_line():
    """They are no reason to refuse it."""
    agent, problems = parse("---\ndescription: d\nhooks: {}\nskills: [a]\nmodel: inherit\n---\n")
    assert (agent.mission, agent.model) == ("d", "")
    assert list(map(str, problems)) == ["agents/x.md: Unknown keys: hooks, skills"]


def test_synapses_block_is_read_with_its_short_commands():
    """Purpose, principles, persona and commands come over, the shortest list's mark winning."""
    agent, problems = parse(SYNAPSE, "dev")
    assert (agent.title, agent.mission) == ("Full Stack Developer", "Use for code")
    assert agent.rules == ("CRITICAL: Read the story first", "Numbered options")
    assert [(one.name, one.description, one.visibility) for one in agent.commands] == [
        ("*help", "Show all commands", "key"),
        ("*develop", "Implement the story (modes: yolo, interactive)", "full"),
        ("*exit", "", "full"),
    ]
    assert (agent.persona.name, agent.persona.minimal) == ("Dex", "dev ready")
    assert (agent.persona.signature, problems) == ("Dex, always building", [])


KEYS = """# Tide keeper
```yaml
---
an example: of ours
---
```
```yaml
agent:
  id: tide-keeper
  whenToUse: Use for schemas
  customization: |
    Ask before a table goes.
    Never:
    - drop a column
persona:
  principles: [Simple first]
core_principles:
  - 'Safety: no migration without a way back'
  - SPEED: later
voice:
  tone: calm
  never_use: [maybe]
veto_conditions:
  - {id: V1, condition: no backup, action: STOP}
regras_obrigatorias: Sempre com testes
limits:
  tables: 40
output_examples: [x]
```
"""


def test_every_key_that_holds_rules_gives_them_with_its_words():
    """Wherever it stands; the other keys are named."""
    agent, problems = parse(KEYS, "tide-keeper")
    assert agent.rules == (
        "customization: Ask before a table goes",
        "customization: Never: drop a column",
        "Simple first",
        "Safety: no migration without a way back",
        "SPEED: later",
        "never use: maybe",
        "veto conditions: id: V1; condition: no backup; action: STOP",
        "regras obrigatorias: Sempre com testes",
    )
    assert [str(one) for one in problems] == ["agents/x.md: Unknown keys: limits, output_examples"]


def test_the_rules_of_a_sub_agents_frontmatter_come_before_those_of_its_text():
    agent, problems = parse("---\ndescription: d\nconstraints: [No network]\n---\n- Be brief\n")
    assert (agent.rules, problems) == (("constraints: No network", "Be brief"), [])


def test_a_block_of_data_that_tells_of_no_agent_is_an_example():
    """A text around it says what the agent is for."""
    agent, problems = parse("# The scribe\n\nWrites minutes.\n\n```yaml\n---\nname: x\n---\n```\n")
    assert (agent.mission, problems) == ("Writes minutes.", [])


@pytest.mark.parametrize("text", ["mission: Writes\n", "agent:\n  whenToUse: Writes\n", "description: Writes\n"])
def test_data_or_prose_alone_are_enough(text):
    """A file without any data still says what the agent is for."""
    assert parse(text)[0].mission == "Writes"
    agent, problems = parse("# The scribe\n\nWrites the minutes.\n")
    assert (agent.title, agent.mission, problems) == ("The scribe", "Writes the minutes.", [])
    assert agent.rules == ()
    assert parse("Writes the minutes.\n\n- In French\n")[0].rules == ("In French",)


def test_a_long_mission_is_cut():
    """A page of a description is no line."""
    assert LONGEST_MISSION - 5 < len(parse(f"---\nmission: {'word ' * 200}\n---\n")[0].mission) <= LONGEST_MISSION


@pytest.mark.parametrize(
    "text, says",
    [
        ("", "Agent has no mission: agents/x.md."),
        ("---\nchecklist: [a]\n---\n", "Agent has no mission: agents/x.md."),
        ("---\nmission: ''\n---\n", "Agent has no mission: agents/x.md."),
        ("---\nmission: m\nsteps: [\n---\n", "agents/x.md:4: Invalid YAML"),
        ("---\nmission: m\n", "agents/x.md:1: Frontmatter is not closed"),
        ("---\n- a\n---\n", "agents/x.md:1: Frontmatter is no mapping"),
        ("---\nmission: m\nschema_version: 2\n---\n", "schema_version 2 is newer"),
        ("```yaml\nagent: [\n```\n", "agents/x.md:3: Invalid YAML"),
    ],
)
def test_where_nothing_can_be_read_the_error_says_where(text, says):
    """No agent is made up."""
    with pytest.raises(LimpetError) as raised:
        parse(text)
    assert says in str(raised.value)


WHERE = ".limpet/agents/x.md"
SECTORS = ("episodic", "semantic", "procedural", "reflective")
AWKWARD = (
    "a: b",
    "# no remark",
    "- item",
    "yes",
    "null",
    "'",
    '"',
    "---",
    "{x}",
    "[x",
    "*a",
    "&a",
    "!t",
    "|",
    "1.0",
    "\\",
)
any_text = st.text(st.characters(exclude_categories=("Cs",)), max_size=60)
lines = (any_text | st.sampled_from(AWKWARD) | st.builds("{} {}".format, st.sampled_from(AWKWARD), any_text)).map(
    lambda text: " ".join(text.split())
)
said = lines.filter(bool)
lists = st.lists(said, max_size=4).map(tuple)


def some_of(*words, most=3):
    """A few of these, each once."""
    return st.lists(st.sampled_from(words), unique=True, max_size=most).map(tuple)


personas = st.builds(Persona, **dict.fromkeys(Persona.fields, lines)).filter(lambda one: any(one.__dict__.values()))
commands = st.builds(AgentCommand, name=said, description=lines, visibility=st.sampled_from(VISIBILITIES))
agents = st.builds(
    Agent,
    id=st.just("x"),
    title=said,
    mission=said.filter(lambda text: len(text) <= LONGEST_MISSION),
    **dict.fromkeys(("inputs", "outputs", "criteria"), lines),
    **dict.fromkeys(("steps", "checklist", "authority", "rules", "templates"), lists),
    handoff=some_of(*AGENTS),
    sectors=some_of(*SECTORS, most=2),
    tools=some_of("read", "edit", "shell", "web", "ask"),
    model=st.sampled_from(("", "fast", "balanced", "strong")),
    commands=st.lists(commands, max_size=3).map(tuple),
    persona=st.none() | personas,
    body=any_text.map(str.strip).filter(bool),
    source=st.just(WHERE),
)


@QUICK
@given(agents)
def test_what_is_written_is_read_again(agent):
    """Quotes, colons, remarks, other scripts, and every field."""
    assert parse_agent(render_agent(agent), "x", WHERE) == (agent, [])


@QUICK
@given(agents)
def test_any_reader_of_yaml_reads_the_frontmatter(agent):
    """Ours is not the only one."""
    data = yaml.safe_load(split_frontmatter(render_agent(agent), WHERE).yaml)
    assert (data["mission"], tuple(data.get("rules", ()))) == (agent.mission, agent.rules)


def test_the_skeleton_has_every_field_and_says_what_reaches_the_model():
    """As a remark where nothing is to be said yet; the last one stands right above the text for people."""
    text = render_agent(Agent("x", "X", "Write."))
    fields = set(Agent.fields) - {"body", "source"}
    assert [name for name in fields if f"\n{name}:" not in text and f"\n# {name}:" not in text] == []
    head, below = text.split("---\n")[1:]
    assert head.splitlines()[-2].startswith("# The text below is for people. The model gets mission, ")
    assert below == "\n# X\n"
