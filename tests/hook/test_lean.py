"""Lean until used (decision 47): what speaks of work waits until agent, workflow, task or lock is in force."""

import os

import pytest

from limpet.ground.text.tokens import estimate_tokens

from ..blocks import attributes
from ..conftest import write_settings
from ..conversation import write
from ..hook_host import Host, rule_lines
from ..memories import LEFT, fill
from ..places import private_path

ABOUT_WORK = ("95%", "Story first", "session lock.")
LOCKED = "lock: {active: true, since: 2026-11-22T10:00:00Z, by: /limpet}\n"
ASK = "write the next story and its acceptance criteria"
TO_OPEN = "read: limpet rules show {}"
TRIVIAL = ("ok", "thanks!", "yes, go on", "obrigado", "👍")


@pytest.fixture
def host(workspace):
    """A host whose project has what `limpet init` gives it."""
    return Host(workspace)


@pytest.fixture
def hearing(host):
    """The same with QA's words and, at work, those of STORY on."""
    write(host.workspace.path("rules", "manifest"), "QA_STATE=active\nSTORY_STATE=work\n")
    return host


def test_a_fresh_project_hears_nothing_of_the_work(host):
    """No mode, no permission, no story; what holds without them, and a line that names the rest."""
    start = host.send("SessionStart", source="startup")
    assert (start.block["mode"], start.block["permission"]) == (None, None)
    assert not any(words in start.text for words in ABOUT_WORK)
    assert "rules are off" not in start.text and "rules show STORY" not in start.text
    assert rule_lines(host.prompt(ASK), "STORY") is None


STARTED = "workflow: greenfield\nagents:\n  greenfield-wu: {status: in_progress}\n"


@pytest.mark.parametrize("session", ["current_agent: dev\n", STARTED])
def test_an_agent_or_a_workflow_wakes_it(hearing, session):
    """Each alone; the mode is said while a workflow is under way, with what it asks of the agent."""
    write(private_path(hearing.workspace, "session.yaml"), session)
    start = hearing.send("SessionStart", source="startup")
    assert all(words in start.text for words in ABOUT_WORK)
    at_work = session.startswith("workflow")
    assert start.block["mode"] == ("planning" if at_work else None)
    assert attributes(start.text, "mode") == ({"asks": "write only documents and .limpet/"} if at_work else None)
    assert rule_lines(hearing.prompt(ASK), "STORY")


def test_the_orchestrator_brings_the_rules_of_routing(host):
    """Whose work a request is, the model decides by them: nobody's, a quick flow, a workflow, a deviation."""
    rules = host.prompt("*agent orchestrator").block["agent"]["rules"]
    assert [line.partition(":")[0] for line in rules] == ["None first", "Quick-flow", "Workflow", "Deviation"]


@pytest.mark.parametrize("prompt", TRIVIAL)
def test_a_trivial_prompt_brings_nothing_of_an_agent(host, prompt):
    """None where none is active, and none of an active one's, who came once."""
    start = host.send("SessionStart", source="startup")
    assert start.block["agent"] is None
    assert not host.prompt(prompt).text
    assert host.prompt("*agent dev").block["agent"]["mission"]
    assert [host.prompt(prompt).out for _ in range(3)] == [b""] * 3


def test_it_wakes_in_the_midst_of_a_conversation(host):
    """The stable part comes anew, and sleeps again once the agent is gone."""
    host.send("SessionStart", source="startup")
    woken = host.prompt("*agent dev").text
    assert all(words in woken for words in ABOUT_WORK), woken
    assert not any(words in host.prompt("*agent none").text for words in ABOUT_WORK)


def test_a_project_may_want_all_of_it_always(host):
    """As `limpet init --full` sets it."""
    write_settings(host.workspace, "rules: {full: true}\n")
    start = host.send("SessionStart", source="startup")
    assert all(words in start.text for words in ABOUT_WORK) and start.block["mode"] is None


@pytest.mark.parametrize(
    ("typed", "asks"), [("explore", "read only"), ("ask", "ask before"), ("auto", "without asking")]
)
def test_a_permission_that_was_set_says_what_it_asks(host, typed, asks):
    """By command, and from the settings' file; nothing of the kind before (R8)."""
    assert host.send("SessionStart", source="startup").block["permission"] is None
    block = host.prompt(f"*mode {typed}").text
    assert f'permission="{typed}"' in block and asks in block
    write_settings(host.workspace, "guard: {permission: explore}\n")
    assert "read only" in host.send("SessionStart", source="startup", session_id="other").text


@pytest.mark.parametrize(("settings", "most"), [("", 300), ("rules: {full: true}\n", 600)])
@pytest.mark.parametrize("sign", ["README.md", "package.json"])
def test_what_always_holds_is_short(workspace, settings, most, sign):
    """The first block of a fresh project, by the product's own estimate; also where `init` adds JavaScript's rule."""
    write(os.path.join(workspace.root, sign), "{}")
    if settings:
        write_settings(workspace, settings)
    start = Host(workspace).send("SessionStart", source="startup")
    assert estimate_tokens(start.text) <= most and start.block["left_out"] == []


def test_story_hears_work_being_started_while_stories_are_in_use(hearing):
    """QA hears a fault in any project, STORY nothing before work is under way (R1)."""
    ask = "implement the password reset feature"
    hearing.send("SessionStart", source="startup")
    assert rule_lines(hearing.prompt(ask), "STORY") is None
    assert rule_lines(hearing.prompt("npm run build fails with TS2345"), "QA")
    hearing.prompt("*agent dev")
    assert rule_lines(hearing.prompt(ask), "STORY")


