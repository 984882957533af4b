"""Where CARL and SYNAPSE stumble, one trap after the other through the hook as a host starts it. Traps of payloads,
session ids, sizes, files' bytes and squads stand with their subjects in the files beside this one."""

import json
import os

import pytest

from ..conversation import write, write_rules
from ..hook_host import bare, rule_lines, state
from ..places import private_path

LEFT = {"FRESH": 20_000, "MODERATE": 100_000, "DEPLETED": 140_000, "CRITICAL": 160_000}
BRACKET_RULES = "".join(f"{name}_RULE_0=now {name}\n" for name in ("FRESH", "MODERATE", "DEPLETED"))


@pytest.fixture
def use(tmp_path):
    """Writes a transcript whose last answer used so many tokens, and gives the payload that names it."""

    def write_usage(tokens, model="some-model", folder="transcripts", after=0, **counts):
        usage = {"input_tokens": tokens, "cache_read_input_tokens": 0, "output_tokens": 0, **counts}
        answer = {"type": "assistant", "message": {"model": model, "usage": usage}}
        lines = [answer, *({"type": "user", "message": {"content": f"line {n}"}} for n in range(after))]
        path = str(tmp_path / folder / "transcript.jsonl")
        write(path, "".join(json.dumps(line) + "\n" for line in lines))
        return {"transcript_path": path}

    return write_usage


# Keywords


@pytest.mark.parametrize("way", ["words", "substring"])
@pytest.mark.parametrize("recall", ["", ",", " , ,", "deploy,", ",,deploy"])
def test_an_empty_keyword_matches_nothing(host, recall, way):
    """Trap: empty RECALL or trailing comma. CARL matches every prompt; the other words of the list still count."""
    write_rules(host.workspace, f"API_RECALL={recall}\nAPI_MATCH={way}\n")
    assert rule_lines(host.prompt("something else entirely"), "API") is None
    assert (rule_lines(host.prompt("deploy it"), "API") is not None) == ("deploy" in recall)


@pytest.mark.parametrize(
    ("way", "keyword", "prompt", "matches"),
    [
        ("", "ui", "build it", False),
        ("", "ui", "the UI, please", True),
        ("", "test", "the latest version", False),
        ("", "test", "testing all tests", True),
        ("word", "test", "tests", False),
        ("word", "test", "the test", True),
        ("substring", "ui", "build it", True),
        ("substring", "test", "the latest version", True),
    ],
)
def test_a_keyword_is_a_word_unless_the_domain_wants_substrings(host, way, keyword, prompt, matches):
    """Trap: substring against word match. CARL's `ui` hits "build", its `test` hits "latest" (decision 16)."""
    write_rules(host.workspace, f"API_RECALL={keyword}\n" + (f"API_MATCH={way}\n" if way else ""))
    assert (rule_lines(host.prompt(prompt), "API") is not None) == matches


def test_substrings_can_be_had_back_for_all_domains(host):
    """Trap: substring against word match. The compatibility mode for a whole project (decision 16)."""
    write_rules(host.workspace, "API_RECALL=ui\n")
    write(host.workspace.path("config.yaml"), "rules: {match: substring}\n")
    assert rule_lines(host.prompt("build it"), "API") == ["Version it."]


def test_a_global_exclusion_stops_keywords_only(host):
    """Trap: GLOBAL_EXCLUDE stops neither always-on domains nor commands."""
    manifest = "GLOBAL_EXCLUDE=chat\nGLOBAL_ALWAYS_ON=true\nHOUSE_ALWAYS_ON=yes\nHOUSE_EXCLUDE=chat\n"
    write_rules(host.workspace, manifest + "API_RECALL=endpoint\nCOMMANDS_STATE=active\n", house="HOUSE_RULE_0=h\n")
    answer = host.prompt("just chat about the endpoint *brief")
    assert [rule_lines(answer, name) for name in ("GLOBAL", "HOUSE", "API")] == [["Read first."], ["h"], None]
    assert answer.block["commands"] == [{"name": "brief", "lines": ["Short."]}]


# Star-commands


@pytest.mark.parametrize(
    "prompt", ["**brief**", "a*brief", "*briefly", "*args", "2 *x", "* brief", "`*brief`", "*Brief*"]
)
def test_bold_text_is_no_command(host, prompt):
    """Trap: bold text against star-command. CARL takes any star before letters for one (decision 17)."""
    assert host.prompt(prompt).block["commands"] == []


@pytest.mark.parametrize("bracket", LEFT)
def test_a_typed_command_survives_the_budget(host, use, bracket):
    """Trap: star-command must survive the budget. SYNAPSE's static text throws it out; here the rest gives way."""
    long = "".join(f"GLOBAL_RULE_{n}=Never forget to consider the reason number {n} of all.\n" for n in range(400))
    write_rules(host.workspace, "GLOBAL_ALWAYS_ON=true\nCOMMANDS_STATE=active\n", **{"global": long})
    answer = host.prompt("*brief", **use(LEFT[bracket]))
    assert answer.block["bracket"] == bracket
    assert answer.block["commands"] == [{"name": "brief", "lines": ["Short."]}]
    assert "GLOBAL" in " ".join(answer.block["left_out"])


