"""Codex CLI's hook payloads as events, and replies as its JSON; payloads as its 0.169.0 sent them."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.event import AGENT, SCRIPT, SYSTEM, TYPED, UNKNOWN, Event, Reply
from limpet.hosts.codex.events import CAP, KINDS, SPEAKING, TIMEOUTS, read_event, render_reply
from limpet.hosts.codex.tools import read_call

RECORDED = Path(__file__).parents[2] / "fixtures" / "codex-cli"
BLOCK = '<limpet-context version="1">\nx\n</limpet-context>'
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
FIELDS = (
    *("session_id", "turn_id", "transcript_path", "cwd", "model", "permission_mode", "source", "trigger", "reason"),
    *("prompt", "tool_name", "tool_input", "tool_use_id", "agent_id", "agent_type", "stop_hook_active"),
)


def recorded(name):
    """The payload that was recorded under this name."""
    return json.loads((RECORDED / f"{name}.json").read_text(encoding="utf-8"))


def named(path):
    """(event, payload) of a recorded file."""
    return path.stem.partition("-")[0], json.loads(path.read_text(encoding="utf-8"))


def begun(tmp_path, trigger, turn="t1"):
    """A transcript in which something began a turn, and the model was called since."""
    lines = (
        {"type": "event_msg", "payload": {"type": "task_started", "turn_id": "t0", "turn_attribution": None}},
        {
            "type": "event_msg",
            "payload": {"type": "task_started", "turn_id": turn, "turn_attribution": {"turn_trigger": trigger}},
        },
        {"type": "response_item", "payload": {"type": "message", "content": 'says "task_started" and more'}},
    )
    path = tmp_path / "rollout.jsonl"
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("path", sorted(RECORDED.glob("*.json")), ids=lambda path: path.stem)
def test_each_recorded_payload_is_an_event_of_its_conversation(path):
    name, payload = named(path)
    event = read_event(name, payload, {})
    told = ("codex-cli", payload["session_id"], payload["transcript_path"])
    assert (event.host, event.session, event.transcript) == told
    assert event.kind == ("other" if path.stem == "UserPromptSubmit-subagent" else KINDS[name])
    assert event.prompt_id == payload.get("turn_id", "")


def test_every_answered_event_is_recorded():
    assert {named(path)[0] for path in RECORDED.glob("*.json")} == set(TIMEOUTS) == set(KINDS)


def test_a_prompt_a_start_and_a_stop_tell_whose_why_and_whether_a_hook_kept_the_agent_going():
    event = read_event("UserPromptSubmit", recorded("UserPromptSubmit"), {})
    assert (event.prompt, event.origin, event.agent_id) == ("Add a test for the parser.", TYPED, "")
    for source in ("startup", "resume", "fork", "compact"):
        assert read_event("SessionStart", recorded(f"SessionStart-{source}"), {}).source == source
    for active, continuing in ((True, True), (1, False), (False, False)):
        assert read_event("Stop", {**recorded("Stop"), "stop_hook_active": active}, {}).continuing == continuing


@pytest.mark.parametrize(
    "name", ["UserPromptSubmit", "PreCompact", "PostCompact", "Stop", "SessionStart", "SessionEnd"]
)
def test_what_happens_in_a_subagent_does_not_happen_to_its_parent(name):
    """Its events come with the parent's conversation."""
    subagent = recorded("UserPromptSubmit-subagent")
    assert read_event(name, subagent, {}).kind == "other"
    event = read_event("SubagentStart", recorded("SubagentStart-subagent"), {})
    assert (event.kind, event.agent_type) == ("subagent_start", "default")
    assert event.agent_id and event.agent_id in event.transcript


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        (f"{BLOCK}\n\nDo it.", "\n\nDo it."),
        ("# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n## My request for Codex:\nDo it.\n", "Do it.\n"),
        ("# Context from my IDE setup:\nand no request", "# Context from my IDE setup:\nand no request"),
        ("See ## My request for Codex: there", "See ## My request for Codex: there"),
    ],
)
def test_only_the_persons_own_words_are_the_prompt(prompt, words):
    assert read_event("UserPromptSubmit", {"prompt": prompt}, {}).prompt == words


def test_what_the_client_submits_for_a_command_is_synthetic():
    """``/init`` as 0.169.0 submits it."""
    typed = "Generate a file named AGENTS.md that serves as a contributor guide for this repository.\nYour goal is"
    assert read_event("UserPromptSubmit", {"prompt": typed}, {}).origin == SYSTEM


