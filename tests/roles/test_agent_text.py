"""The text of an agent's file: whatever an agent holds, its file says it again."""

import yaml
from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.formats.frontmatter import split_frontmatter
from limpet.roles.agent import VISIBILITIES, Agent, AgentCommand, Persona
from limpet.roles.agent_file import LONGEST_MISSION, parse_agent, render_agent
from limpet.roles.roster import AGENTS

from ..strategies import QUICK

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