# Domains and their files


@pytest.mark.parametrize("state", ["inactive", "false", "no", "0", "off"])
def test_an_inactive_domain_never_loads(host, state):
    """Trap: inactive domain must not load, be it called by a keyword, always on, an agent's or a squad's."""
    manifest = f"API_RECALL=deploy\nAPI_STATE={state}\nB_ALWAYS_ON=true\nB_STATE={state}\nAGENT_DEV_STATE={state}\n"
    write_rules(host.workspace, manifest, b="B_RULE_0=b\n", agent_dev="DEV_RULE_0=d\n")
    squad = os.path.join(host.workspace.root, "squads", "alpha", ".synapse")
    write(os.path.join(squad, "manifest"), f"QA_RECALL=deploy\nQA_STATE={state}\n")
    write(os.path.join(squad, "qa"), "QA_RULE_0=q\n")
    block = host.prompt("deploy *agent dev *work squad alpha").block
    assert block["rules"] == []
    assert (block["agent"]["name"], block["agent"]["rules"]) == ("dev", [])


@pytest.mark.parametrize("name", ["story-dev", "story_dev", "STORY-DEV", "story_dev.env", "story-dev.env"])
def test_a_file_is_found_by_hyphen_underscore_case_and_suffix(host, name):
    """Traps: `.env` suffix; hyphen against underscore file names. CARL keeps one, SYNAPSE the other."""
    write_rules(host.workspace, "STORY_DEV_RECALL=deploy\n")
    write(host.workspace.path("rules", name), "STORY_DEV_RULE_0=s\n")
    assert rule_lines(host.prompt("deploy"), "STORY_DEV") == ["s"]


def test_rules_come_in_the_order_of_the_file(host):
    """Trap: rule order is file order. Numbers are none: gaps, doubles and words stand where they stand."""
    text = "API_RULE_9=nine\nAPI_RULE_1=one\nAPI_RULE_1=again\nAPI_RULE_X=x\n# API_RULE_2=not this\nAPI_RULE_3=\n"
    write(host.workspace.path("rules", "api"), text)
    assert rule_lines(host.prompt("the endpoint"), "API") == ["nine", "one", "again", "x"]


def test_every_layer_of_rules_speaks(host):
    """Trap: SYNAPSE's agent, workflow, squad and keyword layers, which no prompt of its real hook ever showed."""
    manifest = "GLOBAL_ALWAYS_ON=true\nCONTEXT_STATE=active\nAGENT_DEV_AGENT_TRIGGER=dev\nCOMMANDS_STATE=active\n"
    manifest += "WORKFLOW_STORY_WORKFLOW_TRIGGER=story\nAPI_RECALL=endpoint\n"
    files = {"agent_dev": "AGENT_DEV_AUTH_0=No push.\nAGENT_DEV_RULE_0=d\n", "workflow_story": "STORY_RULE_0=w\n"}
    write_rules(host.workspace, manifest, context=BRACKET_RULES, **files)
    squad = os.path.join(host.workspace.root, "squads", "alpha", ".synapse")
    write(os.path.join(squad, "manifest"), "QA_STATE=active\n")
    write(os.path.join(squad, "qa"), "QA_RULE_0=q\n")
    write(
        private_path(host.workspace, "session.yaml"),
        "current_agent: dev\nworkflow: story\nsquad: alpha\ntask: Write it\n",
    )
    answer = host.prompt("the endpoint *brief")
    said = {rules["domain"]: rules["lines"] for rules in answer.block["rules"]}
    always = {"GLOBAL": ["Read first."], "CONTEXT": ["now FRESH"]}
    assert said == always | {"WORKFLOW_STORY": ["w"], "ALPHA_QA": ["q"], "API": ["Version it."]}
    block = answer.block
    assert block["constitution"] and block["commands"] == [{"name": "brief", "lines": ["Short."]}]
    assert (block["agent"]["authority"], block["agent"]["rules"]) == (["No push."], ["d"])
    assert "Write it" in str(block["task"])


# Brackets


@pytest.mark.parametrize("bracket", LEFT)
def test_only_the_current_brackets_rules_come(host, use, bracket):
    """Traps: only the current bracket's rules (SYNAPSE loads all); CRITICAL uses DEPLETED's."""
    write_rules(host.workspace, "CONTEXT_STATE=active\n", context=BRACKET_RULES)
    answer = host.prompt(**use(LEFT[bracket]))
    assert answer.block["bracket"] == bracket
    assert rule_lines(answer, "CONTEXT") == ["now DEPLETED" if bracket == "CRITICAL" else f"now {bracket}"]


def test_an_unknown_bracket_is_fresh(host):
    """Trap: bracket unknown is FRESH. The host names no transcript."""
    block = host.prompt().block
    assert (block["bracket"], block["remaining"]) == ("FRESH", None)