@pytest.mark.parametrize(
    ("trigger", "origin"),
    [("user", TYPED), ("exec", SCRIPT), ("queue", AGENT), ("goal", AGENT), (None, SCRIPT), (7, SCRIPT)],
)
def test_the_transcript_tells_who_began_the_turn(tmp_path, trigger, origin):
    """An agent may put a prompt in the queue of a session that a person has open; an unknown way is no person's."""
    given = {"prompt": "Go on.", "turn_id": "t1", "transcript_path": begun(tmp_path, trigger)}
    assert read_event("UserPromptSubmit", given, {}).origin == origin


@pytest.mark.parametrize(("turn", "origin"), [("t1", TYPED), ("t2", UNKNOWN), ("t0", UNKNOWN)])
def test_a_turn_that_the_transcript_does_not_tell_of_is_of_nobody_known(tmp_path, turn, origin):
    given = {"prompt": "Go on.", "turn_id": turn, "transcript_path": begun(tmp_path, "user")}
    assert read_event("UserPromptSubmit", given, {}).origin == origin


@pytest.mark.parametrize("place", ["", "none.jsonl", "."])
def test_without_a_transcript_a_prompt_was_typed(tmp_path, place):
    path = str(tmp_path / place) if place else ""
    given = {"prompt": "Go on.", "turn_id": "t1", "transcript_path": path}
    assert read_event("UserPromptSubmit", given, {}).origin == TYPED


@pytest.mark.parametrize("name", SPEAKING)
def test_a_block_and_a_line_for_the_person_come_in_the_one_shape_that_is_taken(name):
    said = json.loads(render_reply(name, Reply(BLOCK, message="seen\x1b[2J")))
    assert said == {
        "systemMessage": "seen\ufffd[2J",
        "hookSpecificOutput": {"hookEventName": name, "additionalContext": BLOCK},
    }
    assert json.loads(render_reply(name, Reply(message="seen"))) == {"systemMessage": "seen"}


@pytest.mark.parametrize("verdict", ["deny", "ask"])
@pytest.mark.parametrize(("reason", "told"), [("No\npush.", "No push."), ("", "Refused."), (" \n", "Refused.")])
def test_every_verdict_is_a_denial_with_a_reason(verdict, reason, told):
    """To ``ask``, and to a denial without a reason, the client says that the hook failed, and runs the tool."""
    said = json.loads(render_reply("PreToolUse", Reply(BLOCK, verdict=verdict, reason=reason)))
    assert said == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "additionalContext": BLOCK,
            "permissionDecision": "deny",
            "permissionDecisionReason": told,
        }
    }


def test_a_stop_is_kept_from_stopping_and_never_given_context():
    """Context would make the hook fail."""
    assert json.loads(render_reply("Stop", Reply(BLOCK, message="m", unfinished="Go on."))) == {
        "systemMessage": "m",
        "decision": "block",
        "reason": "Go on.",
    }
    assert render_reply("Stop", Reply(BLOCK)) == ""


@pytest.mark.parametrize("name", [*TIMEOUTS, "PostCompact", "NoSuchEvent"])
def test_nothing_to_say_is_nothing_printed(name):
    """Nor is anything at an event that cannot speak."""
    assert render_reply(name, Reply()) == ""
    if name in ("PreCompact", "PostCompact", "SessionEnd", "NoSuchEvent"):
        assert render_reply(name, Reply(BLOCK, "m", "go on", "deny", "no")) == ""


def test_a_whole_block_of_any_language_is_within_the_cap():
    """The client counts four bytes as a token, and the hook's line lets as many tokens through."""
    assert len(("\U0001f600" * CAP).encode()) == 4 * CAP


@given(
    name=st.sampled_from([*TIMEOUTS, "NoSuchEvent"]),
    payload=st.dictionaries(st.sampled_from(FIELDS) | st.text(), VALUES, max_size=12),
    texts=st.lists(st.text(), min_size=5, max_size=5),
)
def test_no_payload_and_no_reply_is_an_error(name, payload, texts):
    """Whatever a later version sends, in whatever field."""
    event = read_event(name, payload, {})
    assert isinstance(event, Event) and event.kind in {*KINDS.values(), "other"}
    read_call(event)
    said = render_reply(name, Reply(*texts))
    assert isinstance(json.loads(said or "{}"), dict)
