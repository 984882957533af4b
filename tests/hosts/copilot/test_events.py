"""Copilot CLI's payloads as events, and replies in its form (recorded from 1.0.102)."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.event import SYSTEM, TYPED, Reply
from limpet.ground.processes import Process
from limpet.hosts import surroundings
from limpet.hosts.copilot import is_ours
from limpet.hosts.copilot.events import KINDS, TIMEOUTS, is_headless, read_event, render_reply
from limpet.hosts.copilot.tools import read_call

from ...strategies import NASTY, QUICK

FIXTURES = Path(__file__).parents[2] / "fixtures"
RECORDED = sorted((FIXTURES / "copilot-cli").glob("*.json"))
BLOCK = '<limpet-context project="p">x</limpet-context>'
SKILL = (
    'The user explicitly invoked the "/tidy" skill. Follow its instructions now.\n\n<skill-context name="tidy">\n'
    "Base directory for this skill: /p/.agents/skills/tidy\n\n{}\n</skill-context>"
)

ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from(NASTY),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
FIELDS = (
    *("session_id", "sessionId", "timestamp", "transcript_path", "cwd", "prompt", "reason", "trigger", "agent_id"),
    *("parent_agent_id", "agent_type", "tool_name", "tool_input", "stop_hook_active", "path", "paths", "file_text"),
    *("command", "pattern", "glob", "input", "old_str", "new_str"),
)
TOOLS = st.sampled_from(("Bash", "PowerShell", "Edit", "Write", "Read", "Grep", "Glob", "server-tool", "sql"))
OBJECTS = st.dictionaries(st.sampled_from(FIELDS), ANY, max_size=8)


def payload_of(name):
    return json.loads((FIXTURES / "copilot-cli" / f"{name}.json").read_text(encoding="utf-8"))


def recorded(name):
    """The event of a fixture."""
    return read_event(name.partition("-")[0], payload_of(name), {})


def event(name, **payload):
    return read_event(name, {"session_id": "s", "cwd": "/p", "timestamp": "2026-11-21T12:00:00.000Z", **payload}, {})


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_recorded_payload_is_the_event_that_it_is_called(path):
    """A subagent's is the conversation's that started it, of which it has only tool calls and its start."""
    name, of_subagent = path.stem.partition("-")[0], path.stem.endswith("-subagent")
    found = recorded(path.stem)
    is_concerned = not of_subagent or name in ("PreToolUse", "SubagentStart")
    assert found.kind == (KINDS.get(name, "other") if is_concerned else "other")
    assert (found.host, found.cwd) == ("copilot-cli", "/home/dev/project")
    assert bool(found.agent_id) == bool(found.agent_type) == of_subagent
    assert found.transcript.endswith(f"session-state/{found.session}/events.jsonl")


def test_every_event_that_is_answered_is_recorded():
    """The start, which may not speak, and a tool's failure, which the log tells, are not among them."""
    assert {path.stem.partition("-")[0] for path in RECORDED} >= {*TIMEOUTS} == {*KINDS}


def test_the_place_of_its_logs_is_told(monkeypatch, tmp_path):
    """The user's is where a variable puts it."""
    monkeypatch.setenv("COPILOT_HOME", str(tmp_path))
    assert event("UserPromptSubmit").transcript == str(tmp_path / "session-state" / "s" / "events.jsonl")
    assert event("UserPromptSubmit", session_id=7).transcript == ""
    assert event("Stop", transcript_path="/x/events.jsonl").transcript == "/x/events.jsonl"


@pytest.mark.parametrize(
    ("given", "typed"),
    [
        ("Fix it.", "Fix it."),
        (f"{BLOCK}\nFix it.", "\nFix it."),
        (SKILL.format("Tidy the files.\n\n\nARGUMENTS: all of them"), "/tidy all of them"),
        (SKILL.format("Tidy the files.\n"), "/tidy"),
        (SKILL.format("Tidy.\n\nARGUMENTS: *yes\n"), "/tidy"),
        (SKILL.format("Tidy.\n\nARGUMENTS: *yes"), "/tidy yes"),
        (f"{SKILL.format('x')} more", "/tidy"),
        ('The user explicitly invoked the "/', "/"),
    ],
)
def test_a_prompt_is_what_was_typed(given, typed):
    """Of a skill its name and the words behind it; what its own text says is no command."""
    assert recorded("UserPromptSubmit").prompt == "Add a test for the parser."
    assert recorded("UserPromptSubmit-skill").prompt == "/tidy all of them"
    found = event("UserPromptSubmit", prompt=given)
    assert (found.prompt, found.origin) == (typed, TYPED)


@pytest.mark.parametrize(
    "given",
    [
        BLOCK,
        payload_of("UserPromptSubmit-notification")["prompt"],
        "You have not yet marked the task as complete using the task_complete tool. If you were planning, stop",
    ],
)
def test_what_nobody_typed_is_told(given):
    """What kept the agent going comes back as a prompt; a command has ended; the work goes on by itself."""
    assert event("UserPromptSubmit", prompt=given).origin == SYSTEM


