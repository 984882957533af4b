"""A private conversation, by the hook as a host starts it: neither fed nor kept."""

import json
import os

import pytest

from holdfast.engine.privacy import NAMELESS, PAUSED, RESUMED
from holdfast.ground.event_log.files import metrics_path
from holdfast.work.private import read_private

from ..conversation import write
from ..hook_host import state
from ..leaks import holding

SECRET_WORDS = "the merger with Acme closes on Friday"


def message(answer):
    """The line that the client shows, "" for none."""
    return json.loads(answer.out).get("systemMessage", "") if answer.out else ""


def metrics(workspace):
    """The lines of the hook's metrics."""
    with open(metrics_path(workspace), encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.fixture
def paused(host):
    """A host whose conversation was paused at its second prompt."""
    host.prompt("hello")
    assert message(host.prompt("*private")) == PAUSED
    return host


def test_a_private_conversation_is_sent_nothing(paused):
    """No rules that a prompt calls for, no block at all; the person was told once."""
    assert paused.prompt("the endpoint").out == b""
    assert paused.send("SessionStart", source="compact").out == b""


def test_the_prompt_that_pauses_is_not_answered_with_rules(host):
    """What stands beside the switch is private too."""
    answer = host.prompt(f"*private the endpoint: {SECRET_WORDS}")
    assert json.loads(answer.out) == {"systemMessage": PAUSED}
    assert holding(host.workspace, SECRET_WORDS) == []


def test_nothing_is_kept_of_it_but_that_it_was_there(paused):
    """Its state stays as it was, and each event is a bare line of metrics."""
    before = state(paused.workspace)
    paused.prompt(SECRET_WORDS)
    paused.send("PostToolUseFailure", tool_name="Bash", tool_input={"command": SECRET_WORDS}, error="boom")
    paused.send("PreCompact", trigger="manual")
    paused.send("SessionEnd", reason="other")
    assert state(paused.workspace) == before
    lines = [line for line in metrics(paused.workspace) if line.get("private")]
    assert [line["event"] for line in lines] == ["prompt", "prompt", "tool_failed", "pre_compact", "session_end"]
    assert all(set(line) == {"time", "event", "session", "private"} for line in lines)
    assert holding(paused.workspace, SECRET_WORDS) == []


def test_it_is_fed_again_once_the_pause_ends(paused):
    """All that holds is sent anew, because the window may have been emptied meanwhile."""
    answer = paused.prompt("*private off")
    assert message(answer) == RESUMED
    assert "GLOBAL" in [rules["domain"] for rules in answer.block["rules"]]
    assert "API" in [rules["domain"] for rules in paused.prompt("the endpoint").block["rules"]]


def test_ending_a_pause_that_is_none_says_so(host):
    """And the prompt is answered as any other."""
    answer = host.prompt("*private off")
    assert message(answer) == "Holdfast is not paused in this conversation."
    assert answer.block


@pytest.mark.parametrize("text", ["look at this:\n*private", "the *private members", "*private* members", "*privately"])
def test_text_further_down_or_another_word_does_not_pause(host, text):
    """Pasted text cannot switch Holdfast off."""
    host.prompt(text)
    assert read_private("s") is None


def test_pasted_text_does_not_end_a_pause(paused):
    """Only a prompt that opens with it does."""
    paused.prompt("hello\n*private off")
    assert read_private("s").paused


def test_another_conversation_is_not_touched(paused):
    """Privacy is a conversation's own."""
    assert paused.prompt("the endpoint", session_id="other").block


def test_a_command_typed_meanwhile_does_nothing_and_says_so(paused):
    """Neither a memory nor the lock."""
    answer = paused.prompt(f"*remember {SECRET_WORDS}")
    assert message(answer) == "Holdfast is paused for this conversation: *remember did nothing. *private off ends it."
    assert "/holdfast did nothing" in message(paused.prompt("/holdfast"))
    assert holding(paused.workspace, SECRET_WORDS) == []


def test_a_conversation_without_a_name_cannot_be_paused(host):
    """The person is told."""
    assert message(host.prompt("*private", session_id=...)) == NAMELESS


def test_a_mark_that_cannot_be_read_keeps_the_conversation_private(paused):
    """What is damaged must not let anything out."""
    from holdfast.work.private import private_path

    write(private_path("s"), "{")
    assert message(paused.prompt("the endpoint")) == PAUSED
    assert paused.prompt("the endpoint").out == b""
    assert read_private("s").paused


def test_a_fork_of_a_paused_conversation_is_paused(paused, tmp_path):
    """It brings its parent's words along under a new id."""
    said = {"model": "m", "usage": {"input_tokens": 4321, "output_tokens": 0}}
    write(str(tmp_path / "t" / "s.jsonl"), json.dumps({"type": "assistant", "message": said}) + "\n")
    fork = {"session_id": "fork", "transcript_path": str(tmp_path / "t" / "fork.jsonl")}
    paused.send("SessionStart", source="fork", context_tokens=4321, **fork)
    assert message(paused.prompt("the endpoint", **fork)) == PAUSED
    assert read_private("fork").paused


def test_the_mark_lies_with_the_user_and_not_in_the_project(paused):
    """No checkout brings one, and no sandboxed agent removes it."""
    assert not [name for _, _, names in os.walk(paused.workspace.home) for name in names if "private" in name]
