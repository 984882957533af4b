"""A subagent's own block: what it begins with, and what it leaves alone (decisions 5, 6, 11, 12, 22, 47)."""

import json

import pytest

from limpet.ground.event_log import metrics_path
from limpet.ground.text.tokens import estimate_tokens
from limpet.ground.trust.giving import revoke_trust
from limpet.operations.mirror import refresh_mirror

from ..conftest import write_settings
from ..conversation import write, write_rules
from ..event_log import logged
from ..hook_host import notes, rule_lines, state
from ..memories import configure, listed, short, until, wished
from ..places import private_path
from .test_private import message

AGENTS = "GLOBAL_ALWAYS_ON=true\nAPI_RECALL=endpoint, route\nAGENT_DEV_STATE=active\nAGENT_MARKETING_STATE=active\n"
NEVER = "NEVER push - delegate to @devops"
TASK = "Find out why the parser of the ledger trips, and report the lines"
GIVEN = {"prompt": TASK, "description": "look", "subagent_type": "Explore"}


@pytest.fixture
def host(host):
    """A host whose project has rules for dev and an agent of its own, and whose conversation goes on as dev's."""
    rules = {"global": "GLOBAL_RULE_0=Read first.\n", "context": "FRESH_RULE_0=Load all.\n"}
    agents = {"agent_dev": f"DEV_RULE_AUTH_0={NEVER}\n", "agent_marketing": "MARKETING_RULE_0=Say what it is for.\n"}
    write_rules(host.workspace, AGENTS, **rules, **agents)
    return host


def start(host, kind, number=1, **payload):
    """A subagent of this type starts; the answer, which has no message for the person."""
    answer = host.send("SubagentStart", agent_type=kind, agent_id=f"a{number}", prompt_id="p", **payload)
    assert (answer.code, answer.err) == (0, b"")
    assert message(answer) == ""
    return answer


def agent_of(answer):
    """The id of the agent that the block speaks of, None for none."""
    agent = (answer.block or {"agent": None})["agent"]
    return agent["name"] if agent else None


def test_one_whose_type_is_an_agent_begins_with_three_layers_of_it(host):
    """Constitution, the rules that always hold, mission and authority; nothing of the conversation's own state."""
    host.send("SessionStart", source="startup")
    block = start(host, "dev").block
    assert block["constitution"] and block["bracket"] == "FRESH"
    assert [rules["domain"] for rules in block["rules"]] == ["GLOBAL"]
    assert block["agent"]["mission"].startswith("Build what the story says")
    assert block["agent"]["authority"] == [NEVER]
    assert [block[name] for name in ("lock", "next", "record", "task", "pipeline", "left_out")] == [*(None,) * 5, []]


@pytest.mark.parametrize(("kind", "agent"), [("@Dev", "dev"), ("qa", "qa-implementation"), ("marketing", "marketing")])
def test_an_alias_and_an_agent_of_the_project_are_agents_too(host, kind, agent):
    """Decision 34: in any case, with the sign before it."""
    assert agent_of(start(host, kind)) == agent


@pytest.mark.parametrize("kind", ["general-purpose", "Explore", "Plan", "tool:dev", "none"])
def test_any_other_begins_with_constitution_and_rules_only(host, memories, kind):
    """As a worker does: no agent, though the conversation has one, and no memory."""
    memories.add("JWT is signed with EdDSA")
    host.send("SessionStart", source="startup")
    host.prompt("*agent dev")
    block = start(host, kind).block
    assert block["constitution"] and rule_lines(start(host, kind, 2), "GLOBAL") == ["Read first."]
    assert (block["agent"], block["memory"], block["contents"]) == (None, None, [])


@pytest.mark.parametrize("kind", ["fork", ""])
def test_one_that_inherits_the_conversation_begins_with_nothing_of_ours(host, kind):
    """What the conversation was sent is among its words; one without a type is the client's own."""
    host.send("SessionStart", source="startup")
    assert start(host, kind).out == b""


def test_it_begins_with_what_is_always_wanted_and_the_titles_of_its_agent(host, memories):
    """Its own and the shared ones, the hottest first; those of another agent stay away, the conversation's too."""
    memories.add("Never push without a review", type="user_correction")
    shared = memories.add("Amounts are integers of cents", confidence=0.9)
    own = memories.add("The parser trips over tabs", owner="dev")
    others = memories.add("The zebra key turns left", owner="qa-implementation", pinned=True)
    host.send("SessionStart", source="startup")
    host.prompt("*agent qa")
    begun = start(host, "dev")
    assert (wished(begun), listed(begun)) == (["Never push without a review"], [short(own), short(shared)])
    assert short(others).encode() not in start(host, "dev", 2).out