def test_a_prompt_is_known_by_its_time_and_a_call_by_its_arguments_too():
    """The same hook in two files hears the same event; calls that begin at once differ."""
    one, other = (event("PreToolUse", tool_name="Bash", tool_input={"command": each}) for each in ("a", "b"))
    assert one.tool_use_id != other.tool_use_id
    assert one.tool_use_id == event("PreToolUse", tool_name="Bash", tool_input={"command": "a"}).tool_use_id
    assert event("UserPromptSubmit").prompt_id == "2026-11-21T12:00:00.000Z"


def test_an_agent_that_was_kept_going_is_told():
    assert recorded("Stop-continuing").continuing and not recorded("Stop").continuing


def test_an_event_that_is_not_answered_is_another():
    """It may have been registered by hand."""
    for name in ("SessionStart", "PostToolUse", "PostToolUseFailure", "SubagentStop", "Notification"):
        assert event(name, prompt="x").kind == "other"
        assert render_reply(name, Reply(BLOCK, message="m", verdict="deny", reason="r", unfinished="u")) == ""


@pytest.mark.parametrize(
    "name", ["UserPromptSubmit", "SubagentStart", "PreToolUse", "Stop", "PreCompact", "SessionEnd"]
)
def test_a_block_reaches_the_agent_where_one_can_be_added(name):
    """What is for the person is shown nowhere."""
    speaks = name not in ("Stop", "PreCompact", "SessionEnd")
    assert json.loads(render_reply(name, Reply(BLOCK, message="m")) or "{}") == (
        {"additionalContext": BLOCK} if speaks else {}
    )
    assert render_reply(name, Reply(message="m")) == ""
    assert speaks or render_reply(name, Reply(BLOCK, message="m", verdict="deny", reason="r")) == ""


@pytest.mark.parametrize("verdict", ["ask", "deny"])
def test_a_verdict_is_rendered_with_its_reason(verdict):
    """On one line, and without what could steer a terminal."""
    told = json.loads(render_reply("PreToolUse", Reply(BLOCK, verdict=verdict, reason="no\n</x>\x1b[31m")))
    reason = told.pop("permissionDecisionReason")
    assert told == {"permissionDecision": verdict, "additionalContext": BLOCK}
    assert reason.startswith("no ") and "\n" not in reason and "\x1b" not in reason


def test_what_keeps_the_agent_going_is_known_when_it_comes_back():
    """The agent gets it as a prompt."""
    answer = json.loads(render_reply("Stop", Reply(unfinished="A rule is broken.\n- x", message="m")))
    assert answer["decision"] == "block" and "A rule is broken.\n- x" in answer["reason"]
    assert event("UserPromptSubmit", prompt=answer["reason"]).origin == SYSTEM


@pytest.mark.parametrize(
    ("words", "headless"),
    [
        (("/n/@github/copilot-linux-x64/copilot",), False),
        (("/usr/bin/copilot", "-i", "what is -p?", "--plan", "--resume=x"), False),
        (("/usr/bin/copilot", "-p", "hello"), True),
        (("/usr/bin/copilot", "-sp", "hello"), True),
        (("/usr/bin/copilot", "--prompt=hello"), True),
        (("node", "/n/@github/copilot/npm-loader.js", "--acp"), True),
        (("bash", "-c", "copilot"), True),
    ],
)
def test_nobody_sits_where_the_client_was_given_its_prompt(words, headless, monkeypatch, tmp_path):
    """Or has no terminal, or is not found."""
    above = (Process(3, 2, ("bash", "-c", "hook -p"), 3.0), Process(2, 1, words, 2.0), Process(1, 0, ("sh",), 1.0))
    monkeypatch.setattr(surroundings, "read_ancestors", lambda: above)
    monkeypatch.setattr(surroundings, "TERMINAL", str(RECORDED[0]))
    assert is_headless() is headless
    monkeypatch.setattr(surroundings, "TERMINAL", str(tmp_path / "none"))
    assert is_headless()


@QUICK
@given(st.sampled_from([*KINDS, "SessionStart", ""]), OBJECTS, OBJECTS, TOOLS)
def test_any_payload_is_read(name, payload, arguments, tool):
    """Nor does a call in it raise, nor the question whose it is."""
    found = read_event(name, payload, {})
    assert isinstance(found.session + found.cwd + found.prompt + found.transcript, str)
    assert isinstance(is_ours(payload), bool)
    read_call(found)
    read_call(found.replace(tool=tool, tool_input=arguments))


@QUICK
@given(st.sampled_from([*KINDS, "SessionStart"]), st.lists(st.text() | st.sampled_from(NASTY), min_size=4, max_size=4))
def test_any_reply_is_rendered_as_json(name, texts):
    for verdict in ("", "ask", "deny"):
        block, message, unfinished, reason = texts
        shown = render_reply(name, Reply(block, message, unfinished, verdict, reason))
        assert isinstance(json.loads(shown or "{}"), dict)


@pytest.mark.parametrize(("request_", "typed"), [("*mode ask\nMake a plan", "*mode ask\nMake a plan"), ("", None)])
def test_of_a_prompt_in_plan_mode_the_request_was_typed(request_, typed):
    """It stands behind the client's own words."""
    given = f"[[PLAN]] I want a plan. Please:\n1. Analyze.\n\nMy request: {request_}"
    assert event("UserPromptSubmit", prompt=given).prompt == (given if typed is None else typed)
