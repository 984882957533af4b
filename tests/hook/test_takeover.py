"""A new conversation is told once where one stood that was left in CRITICAL or spawned from (decisions 6, 8)."""

import json

import pytest

from limpet.work.recovery import SPAWNED
from limpet.work.session import change_session

from ..conversation import write
from ..hook_host import bare, state
from ..memories import fill, listed, short, until
from ..places import private_path
from .test_capture import Transcript

ASKED = "Should I round the tax per line or per invoice?"
ANSWER = "per line, and go on"


@pytest.fixture
def leave(host):
    """Ends a conversation in a bracket, after a little work; its id."""

    def leave_at(bracket, name="old"):
        write(private_path(host.workspace, "session.yaml"), "current_agent: dev\ntask: Add the export\n")
        talk = Transcript(host.workspace, name)
        talk.tool("TodoWrite", {"todos": [{"content": "Write the CSV header", "status": "in_progress"}]})
        talk.model(ASKED)
        talk.user(ANSWER)
        talk.model("The rounding is done. Next, I'll write the CSV header.")
        with open(talk.path, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        path = fill(host.workspace, bracket, name, lines)
        host.prompt("How is it going?", session_id=name, transcript_path=path)
        host.send("SessionEnd", session_id=name, transcript_path=path, reason="exit")
        file = private_path(host.workspace, "continuation", f"{name}.md")
        if bracket == "CRITICAL":
            assert until(lambda: "CSV header" in _text(file) and "CSV header" in _text(_latest(host)))
        return name

    return leave_at


def _latest(host):
    return private_path(host.workspace, "continuation", "latest.md")


def _text(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""


def start(host, name, source="startup", **more):
    answer = host.send("SessionStart", session_id=name, source=source, **more)
    return (answer.block or {}).get("continuation") or []


@pytest.mark.parametrize("source", ["startup", "clear"])
def test_a_new_conversation_is_told_what_critical_left(host, leave, source):
    """Task, next action, task list, and the answer with its question; with the command that prints the whole."""
    leave("CRITICAL")
    told = "\n".join(start(host, "new", source))
    assert "left by the previous conversation" in told
    for words in (
        "Task: Add the export",
        "Next action: Next, I'll write the CSV header.",
        f"{ANSWER} (asked: {ASKED})",
    ):
        assert words in told
    assert "Task list: 0 of 1 done; Write the CSV header (in progress)" in told
    assert "limpet resume --full old" in told


def test_what_the_last_conversation_left_is_no_request(host, memories, leave):
    """Perhaps something else is wanted: the titles of memories wait for what is."""
    near = [memories.add(f"The CSV header is {what}") for what in ("sorted", "short")]
    leave("CRITICAL")
    begun = host.send("SessionStart", session_id="new", source="startup")
    assert begun.block["continuation"] and listed(begun) == []
    first = listed(host.prompt("Translate the header of all mails into Welsh", session_id="new"))
    assert set(first[:2]) == set(map(short, near))


def test_it_is_told_until_somebody_goes_on(host, leave):
    """Whoever opens a conversation and closes it has not gone on; after the first prompt nobody else is told."""
    leave("CRITICAL")
    assert start(host, "closed") and start(host, "new")
    assert b"<continuation>" not in host.prompt(session_id="new").out
    assert "taking_over" not in state(host.workspace, "new")
    assert state(host.workspace, "old")["taken_over"]["by"] == "new"
    assert start(host, "third") == []


def test_a_conversation_that_is_left_again_is_told_again(host, leave):
    """The old one went on after all."""
    leave("CRITICAL")
    start(host, "new")
    host.prompt(session_id="new")
    change_session(host.workspace, "old", {"taken_over": {"by": "new", "at": "2020-01-01T00:00:00Z"}})
    assert start(host, "third")


@pytest.mark.parametrize("bracket", ["FRESH", "MODERATE", "DEPLETED"])
def test_nothing_is_told_of_a_conversation_that_ended_well(host, leave, bracket):
    """It had room, and ended of itself."""
    leave(bracket)
    assert start(host, "new") == []


@pytest.mark.parametrize(("name", "source"), [("other", "resume"), ("other", "fork"), ("old", "clear")])
def test_a_conversation_that_goes_on_is_told_nothing(host, leave, name, source):
    """It has a window of its own; nor is the one that was left, in a new start under its id."""
    leave("CRITICAL")
    assert start(host, name, source) == []


def test_after_a_spawn_the_one_that_goes_on_is_named(host, leave):
    """A person who opens a third one knows where the work is."""
    leave("CRITICAL")
    change_session(
        host.workspace, "old", {"bracket": "FRESH", "spawned": {"session": "x", "join": "claude --resume x"}}
    )
    told = start(host, "new")
    assert "another conversation already continues it: claude --resume x" in told


def test_a_spawned_conversation_has_it_in_its_first_prompt_only(host, leave):
    """Whole, on its standard input."""
    leave("CRITICAL")
    assert start(host, "new", process={"env": {**bare(), SPAWNED: "old"}}) == []
