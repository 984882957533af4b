"""A prompt through the engine: which rules come, in CARL's and SYNAPSE's traps too (facts, parity traps)."""

import os

import pytest

from limpet.operations.mirror import refresh_mirror

from ...conversation import MODEL, Conversation, write, write_rules
from ...places import private_path

GLOBAL = {"global": "GLOBAL_RULE_0=Read first.\n"}
LEFT = {"FRESH": 20_000, "MODERATE": 100_000, "DEPLETED": 140_000, "CRITICAL": 160_000}


@pytest.fixture
def talk(workspace):
    """A conversation in a project; it opens by the rules that the test gives."""

    def open_project(manifest, **files):
        write_rules(workspace, manifest, **files)
        return Conversation(workspace)

    return open_project


def said(block, domain):
    """A domain's rules in the block, None when it is not there."""
    return next((rules["lines"] for rules in (block or {"rules": []})["rules"] if rules["domain"] == domain), None)


@pytest.mark.parametrize("recall", ["", ",", " , ,", "deploy,", ",,deploy"])
def test_an_empty_keyword_matches_nothing(talk, recall):
    """CARL's empty RECALL or trailing comma matches every prompt (parity, decision 15)."""
    talking = talk(f"API_RECALL={recall}\n", api="API_RULE_0=a\n")
    assert said(talking.prompt("something else entirely"), "API") is None


@pytest.mark.parametrize(
    ("keyword", "prompt", "matches"),
    [("ui", "build it", False), ("ui", "the UI, please", True), ("test", "testing all tests", True)],
)
def test_keywords_match_words_and_not_parts_of_them(talk, keyword, prompt, matches):
    """Decision 16, against CARL's substrings (parity)."""
    talking = talk(f"API_RECALL={keyword}\n", api="API_RULE_0=a\n")
    assert (said(talking.prompt(prompt), "API") is not None) == matches


def test_substring_matching_can_be_had_back(talk, workspace):
    """Decision 16: CARL's matching for a domain, or for all."""
    talking = talk("API_RECALL=ui\nAPI_MATCH=substring\nDB_RECALL=ui\n", api="API_RULE_0=a\n", db="DB_RULE_0=b\n")
    block = talking.prompt("build it")
    assert (said(block, "API"), said(block, "DB")) == (["a"], None)
    write(workspace.path("config.yaml"), "rules: {match: substring}\n")
    refresh_mirror(workspace)
    assert said(talking.prompt("build it"), "DB") == ["b"]


def test_an_exclusion_keeps_its_domain_out(talk):
    """A domain's own EXCLUDE, whatever it recalls."""
    talking = talk("API_RECALL=endpoint\nAPI_EXCLUDE=mock endpoint\n", api="API_RULE_0=a\n")
    assert said(talking.prompt("a mock endpoint"), "API") is None
    (rules,) = talking.prompt("an endpoint")["rules"]
    assert (rules["domain"], rules["lines"], rules["matched"]) == ("API", ["a"], ["endpoint"])


def test_a_global_exclusion_stops_keywords_only(talk):
    """GLOBAL_EXCLUDE stops neither always-on domains nor commands (parity)."""
    manifest = "GLOBAL_EXCLUDE=chat\nGLOBAL_ALWAYS_ON=true\nHOUSE_ALWAYS_ON=yes\nHOUSE_EXCLUDE=chat\n"
    manifest += "API_RECALL=endpoint\nCOMMANDS_STATE=active\n"
    talking = talk(manifest, house="HOUSE_RULE_0=h\n", api="API_RULE_0=a\n", commands="BRIEF_RULE_0=Short.\n", **GLOBAL)
    block = talking.prompt("just chat about the endpoint *brief")
    assert [said(block, name) for name in ("GLOBAL", "HOUSE", "API")] == [["Read first."], ["h"], None]
    assert block["commands"] == [{"name": "brief", "lines": ["Short."]}]


@pytest.mark.parametrize("state", ["inactive", "false", "no", "0", "off"])
def test_an_inactive_domain_never_loads(talk, state):
    """By keyword, always on, an agent's or a squad's (SYNAPSE loads them all; parity)."""
    manifest = f"A_RECALL=deploy\nA_STATE={state}\nB_ALWAYS_ON=true\nB_STATE={state}\nAGENT_DEV_STATE={state}\n"
    talking = talk(manifest, a="A_RULE_0=a\n", b="B_RULE_0=b\n", agent_dev="DEV_RULE_0=d\n")
    squad = os.path.join(talking.workspace.root, "squads", "alpha", ".synapse")
    write(os.path.join(squad, "manifest"), f"QA_RECALL=deploy\nQA_STATE={state}\n")
    write(os.path.join(squad, "qa"), "QA_RULE_0=q\n")
    block = talking.prompt("*agent dev *work squad alpha deploy")
    assert block["rules"] == []
    assert (block["agent"]["name"], block["agent"]["rules"]) == ("dev", [])


