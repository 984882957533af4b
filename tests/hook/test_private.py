"""A private conversation, by the hook as a host starts it: neither fed nor kept."""

import json
import os

import pytest

from limpet.engine.commands.agent import SWITCHED
from limpet.engine.person import ASKED_BACK, NAMELESS, NEAR, OFF, PAUSED, PRIVATE, RESUMED, read_switch
from limpet.ground.event_log import metrics_path
from limpet.ground.trust.giving import revoke_trust
from limpet.ground.workspace import workspace_at
from limpet.work.conversation import may_switch, read_private

from ..conftest import trusted
from ..conversation import write, write_rules
from ..hook_host import MANIFEST, state
from ..leaks import holding
from .test_private_readers import said

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
    """No rules that a prompt calls for, no block at all; another conversation is not touched."""
    assert paused.prompt("the endpoint").out == b""
    assert paused.send("SessionStart", source="compact").out == b""
    assert paused.prompt("the endpoint", session_id="other").block


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
    assert message(answer).startswith("Limpet is not paused in this conversation.\nLimpet: ")
    assert answer.block


@pytest.mark.parametrize(
    "text",
    [
        *("*private", "*private the merger", " \n*PRIVATE:x", "/private", "/private the merger", "**private**"),
        *("`*private`", '"*private"', "\u201c*private\u201d", "> *private", "```\n*private\n```", "\\*private"),
        *("\uff0aprivate", "\uff0a\uff50rivate x", "*private\u00a0the merger", "\u2217private", "*\ufe0fprivate"),
        *("\u200b*private", "\ufeff*private x", "*pri\u200dvate", "\u2066*private\u2069 x"),
        *("*private*", "*private\u3002", "*private\u9019"),
    ],
)
def test_what_reads_as_the_wish_is_one(text):
    """Whatever marks, widths and invisible characters an editor or a phone adds (S24)."""
    assert (may_switch(text), read_switch(text)) == (True, PRIVATE)


@pytest.mark.parametrize("text", ["*private off", "*private Off.", "**private off**", "`*private off`", "/private off"])
def test_so_is_the_wish_to_end_it(text):
    invisible = "\u200b" + text.replace(" ", "\u00a0")
    assert (may_switch(text), read_switch(text), read_switch(invisible)) == (True, OFF, OFF)


NEARLY = (
    *("*privat", "*priavte", "*privates the merger", "/privat", "private", "Private.", "private mode", "* private"),
    *("**private** the merger", "> *private the merger", "*private* members", "*private-mode", "private off"),
)
NO_WISH = (
    *(
        "hello\n*private off",
        "look at this:\n*private",
        "the *private members",
        "*privately",
        "private methods should be",
        "/private/tmp/x",
    ),
    *("* private methods", "*private_key = 3", "private\npublic", "//private x", "/*private*/ x", "\u79c1"),
    *("hello\n*private off", "**bold**"),
)


@pytest.mark.parametrize(("text", "switch"), [*((text, NEAR) for text in NEARLY), *((text, "") for text in NO_WISH)])
def test_what_is_near_is_no_wish_nor_is_another_word(text, switch):
    assert read_switch(text) == switch


def test_what_is_near_is_asked_back_and_switches_nothing(host):
    """The prompt is answered as ever."""
    answer = host.prompt(NEARLY[0])
    assert message(answer).startswith(ASKED_BACK)
    assert answer.block and read_private("s") is None


@pytest.mark.parametrize(
    "text", ["hello", "please do it", "print it", "*brief x", "\u4f60\u597d", "\u043f\u0440\u0438\u0432\u0435\u0442"]
)
def test_a_usual_prompt_pays_a_glance(text):
    assert not may_switch(text)


def test_while_paused_what_is_near_is_told_that_it_is(paused):
    assert message(paused.prompt("*privat off")) == PAUSED
    assert read_private("s").paused


class TestWithoutATrustedProject:
    """The switch is the user's (S16): it needs no project, and the replies are the same."""

    @pytest.fixture(params=["none", "untrusted"])
    def elsewhere(self, request, host, tmp_path):
        """How prompts are sent from a folder without a project, or in a project that is not trusted."""
        if request.param == "untrusted":
            revoke_trust(host.workspace)
            return {}
        return {"cwd": str(tmp_path)}

    def test_it_switches_and_says_so(self, host, elsewhere):
        said = [
            message(host.prompt(text, **elsewhere)) for text in ("*private off", "*privat", "*private", SECRET_WORDS)
        ]
        assert said == [SWITCHED, ASKED_BACK, PAUSED, ""]
        assert message(host.prompt("*remember it", **elsewhere)).startswith("Limpet is paused for this conversation")
        assert message(host.prompt("*private off", **elsewhere)) == RESUMED
        assert not read_private("s").paused

    def test_what_is_trusted_or_made_later_learns_nothing_of_it(self, host, elsewhere, tmp_path, run):
        """Neither by a compaction, the end, the next start nor a search."""
        path = str(tmp_path / "transcripts" / "s.jsonl")
        write(path, said("user", f"No, that's wrong: {SECRET_WORDS}.", 1, "p1"))
        host.prompt("*private", prompt_id="p1", transcript_path=path, **elsewhere)
        root = elsewhere.get("cwd") or host.workspace.root
        write_rules(workspace_at(root), MANIFEST)
        found = trusted(root)
        assert host.prompt(f"No, that's wrong: {SECRET_WORDS}", transcript_path=path).out == b""
        for event, given in (("PreCompact", {"trigger": "manual"}), ("SessionEnd", {"reason": "other"})):
            assert host.send(event, transcript_path=path, **given).out == b""
        host.send("SessionStart", source="startup", session_id="next", cwd=found.root, transcript_path=path + "x")
        assert "Friday" not in run("memory", "search", "Acme", "--sessions", cwd=found.root).stdout
        assert holding(found, SECRET_WORDS) == []


def test_a_command_typed_meanwhile_does_nothing_and_says_so(paused):
    """Neither a memory nor the lock."""
    answer = paused.prompt(f"*remember {SECRET_WORDS}")
    assert message(answer) == "Limpet is paused for this conversation: *remember did nothing. *private off ends it."
    assert "/limpet did nothing" in message(paused.prompt("/limpet"))
    assert holding(paused.workspace, SECRET_WORDS) == []


def test_a_conversation_without_a_name_cannot_be_paused(host):
    """The person is told."""
    assert message(host.prompt("*private", session_id=...)) == NAMELESS


def test_a_mark_that_cannot_be_read_keeps_the_conversation_private(paused):
    """What is damaged must not let anything out."""
    from limpet.work.conversation import private_path

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