def test_cached_tokens_count(host, use):
    """Trap: transcript with cache_creation tokens, which CARL leaves out together with the output."""
    counts = {"cache_creation_input_tokens": 90_000, "cache_read_input_tokens": 50_000, "output_tokens": 5_000}
    block = host.prompt(**use(10_000, **counts)).block
    assert (block["bracket"], state(host.workspace)["usage"]["source"]) == ("CRITICAL", "transcript")
    assert state(host.workspace)["usage"]["used"] == 155_000


@pytest.mark.parametrize(("after", "folder"), [(0, "-home-me-my.app_v2.1"), (500, "transcripts")])
def test_the_transcript_is_read_wherever_it_lies_and_however_long_it_goes_on(host, use, after, folder):
    """Trap: CARL guesses the transcript's path, looks at the last 20 lines, and needs the program `tail` for it."""
    answer = host.prompt(process={"env": bare()}, **use(LEFT["DEPLETED"], after=after, folder=folder))
    source = state(host.workspace)["usage"]["source"]
    assert (answer.block["bracket"], source) == ("DEPLETED", "transcript")


@pytest.mark.parametrize(("told", "tokens"), [("some-model[1m]", 170_000), ("", 450_000)])
def test_a_window_of_a_million_raises_no_false_alarm(host, use, told, tokens):
    """Trap: 1M-token models, told of at the start or seen by more tokens than 200,000, of which SYNAPSE warns."""
    host.send("SessionStart", source="startup", model=told)
    answer = host.prompt("the endpoint", **use(tokens))
    usage = state(host.workspace)["usage"]
    assert (usage["window"], usage["remaining"]) == (1_000_000, 100 - tokens / 10_000)
    assert "warning" not in answer.text.lower()
    assert rule_lines(answer, "API") == ["Version it."]


# Repetition


def test_the_first_prompt_speaks_and_then_every_tenth_reminds(host):
    """Trap: first two prompts plus every tenth emit. What stays in the conversation needs no second (decision 5)."""
    blocks = [host.prompt().block for _ in range(21)]
    assert [number for number, block in enumerate(blocks, 1) if block] == [1, 11, 21]
    assert blocks[0]["constitution"] and not blocks[10]["constitution"]
    assert "Still in force" in blocks[10]["reminder"]


def test_a_compaction_brings_the_stable_part_back(host):
    """Trap: nothing of CARL's comes again after a compaction."""
    host.prompt()
    assert host.prompt().out == b""
    answer = host.send("SessionStart", source="compact")
    assert answer.block["constitution"]
    assert rule_lines(answer, "GLOBAL") == ["Read first."]


# Conversations


def test_a_conversations_override_beats_the_manifest(host):
    """Trap: overrides beat manifest, on and off, in their own conversation only (SYNAPSE reads none)."""
    manifest = "API_RECALL=deploy\nB_RECALL=deploy\nB_STATE=inactive\n"
    write_rules(host.workspace, manifest, b="B_RULE_0=b\n")
    host.prompt("*limpet off API")
    host.prompt("*limpet on b")
    answer = host.prompt("deploy")
    assert (rule_lines(answer, "API"), rule_lines(answer, "B")) == (None, ["b"])
    other = host.prompt("deploy", session_id="other")
    assert (rule_lines(other, "API"), rule_lines(other, "B")) == (["Version it."], None)


def test_a_non_negotiable_domain_has_its_room_first_and_stays_on(host):
    """`_NON_NEGOTIABLE` (ADR-001 SYNAPSE E1): where the budget takes rules, it takes others; nobody switches it off."""
    long = "".join(f"API_RULE_{n}=Version every endpoint of part {n} of the interface.\n" for n in range(200))
    manifest = "API_RECALL=deploy\nB_RECALL=deploy\n{}"
    write_rules(host.workspace, manifest.format(""), api=long, b="B_RULE_0=b\n")
    assert rule_lines(host.prompt("deploy"), "B") is None
    write_rules(host.workspace, manifest.format("B_NON_NEGOTIABLE=true\n"), api=long, b="B_RULE_0=b\n")
    host.prompt("*limpet off B", session_id="next")
    assert rule_lines(host.prompt("deploy", session_id="next"), "B") == ["b"]


def test_a_session_without_overrides_costs_no_rule(host):
    """Trap: a session file whose overrides are null ends CARL with a traceback."""
    write(private_path(host.workspace, "sessions", "s.json"), '{"prompt_count": 3, "overrides": null}')
    assert rule_lines(host.prompt("the endpoint"), "API") == ["Version it."]
    assert (state(host.workspace)["prompt_count"], state(host.workspace)["overrides"]) == (4, {})


@pytest.mark.parametrize("raw", [b"", b'{"prompt_count": 3', b'{"last_activity": "2001-01-01T00:00:00"}'])
def test_a_new_conversation_leaves_the_others_alone(host, raw):
    """Trap: a new session of CARL's deletes another one's file that is half written, or silent for a day."""
    write(private_path(host.workspace, "sessions", "other.json"), raw)
    host.send("SessionStart", source="startup")
    host.prompt()
    with open(private_path(host.workspace, "sessions", "other.json"), "rb") as file:
        assert file.read() == raw