def test_domains_come_in_the_order_of_the_manifest(talk):
    """DOMAIN_ORDER first, then first appearance (decision 15)."""
    files = {name: f"{name.upper()}_RULE_0=x\n" for name in "abc"}
    talking = talk("DOMAIN_ORDER=C\nB_RECALL=deploy\nA_RECALL=deploy\nC_RECALL=deploy\n", **files)
    assert [rules["domain"] for rules in talking.prompt("deploy")["rules"]] == ["C", "B", "A"]


def test_the_constitution_cannot_be_switched_off(talk):
    """Decision 15: refused in the manifest, by a session's override, and by the star-command."""
    talking = talk("CONSTITUTION_STATE=inactive\n")
    block = talking.prompt("*limpet off CONSTITUTION")
    assert block["constitution"]
    assert block["commands"][0]["lines"] == ["The constitution cannot be switched off."]
    assert talking.state["overrides"] == {}


BRACKET_RULES = "".join(f"{name}_RULE_0=now {name}\n" for name in ("FRESH", "MODERATE", "DEPLETED"))


@pytest.mark.parametrize("bracket", LEFT)
def test_only_the_current_brackets_rules_come(talk, bracket):
    """SYNAPSE loads every bracket's; CRITICAL without its own uses DEPLETED's (parity, decision 15)."""
    talking = talk("CONTEXT_STATE=active\n", context=BRACKET_RULES)
    talking.use(LEFT[bracket])
    block = talking.prompt()
    assert block["bracket"] == bracket
    assert said(block, "CONTEXT") == ["now DEPLETED" if bracket == "CRITICAL" else f"now {bracket}"]


def test_critical_has_its_own_rules_where_they_exist(talk):
    """Then DEPLETED's are silent, in any of the accepted spellings (decision 15)."""
    talking = talk("CONTEXT_STATE=active\n", context="DEPLETED_RULE_0=d\nCONTEXT_RULE_CRITICAL_0=c\n")
    talking.use(LEFT["CRITICAL"])
    assert said(talking.prompt(), "CONTEXT") == ["c"]


def test_cached_tokens_count(talk):
    """CARL leaves cache creation and output out, and sees FRESH where little is left (parity, decision 3)."""
    talking = talk("")
    talking.use(10_000, cache_creation_input_tokens=90_000, cache_read_input_tokens=50_000, output_tokens=5_000)
    block = talking.prompt()
    assert (block["bracket"], talking.state["usage"]["source"]) == ("CRITICAL", "transcript")
    assert talking.state["usage"]["used"] == 155_000


@pytest.mark.parametrize(
    "told", ["opus[1m]", "us.anthropic.claude-opus-4-5-v1:0[1m]", "vertex/claude-opus-4-5@default[1m]"]
)
def test_a_window_of_a_million_raises_no_false_alarm(talk, told):
    """The client tells of it at the start, and its transcript never: 200,000 warned such users (parity, decision 3)."""
    talking = talk("")
    talking.start(model=told)
    talking.use(170_000)
    assert [talking.prompt(), talking.prompt(), talking.state["bracket"]] == [None, None, "FRESH"]


def test_another_models_window_is_its_own(talk):
    """What the client told of one model says nothing of the next."""
    talking = talk("")
    talking.start(model="large[1m]")
    talking.use(170_000)
    assert talking.prompt()["bracket"] == "CRITICAL"


def test_the_hosts_own_figure_wins(talk, workspace):
    """The status line's file, written after the transcript's last answer (decision 3)."""
    talking = talk("")
    talking.use(20_000)
    size = os.path.getsize(talking.transcript)
    write(workspace.cached("status", "one.json"), f'{{"used": 90000, "window": 100000, "transcript_size": {size + 1}}}')
    block = talking.prompt()
    assert (block["bracket"], talking.state["usage"]["source"]) == ("CRITICAL", "host")


@pytest.mark.parametrize("text", ["", "{", "[]", '{"used": "x"}', '{"used": true, "window": -5}'])
def test_a_spoilt_status_file_counts_as_none(talk, workspace, text):
    """The next best figure is used."""
    talking = talk("")
    talking.use(100_000)
    write(workspace.cached("status", "one.json"), text)
    talking.prompt()
    assert talking.state["usage"]["source"] == "transcript"