def test_rules_that_are_switched_off_are_withdrawn_once(hearing):
    """In words, once; on again they come in full (R5)."""
    hearing.prompt("the build is broken")
    (note,) = hearing.prompt("*limpet off QA").block["notes"]
    assert note == "No longer in force: QA. Ignore its rules above."
    assert not hearing.prompt("the build is broken").out
    assert rule_lines(hearing.prompt("*limpet on QA\n\nthe build is broken"), "QA")


@pytest.mark.parametrize("file", ["", "agent:\n  name: Mara\n  whenToUse: Plan and write campaigns\n"])
def test_an_agent_of_the_projects_own(hearing, file, run):
    """Declared by the manifest, with or without a file of its own or rules: an agent as any other (R6)."""
    manifest = hearing.workspace.path("rules", "manifest")
    with open(manifest, "a", encoding="utf-8") as text:
        text.write("AGENT_MARKETING_STATE=active\n")
    if file:
        write(hearing.workspace.path("agents", "marketing.md"), file)
        write(hearing.workspace.path("rules", "agent-marketing"), "MARKETING_RULE_0=Name the audience.\n")
    block = hearing.prompt("*agent @MARKETING").block
    assert block["agent"]["name"] == "marketing" and block["notes"] == []
    assert block["agent"]["mission"] == ("Plan and write campaigns" if file else "")
    assert block["agent"]["rules"] == (["Name the audience."] if file else [])
    checked = run("rules", "check")
    assert "MARKETING" not in checked.stdout + checked.stderr
    assert run("work", "agent", "activate", "@marketing").returncode == 0
    assert "marketing" in run("work", "agent", "show").stdout


@pytest.mark.parametrize("name", ["synapse", "carl"])
def test_the_names_of_other_products_are_aliases_where_their_files_lie(host, name):
    """``*synapse off QA`` acts as ``*limpet off QA``, and a writing verb writes (R6)."""
    assert host.prompt(f"*{name} off QA\n\nthe build is broken").block["commands"] == []
    os.mkdir(os.path.join(host.workspace.root, f".{name}"))
    command = host.prompt(f"*{name} off QA", session_id="b").block["commands"][0]
    assert command == {"name": "limpet", "lines": ["QA is off in this conversation."]}
    host.prompt(f"*{name} add QA Ours.", session_id="c")
    with open(host.workspace.path("rules", "qa"), encoding="utf-8") as text:
        assert "QA_RULE_6=Ours." in text.read()


@pytest.mark.parametrize("session", ["", f"current_agent: dev\nworkflow: greenfield\n{LOCKED}"])
def test_what_always_holds_fits_critical_whole(host, session, monkeypatch):
    """Beside the warning, the lock and what comes next, with every global rule."""
    write(private_path(host.workspace, "session.yaml"), session)
    monkeypatch.setitem(LEFT, "CRITICAL", 12)
    first = host.prompt("go on", transcript_path=fill(host.workspace, "CRITICAL"))
    assert first.block["bracket"] == "CRITICAL" and first.block["handoff_warning"]
    assert len(rule_lines(first, "GLOBAL")) == 4 and first.block["left_out"] == []
    assert estimate_tokens(first.text) <= 800


def test_a_switch_beats_the_waiting(host):
    """`*limpet on` brings a domain of the work without any."""
    host.send("SessionStart", source="startup")
    assert rule_lines(host.prompt(f"*limpet on STORY\n\n{ASK}"), "STORY")


@pytest.mark.parametrize(("session", "is_said"), [("current_agent: dev\n", True), ("", False)])
def test_the_users_level_is_said_at_work(host, session, is_said):
    """In the mode's line of the stable part, with what it asks of the agent."""
    write(private_path(host.workspace, "session.yaml"), f"{session}user_level: power_user\n")
    start = host.send("SessionStart", source="startup")
    assert ('user="power user: be brief"' in start.text) == is_said


def fail(host, command, **given):
    """The agent's command fails."""
    given = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": command, **given}
    return host.send("PostToolUseFailure", error="Exit code 1", **given)


def test_qa_comes_once_with_a_failed_run_of_tests(host):
    """As a line to open. Its words call nothing; another command's failure, and one of a subagent's, brings nothing."""
    host.send("SessionStart", source="startup")
    assert not host.prompt("the build is broken, fix the failing test").text
    fail(host, "ls nowhere")
    fail(host, "pytest -q", agent_id="a1", agent_type="Explore")
    assert not host.prompt("go on").out
    fail(host, "cd app && uv run pytest -q")
    told = host.prompt("go on")
    assert f"Before you look into a fault or work on tests, builds or CI, {TO_OPEN.format('QA')}" in told.text
    assert rule_lines(told, "QA") is None
    fail(host, "npm test")
    assert not host.prompt("go on").out


def test_a_domain_that_the_agent_read_is_in_the_conversation(host, run, monkeypatch):
    """As the directory tells it to."""
    assert TO_OPEN.format("QA") not in host.send("SessionStart", source="startup").text
    monkeypatch.setenv("CLAUDECODE", "1")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "s")
    assert run("rules", "show", "QA").stdout.startswith("0  Find the cause")
    fail(host, "pytest")
    assert not host.prompt("go on").text


def test_a_story_brings_a_line_to_open_and_no_rules(host):
    """Once, also where the conversation begins with it; its rules are opinions that nobody asked for."""
    write(private_path(host.workspace, "session.yaml"), "task: {id: S-1, title: Write it}\n")
    start = host.send("SessionStart", source="startup")
    assert TO_OPEN.format("STORY") in start.text and rule_lines(start, "STORY") is None
    assert not any(words in start.text for words in ABOUT_WORK)
    assert TO_OPEN.format("STORY") not in host.prompt("write the next story").text
