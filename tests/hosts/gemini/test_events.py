"""Gemini CLI's payloads as events, and replies in its form (recorded from 0.61.0)."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.event import COMMAND_FILE, SCRIPT, SYSTEM, TYPED, Reply
from limpet.ground.processes import Process
from limpet.hosts import surroundings
from limpet.hosts.gemini.events import KINDS, RUNNING, TIMEOUTS, is_headless, read_event, render_reply
from limpet.hosts.gemini.tools import read_call
from limpet.transcripts.gemini import last_entered

from ...strategies import NASTY, QUICK

FIXTURES = Path(__file__).parents[2] / "fixtures" / "gemini-cli"
RECORDED = sorted(FIXTURES.glob("*.json"))
BLOCK = '<limpet-context project="p">x</limpet-context>'
# What the client makes of a block, in the prompt of a start's hook and in its chat.
ADDED = "<hook_context>&lt;limpet-context&gt;x&lt;/limpet-context&gt;</hook_context>"

ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from(NASTY),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
FIELDS = (
    *("session_id", "transcript_path", "cwd", "prompt", "reason", "tool_name", "tool_input", "stop_hook_active"),
    *("file_path", "dir_path", "command", "pattern", "include_pattern", "path", "content", "old_string"),
)
TOOL_NAMES = st.sampled_from(("run_shell_command", "replace", "write_file", "glob", "grep_search", "mcp_a_b"))
OBJECTS = st.dictionaries(st.sampled_from(FIELDS), ANY, max_size=8)


def event(name, **payload):
    return read_event(name, {"session_id": "s", "cwd": "/p", **payload}, {})


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_recorded_payload_is_the_event_that_it_is_called(path):
    found = read_event(path.stem.partition("-")[0], json.loads(path.read_text(encoding="utf-8")), {})
    assert found.kind == KINDS[path.stem.partition("-")[0]]
    assert (found.host, found.cwd) == ("gemini-cli", "/home/dev/project")
    assert found.session.startswith("00000000-") and found.transcript.endswith(".jsonl")


@pytest.mark.parametrize(
    ("given", "typed"),
    [
        ("Fix it.", "Fix it."),
        (f"{ADDED}\n\nFix it.", "Fix it."),
        (f"{ADDED}\n\n{ADDED}\n\nFix it.", "Fix it."),
        (f"{BLOCK}\nFix it.", "\nFix it."),
        ("Read @a.txt\n--- Content from referenced files ---\nContent from @a.txt:\n*yes\n--- End", "Read @a.txt"),
        ("<hook_context>never closed", "<hook_context>never closed"),
    ],
)
def test_a_prompt_is_what_was_typed(given, typed):
    """Neither what hooks put before it, nor our block, nor the files that it names."""
    found = event("BeforeAgent", prompt=given)
    assert (found.prompt, found.origin) == (typed, TYPED)


@pytest.mark.parametrize(
    "given",
    [
        BLOCK,
        f"{ADDED}\n\n{BLOCK}",
        "Background execution update:\n<background_output>\n*yes\n</background_output>",
        "User steering update:\n<user_input>\n*yes\n</user_input>",
    ],
)
def test_what_nobody_typed_is_told(given):
    """What kept the agent going comes back as a prompt; so does what a process in the background printed."""
    assert event("BeforeAgent", prompt=given).origin == SYSTEM


def test_the_end_of_a_turn_repeats_the_prompt_and_is_none():
    """A command in it acts once."""
    found = event("AfterAgent", prompt="*private on", prompt_response="done", stop_hook_active=True)
    assert (found.kind, found.prompt, found.origin, found.continuing) == ("stop", "", TYPED, True)


def test_an_event_that_is_not_answered_is_another():
    """Neither the start, which may not speak, nor what comes before each request; what is answered is recorded."""
    for name in ("SessionStart", "PreCompress", "AfterTool", "Notification", "BeforeModel"):
        assert event(name, prompt="x").kind == "other"
        assert render_reply(name, Reply(BLOCK, message="m", verdict="deny", reason="r", unfinished="u")) == ""
    assert {path.stem.partition("-")[0] for path in RECORDED} == {*TIMEOUTS} == {*KINDS}


def test_a_block_and_a_message_have_their_places():
    told = {"systemMessage": "m"}
    added = {"hookSpecificOutput": {"hookEventName": "BeforeAgent", "additionalContext": BLOCK}}
    assert json.loads(render_reply("BeforeAgent", Reply(BLOCK, message="m"))) == {**told, **added}
    assert json.loads(render_reply("BeforeAgent", Reply(message="m"))) == told
    assert json.loads(render_reply("AfterAgent", Reply(BLOCK, message="m"))) == told
    assert json.loads(render_reply("BeforeTool", Reply(BLOCK, message="m"))) == told
    assert render_reply("SessionEnd", Reply(BLOCK, message="m")) == render_reply("BeforeAgent", Reply()) == ""


def test_a_verdict_is_in_the_field_that_is_read():
    """Of a question the client shows the message alone."""
    reason = Reply(verdict="deny", reason="no\n</x>\x1b[31m", message="m")
    assert json.loads(render_reply("BeforeTool", reason)) == {
        "systemMessage": "m",
        "decision": "deny",
        "reason": "no < /x>\ufffd[31m",
    }
    assert json.loads(render_reply("BeforeTool", reason.replace(verdict="ask"))) == {
        "decision": "ask",
        "systemMessage": "no < /x>\ufffd[31m\nm",
    }


def test_what_keeps_the_agent_going_is_known_when_it_comes_back():
    """The agent gets it as a prompt."""
    answer = json.loads(render_reply("AfterAgent", Reply(unfinished="A rule is broken.\n- x")))
    assert answer["decision"] == "deny" and "A rule is broken.\n- x" in answer["reason"]
    assert event("BeforeAgent", prompt=answer["reason"]).origin == SYSTEM
    assert json.loads(render_reply("AfterAgent", Reply(unfinished="u", message="m")))["systemMessage"] == "m"


@pytest.mark.parametrize(
    ("words", "headless"),
    [
        (("node", "/n/@google/gemini-cli/bundle/gemini.js", "-m", "x"), False),
        (("node", "--max-old-space-size=9", "/usr/bin/gemini", "-y", "what is -p?"), False),
        (("node", "/usr/bin/gemini", "-p", "hello"), True),
        (("node", "/usr/bin/gemini", "--prompt=hello"), True),
        (("bash", "-c", "gemini"), True),
    ],
)
def test_nobody_sits_where_the_client_was_given_its_prompt(words, headless, monkeypatch, tmp_path):
    """Or has no terminal, or is not found."""
    above = (Process(3, 2, ("bash", "-c", "hook -p"), 3.0), Process(2, 1, words, 2.0), Process(1, 0, ("sh",), 1.0))
    monkeypatch.setattr(surroundings, "read_ancestors", lambda: above)
    monkeypatch.setattr(surroundings, "TERMINAL", str(FIXTURES / "BeforeAgent.json"))
    assert is_headless() is headless
    monkeypatch.setattr(surroundings, "TERMINAL", str(tmp_path / "none"))
    assert is_headless()


@QUICK
@given(st.sampled_from([*KINDS, "SessionStart", ""]), OBJECTS, OBJECTS, TOOL_NAMES)
def test_any_payload_is_read(name, payload, arguments, tool):
    """Nor does a call in it raise."""
    found = read_event(name, payload, {})
    assert isinstance(found.session + found.cwd + found.prompt + found.transcript, str)
    read_call(found)
    read_call(found.replace(tool=tool, tool_input=arguments))


@QUICK
@given(st.sampled_from([*KINDS, "SessionStart"]), st.lists(st.text() | st.sampled_from(NASTY), min_size=4, max_size=4))
def test_any_reply_is_rendered_as_json(name, texts):
    for verdict in ("", "ask", "deny"):
        block, message, unfinished, reason = texts
        shown = render_reply(name, Reply(block, message, unfinished, verdict, reason))
        assert isinstance(json.loads(shown or "{}"), dict)


@pytest.mark.parametrize("indent", [None, 2])
def test_the_last_entry_of_a_long_history_is_found(tmp_path, indent):
    """The client writes a field a line; what is no history is none."""
    entries = [{"message": "}\n{ x" * 50, "n": number} for number in range(200)]
    (tmp_path / "logs.json").write_text(json.dumps([*entries, {"message": "last {"}], indent=indent))
    assert last_entered(str(tmp_path)) == {"message": "last {"}
    for text in ("", "[", "[1]", "{}", "[{]"):
        (tmp_path / "logs.json").write_text(text)
        assert last_entered(str(tmp_path)) == {}
    assert last_entered(str(tmp_path / "none")) == {}


@pytest.mark.parametrize(
    ("entered", "origin"), [("/quit", SCRIPT), ("/exit", SCRIPT), ("/review it", COMMAND_FILE), ("go on", TYPED)]
)
def test_what_comes_after_a_window_has_ended_was_not_typed_there(entered, origin, tmp_path):
    """The history is one for all windows; a command file's entry is its command."""
    now = "2026-11-28T10:00:05.000Z"
    entry = {"sessionId": "before", "message": entered, "timestamp": "2026-11-28T10:00:01.000Z"}
    (tmp_path / "logs.json").write_text(json.dumps([entry], indent=2))
    payload = {"session_id": "new", "transcript_path": str(tmp_path / "chats" / "t.jsonl"), "timestamp": now}
    assert read_event("BeforeAgent", {**payload, "prompt": "go on"}, {RUNNING: "new"}).origin == origin


@pytest.mark.parametrize(
    ("entered", "given", "prompt"),
    [
        ("/limpet", "", "/limpet"),
        ("/limpet remember Never squash.", "remember Never squash.", "/limpet remember Never squash."),
        ("/limpet why", "/limpet why", "/limpet why"),
        ("/tidy all of them", "all of them", "all of them"),
        ("remember Never squash.", "remember Never squash.", "remember Never squash."),
    ],
)
def test_words_behind_our_skill_have_its_name_again(entered, given, prompt, tmp_path):
    """The client sends them alone, and keeps them so: they are no statement of the person's."""
    now = "2026-11-28T10:00:05.000Z"
    (tmp_path / "logs.json").write_text(
        json.dumps([{"sessionId": "s", "message": entered, "timestamp": now}], indent=2)
    )
    payload = {"session_id": "s", "transcript_path": str(tmp_path / "chats" / "t.jsonl"), "timestamp": now}
    found = read_event("BeforeAgent", {**payload, "prompt": given}, {RUNNING: "s"})
    assert (found.prompt, found.origin) == (prompt, TYPED)
    assert found.announced == ((given,) if given and given != prompt else ())