def test_the_first_prompt_speaks_and_then_every_tenth_reminds(talk):
    """CARL speaks at the first two and every tenth; what stays in the conversation needs no second (decision 5), and
    while the window is fresh no short form."""
    talking = talk("GLOBAL_ALWAYS_ON=true\n", **GLOBAL)
    assert [number for number in range(12) if talking.prompt()] == [0]
    talking = Conversation(talking.workspace, "two")
    talking.use(100_000)
    blocks = [talking.prompt() for _ in range(30)]
    assert [number for number, block in enumerate(blocks, 1) if block] == [1, 11, 21]
    assert blocks[0]["constitution"] and not blocks[10]["constitution"]
    assert blocks[10]["reminder"].startswith("Still in force: Ask before irreversible actions. ")


def test_the_conversations_choice_beats_the_projects(talk, workspace):
    """Decision 11: session.yaml holds the project's agent, mode and permission; a star-command holds here only."""
    talking = talk(
        "AGENT_DEV_STATE=active\nAGENT_ARCHITECT_STATE=active\n",
        agent_dev="DEV_RULE_0=d\n",
        agent_architect="ARCHITECT_RULE_0=a\n",
    )
    write(private_path(workspace, "session.yaml"), "current_agent: dev\nmode: build\npermission: auto\n")
    refresh_mirror(workspace)
    block = talking.prompt()
    assert (block["agent"]["rules"], block["mode"], block["permission"]) == (["d"], "build", "auto")
    block = talking.prompt("*agent architect *work mode deploy")
    assert (block["agent"]["rules"], block["mode"]) == (["a"], "deploy")
    other = Conversation(workspace, "other").prompt()
    assert (other["agent"]["rules"], other["mode"]) == (["d"], "build")
    assert talking.prompt("*agent none")["agent"] is None


def test_a_sessions_override_beats_the_manifest(talk):
    """On and off, for this conversation only (parity, decision 17)."""
    talking = talk("A_RECALL=deploy\nB_RECALL=deploy\nB_STATE=inactive\n", a="A_RULE_0=a\n", b="B_RULE_0=b\n")
    talking.prompt("*limpet off A")
    talking.prompt("*limpet on b")
    block = talking.prompt("deploy")
    assert (said(block, "A"), said(block, "B")) == (None, ["b"])
    assert said(Conversation(talking.workspace, "other").prompt("deploy"), "A") == ["a"]


def test_the_task_names_its_executor(talk, workspace):
    """A worker gets constitution and mode, nothing more (decision 7)."""
    talking = talk("API_RECALL=endpoint\n", api="API_RULE_0=a\n")
    task = "task: {id: '1.2', title: Write it, executor: worker}\n"
    write(private_path(workspace, "session.yaml"), f"current_agent: dev\nmode: build\n{task}")
    refresh_mirror(workspace)
    block = talking.prompt("the endpoint")
    assert block["constitution"] and block["mode"]
    assert (said(block, "API"), block["task"]) == (None, None)
    assert block["agent"]["rules"] == []


def test_the_state_of_the_conversation_is_kept(talk):
    """Counts, usage, bracket and history, for commands and for the next prompt."""
    talking = talk("API_RECALL=endpoint\nCOMMANDS_STATE=active\n", api="API_RULE_0=a\n", commands="BRIEF_RULE_0=x\n")
    talking.use(60_000)
    talking.prompt("the endpoint *brief")
    state = talking.state
    assert (state["prompt_count"], state["bracket"], state["revision"]) == (1, "FRESH", 1)
    measured = {"used": 60_000, "window": 200_000, "remaining": 70.0, "source": "transcript", "told_by": "model"}
    assert state["usage"] == measured
    assert state["history"] == {"star_commands": ["brief"], "domains_last": ["API"]}
    assert state["model"] == MODEL


def test_critical_prompts_are_counted_in_a_row(talk):
    """For the spawn criteria of decision 8."""
    talking = talk("")
    streaks = []
    for used in (160_000, 160_000, 20_000, 160_000):
        talking.use(used)
        talking.prompt()
        streaks.append(talking.state["critical_streak"])
    assert streaks == [1, 2, 0, 1]


def test_dev_mode_adds_how_the_block_came_about(talk):
    """From the manifest, or switched on in the conversation (decision 17)."""
    talking = talk("DEVMODE=true\nAPI_RECALL=endpoint\nAPI_EXCLUDE=mock\n", api="API_RULE_0=a\n")
    debug = " ".join(talking.prompt("a mock endpoint")["debug"])
    assert "excluded: API" in debug
    talking.prompt("*limpet off DEVMODE")
    assert talking.prompt() is None
    write(talking.workspace.path("rules", "manifest"), "API_RECALL=endpoint\n")
    assert talking.prompt("*limpet on DEVMODE")["debug"]
