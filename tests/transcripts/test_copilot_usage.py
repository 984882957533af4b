"""Usage and compactions out of Copilot CLI's logs, sound and broken (recorded from 1.0.102)."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.transcripts.copilot import find_parent, holds, read_usage, session_of

from ..strategies import QUICK

RECORDED = Path(__file__).parents[1] / "fixtures" / "copilot-cli" / "transcript.jsonl"
COMPACTED = {"success": True, "outcome": "applied"}


@pytest.fixture
def log(tmp_path):
    """A function that writes lines to a log and gives its path."""

    def write(*lines):
        path = tmp_path / "events.jsonl"
        path.write_bytes(b"".join(each if isinstance(each, bytes) else line(*each) for each in lines))
        return str(path)

    return write


def line(kind, data, **more):
    return json.dumps({"type": kind, "data": data, "id": "i", **more}).encode() + b"\n"


def usage(used, **more):
    figures = {"model": "claude-sonnet-4.5", "inputTokens": used, "outputTokens": 7, "maxPromptTokens": 168_000}
    return ("session.usage_record", {"usage": {**figures, "cacheReadTokens": 5, **more}})


def prompt(text):
    return ("user.message", {"content": text})


def start(*lines):
    """The byte at which the line behind these begins."""
    return sum(len(line(*each)) for each in lines)


def test_the_recorded_usage_is_read_with_its_window():
    found = read_usage(str(RECORDED))
    assert (found.model, found.window, found.boundary) == ("claude-sonnet-4.5", 168_000, None)
    assert found.used and found.used > 1000


def test_the_newest_answer_of_the_main_conversation_counts(log):
    """With what it said; what was cached is among what went in."""
    sub = line(*usage(900), agentId="a")
    path = log(prompt("a"), usage(100), usage(200), sub, b"broken\n", ("session.usage_record", {"usage": 7}))
    found = read_usage(path)
    assert (found.used, found.at) == (207, start(prompt("a"), usage(100)))


def test_a_compaction_is_told_where_no_prompt_followed_and_the_answer_after_it_counts(log):
    """It was made in the midst of a turn, and no event told of it."""
    before = (prompt("a"), usage(100))
    found = read_usage(log(*before, ("session.compaction_complete", COMPACTED), usage(50)))
    assert (found.used, found.boundary) == (57, start(*before))
    found = read_usage(log(("session.compaction_complete", COMPACTED), prompt("a"), usage(50)))
    assert (found.used, found.boundary) == (57, None)


@pytest.mark.parametrize(
    ("kind", "data", "is_boundary"),
    [
        ("session.compaction_complete", COMPACTED, True),
        ("session.compaction_complete", {"success": False, "error": "x"}, False),
        ("session.compaction_start", {"currentTokens": 9}, False),
        ("session.truncation", {"messagesRemovedDuringTruncation": 5}, True),
        ("session.truncation", {"messagesRemovedDuringTruncation": 0}, False),
        ("session.info", {"infoType": "rewind", "message": "Rewound."}, True),
        ("session.info", {"infoType": "fork"}, False),
        ("assistant.message", {"content": "session.compaction_complete", "success": True}, False),
        ("hook.start", {"input": {"type": "session.compaction_complete", "success": True}}, False),
    ],
)
def test_what_takes_messages_away_voids_the_usage_before_it(log, kind, data, is_boundary):
    """A compaction that was made, a cut, and going back; words about one do nothing."""
    found = read_usage(log(prompt("a"), usage(100), (kind, data)))
    assert (found.used, found.boundary is not None) == ((None, True) if is_boundary else (107, False))
    assert holds(log(prompt("a"), usage(100), (kind, data)), b'"a"') is not is_boundary


def test_a_subagents_compaction_is_its_own(log):
    done = line("session.compaction_complete", COMPACTED, agentId="a")
    assert read_usage(log(prompt("a"), usage(100), done)).boundary is None


def test_a_conversation_is_named_by_its_folder_and_has_no_parent():
    assert session_of("/x/session-state/abc/events.jsonl") == "abc"
    assert find_parent("/x/session-state/abc/events.jsonl", 7) == ""


@QUICK
@given(st.binary(max_size=300), st.recursive(st.none() | st.integers() | st.text(), st.lists, max_leaves=4))
def test_any_line_is_read(tmp_path_factory, raw, value):
    """Whatever stands in its fields."""
    path = tmp_path_factory.mktemp("any") / "events.jsonl"
    kinds = ("session.usage_record", "session.compaction_complete", "session.truncation", "session.info")
    lines = [line(kind, value) + line(kind, {"usage": value, "success": value}) for kind in kinds]
    path.write_bytes(raw + b"\n" + b"".join(lines))
    assert read_usage(str(path)).used is None
