"""Star-commands that act, and their confirmation in the block (decisions 11, 17)."""

import pytest

from ...conversation import Conversation, write_over_shipped, write_rules

MANIFEST = "GLOBAL_ALWAYS_ON=true\nAPI_RECALL=endpoint\nDB_RECALL=table\nDB_STATE=inactive\nCOMMANDS_STATE=active\n"


@pytest.fixture
def talking(workspace):
    """A conversation whose stable part was sent already."""
    write_rules(
        workspace,
        MANIFEST,
        **{
            "global": "GLOBAL_RULE_0=Read first.\n",
            "api": "API_RULE_0=Version it.\n",
            "db": "DB_RULE_0=Migrate.\n",
            "commands": "BRIEF_RULE_0=Short.\nBRIEF_RULE_1=No recap.\nPLAN_RULE_0=Write no code.\n",
        },
    )
    talking = Conversation(workspace)
    talking.start()
    return talking


def answer(talking, prompt):
    """The lines of the one command in the prompt."""
    commands = talking.prompt(prompt)["commands"]
    assert len(commands) == 1
    return commands[0]["lines"]


def test_a_working_mode_brings_its_rules_every_time(talking):
    """Typed again, said again: it holds for its prompt only."""
    for _ in range(2):
        assert talking.prompt("*brief what is this?")["commands"] == [
            {"name": "brief", "lines": ["Short.", "No recap."]}
        ]
    assert talking.prompt("what is this?") is None


@pytest.mark.parametrize(
    "prompt", ["**brief**", "a*brief", "*briefly", "*args", "2 *x", "* brief", "`*brief`", "*Brief*"]
)
def test_a_star_alone_is_no_command(talking, prompt):
    """Bold text, products and arguments trigger CARL's (parity)."""
    assert talking.prompt(prompt) is None


def test_the_commands_domain_can_be_off(talking):
    """COMMANDS off silences working modes, not the product's own command."""
    talking.prompt("*limpet off COMMANDS")
    assert talking.prompt("*brief") is None
    assert answer(talking, "*limpet on COMMANDS") == ["COMMANDS is on in this conversation."]
    assert answer(talking, "*brief") == ["Short.", "No recap."]


@pytest.mark.parametrize("bracket", [140_000, 160_000, 199_000])
def test_what_was_typed_comes_in_every_bracket(talking, bracket):
    """Decision 1: L7 is in DEPLETED and CRITICAL too."""
    talking.use(bracket)
    assert answer(talking, "*brief") == ["Short.", "No recap."]


@pytest.mark.parametrize(("typed", "agent"), [("dev", "dev"), ("@qa", "qa-implementation"), ("PM", "detail")])
def test_an_agent_is_activated(talking, typed, agent):
    """By id or alias, for this conversation, in the very same block."""
    block = talking.prompt(f"*agent {typed}")
    assert block["commands"][0]["lines"][0].startswith(f"Agent {agent} is active in this conversation: ")
    assert block["agent"]["name"] == agent
    assert talking.state["active_agent"] == agent


def test_an_unknown_agent_changes_nothing(talking):
    """The answer says where to look."""
    assert answer(talking, "*agent nobody-at-all") == ["Unknown agent 'nobody-at-all'. Run `limpet work agent show`."]
    assert talking.state.get("active_agent") is None


@pytest.mark.parametrize(
    ("prompt", "field", "value"),
    [
        ("*work task Write the parser", "task", "Write the parser"),
        ("*work mode build", "mode", "build"),
        ("*work mode clarity", "mode", "planning"),
        ("*develop 1.2", "task", "1.2"),
        ("*mode explore", "permission", "explore"),
        ("*mode safe", "permission", "explore"),
        ("*yolo", "permission", "auto"),
    ],
)
def test_each_field_has_its_command(talking, prompt, field, value):
    """Decision 11, one writer each; aliases mean their names."""
    assert value in " ".join(answer(talking, prompt))
    assert talking.state[field] == value


@pytest.mark.parametrize(
    "prompt", ["*work", "*work mode", "*work mode x", "*work task", "*develop", "*mode", "*mode build"]
)
def test_a_command_without_sense_says_how_to_type_it(talking, prompt):
    """And changes nothing."""
    assert answer(talking, prompt)[0].startswith(("Say *", "Unknown mode"))
    assert [name for name in ("workflow", "task", "squad", "mode", "permission") if talking.state.get(name)] == []


def test_a_domain_is_switched_for_this_conversation(talking):
    """Off and on again, by any spelling of its name."""
    assert answer(talking, "*limpet off api") == ["API is off in this conversation."]
    assert talking.prompt("the endpoint") is None
    talking.prompt("*limpet on API")
    assert talking.prompt("the endpoint")["rules"][0]["domain"] == "API"
    assert answer(talking, "*limpet off nonsense") == ["Unknown domain 'NONSENSE'. See *limpet domains."]


@pytest.mark.parametrize(
    ("verb", "held"),
    [
        ("", "working modes: *brief, *plan"),
        ("help", "*limpet help | status | debug"),
        ("domains", "DB (keyword) off"),
        ("session", "conversation one, begun 2027-"),
        ("debug", "last block:"),
    ],
)
def test_the_products_command_answers_for_the_user(talking, verb, held):
    """The block carries what the agent shall show."""
    lines = answer(talking, f"*limpet {verb}".strip())
    assert lines[0] == "Show the user these lines verbatim:"
    assert any(held in line for line in lines), lines


def test_an_unknown_verb_gets_help(talking):
    """Nothing fails, nothing changes."""
    lines = answer(talking, "*limpet frobnicate")
    assert lines[0] == "Unknown command: *limpet frobnicate."
    assert any("help | status" in line for line in lines)


def test_the_lists_of_the_products_command_end(workspace):
    """A hundred domains are not a hundred lines."""
    write_over_shipped(workspace, "".join(f"D{n}_RECALL=w{n}\n" for n in range(100)))
    lines = Conversation(workspace).prompt("*limpet domains")["commands"][0]["lines"]
    assert lines[-1] == "+78 more: limpet rules list"