def test_wishes_take_a_third_of_the_tokens_and_titles_a_quarter(host, memories):
    """Of ``context.subagents.tokens``, 1,200: its rules and its agent need room too."""
    for kind, verb in (("decision", "is"), ("user_correction", "is always")):
        memories.add_many(
            {"title": f"Number {n} of the ledger {verb} sorted by its day of booking", "type": kind} for n in range(20)
        )
    host.send("SessionStart", source="startup")
    host.send("PreToolUse", tool_name="Agent", tool_input=GIVEN | {"prompt": "Sort the ledger by its day of booking"})
    begun = start(host, "Explore")
    for quoted, most in ((wished(begun), 400), (begun.block["contents"], 300)):
        assert most // 2 < estimate_tokens("\n".join(quoted), 0.15) <= most


@pytest.mark.parametrize("kind", ["Explore", "dev"])
def test_one_gets_what_bears_on_the_task_that_it_was_given(host, memories, kind):
    """Wishes whole and titles by the words of the call that starts it; nothing of it is kept for the next one."""
    memories.add("Never push without a review", type="user_correction")
    bears = memories.add("The parser of the ledger trips over tabs")
    memories.add("Amounts are integers of cents")
    host.send("SessionStart", source="startup")
    host.send("PreToolUse", tool_name="Agent", tool_input={**GIVEN, "subagent_type": kind}, tool_use_id="t1")
    begun = start(host, kind)
    assert wished(begun) == ["Never push without a review"]
    assert listed(begun)[0] == short(bears) or "trips over tabs" in begun.text
    assert ("trips over tabs" in start(host, kind, 2).text) == (kind == "dev")  # the hottest titles of its agent


def test_each_of_several_gets_its_own_task(host, memories):
    """In the order of their calls, by type; what nobody started within a minute is forgotten, and a private one's
    never kept."""
    memories.add("The parser of the ledger trips over tabs")
    memories.add("The exporter writes dates in UTC")
    host.send("SessionStart", source="startup")
    for number, task in enumerate(("Look at the parser of the ledger", "Look at the dates of the exporter")):
        host.send("PreToolUse", tool_name="Task", tool_input={**GIVEN, "prompt": task}, tool_use_id=f"t{number}")
    assert ["parser" in start(host, "Explore", 1).text, "exporter" in start(host, "Explore", 2).text] == [True, True]
    host.send("PreToolUse", tool_name="Task", tool_input=GIVEN, tool_use_id="t9")
    write(private_path(host.workspace, "given-tasks.json"), json.dumps({"tasks": [[1.0, "Explore", TASK]]}))
    assert "parser" not in start(host, "Explore", 3).text


def test_the_block_keeps_to_its_tokens_whatever_there_is(host, memories):
    """1,200; memories have room all the same, and what has none is named."""
    rules = "".join(f"GLOBAL_RULE_{n}=Keep part {n} of the ledger in the order of booking.\n" for n in range(99))
    write(host.workspace.path("rules", "global"), rules)
    memories.add("The parser never trips over tabs", owner="dev", type="user_correction")
    answer = start(host, "dev")
    assert 1000 < estimate_tokens(answer.text, 0.15) <= 1200
    assert wished(answer) == ["The parser never trips over tabs"]
    assert [left for left in answer.block["left_out"] if left.startswith("GLOBAL")]


def test_the_setting_leaves_subagents_to_themselves(host):
    """``context.subagents.told: false``."""
    write_settings(host.workspace, "context: {subagents: {told: false}}\n")
    assert start(host, "dev").out == b""


def test_the_conversations_state_stays_as_it_was(host, memories):
    """Its agent, its epoch, what it was sent and what it was shown: only the claim of the event is new."""
    memories.add("The parser trips over tabs", owner="dev")
    host.send("SessionStart", source="startup")
    host.prompt("*agent qa")
    before = state(host.workspace)
    assert agent_of(start(host, "dev")) == "dev"
    after = state(host.workspace)
    changed = {name for name in {*before, *after} if before.get(name) != after.get(name)}
    assert changed == {"claims", "revision"}
    assert agent_of(host.prompt("*limpet reload")) == "qa-implementation"


def test_told_twice_it_is_answered_once(host):
    """Two files may register the hook; another subagent of the same type is another one."""
    answers = [start(host, "dev", number) for number in (1, 1, 2)]
    assert [agent_of(answer) for answer in answers] == ["dev", None, "dev"]


def test_a_conversation_that_nobody_saw_yet_is_sent_its_rules_afterwards(host):
    """The hook was registered while the client ran."""
    assert agent_of(start(host, "dev")) == "dev"
    assert rule_lines(host.prompt("Go on."), "GLOBAL") == ["Read first."]


def test_what_it_was_shown_counts_as_shown_to_that_agent(host, memories):
    """Shown is no use (decision 20)."""
    own = memories.add("The parser never trips over tabs", owner="dev", type="user_correction")
    memories.add("Amounts are integers of cents")
    start(host, "dev")
    (event,) = logged(host.workspace.shared, "memory.shown")
    assert (event["agent"], event["data"]["ids"]) == ("dev", [own])
    assert memories.library.show(own, count=False).entry.access_count == 0


def test_the_record_says_whose_block_it_was(host):
    """For ``limpet log``; the conversation's own last prompt is another line."""
    start(host, "qa")
    with open(metrics_path(host.workspace), encoding="utf-8") as file:
        line = json.loads(file.readlines()[-1])
    known = {
        "event": "subagent_start",
        "subagent": "qa",
        "agent": "qa-implementation",
        "bracket": "FRESH",
        "budget": 1200,
    }
    assert known.items() <= line.items()


@pytest.mark.parametrize(
    ("whose", "agent"),
    [
        ({"agent_type": "qa", "agent_id": "a1"}, "qa-implementation"),
        ({"agent_type": "marketing", "agent_id": "a1"}, "marketing"),
        ({"agent_type": "Explore", "agent_id": "a1"}, None),
        ({"agent_type": "fork", "agent_id": "a1"}, "dev"),
        ({"agent_type": "qa"}, "dev"),  # a conversation that a client began as its agent
    ],
)
def test_a_tool_that_fails_in_a_subagent_fails_for_that_agent(host, memories, whose, agent):
    """Not for the conversation's; one of no agent's is nobody's, and a fork is the conversation itself."""
    configure(host.workspace)
    host.prompt("*agent dev")
    given = {"tool_name": "Bash", "tool_input": {"command": "pytest"}, "tool_use_id": "t", "error": "Exit code 1\nboom"}
    host.send("PostToolUseFailure", **whose, **given)
    assert until(lambda: logged(host.workspace.shared, "tool.failed"))
    assert [event["agent"] for event in logged(host.workspace.shared, "tool.failed")] == [agent]


def test_a_private_conversation_gives_its_subagents_nothing(host):
    host.prompt("*private")
    assert start(host, "dev").out == b""
    assert not logged(host.workspace.shared, "memory.shown")


def test_in_a_project_that_nobody_trusts_it_begins_with_the_packaged_constitution(host, memories):
    """No rule, no agent and no memory of it (decision 46)."""
    memories.add("The parser trips over tabs", owner="dev")
    write(private_path(host.workspace, "session.yaml"), "current_agent: dev\n")
    refresh_mirror(host.workspace)
    revoke_trust(host.workspace)
    host.send("SessionStart", source="startup")
    block = start(host, "dev").block
    assert block["constitution"]
    assert (block["agent"], block["memory"], block["rules"], block["mode"]) == (None, None, [], None)


def test_a_block_that_notes_something_notes_it_to_the_conversation(host):
    """A subagent can mend nothing of it."""
    write(host.workspace.path("config.yaml"), "no_such_setting: 1\n")
    assert notes(host.send("SessionStart", source="startup"))
    assert notes(start(host, "dev")) == []


def test_its_agents_own_come_before_hotter_ones_of_everybodys(host, memories):
    """What dev alone knows is told to nobody but dev, however little room the list has."""
    gotcha = memories.add("pytest hangs with two workers", type="gotcha", owner="dev", confidence=0.4, days_ago=9)
    memories.add_many({"title": f"Number {n} of the ledger is sorted by its day of booking"} for n in range(30))
    begun = start(host, "dev")
    assert listed(begun)[0] == short(gotcha) and len(listed(begun)) > 3
    assert short(gotcha) not in listed(start(host, "qa", 2))
