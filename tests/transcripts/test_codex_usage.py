"""Usage, compactions and forks in Codex CLI's transcripts, recorded and made up."""

import json
import shutil
from pathlib import Path

import pytest

from limpet.transcripts.codex import find_parent, holds, is_boundary, read_attribution, read_usage, session_of
from limpet.transcripts.tail import Reading

RECORDED = Path(__file__).parents[1] / "fixtures" / "codex-cli"
FIRST, FORK = "00000000-0000-7000-8000-000000000001", "00000000-0000-7000-8000-000000000002"


def line(kind, **payload):
    """A line as the client writes it."""
    return {"timestamp": "2026-11-26T12:00:00.000Z", "type": kind, "payload": payload}


def told(used, asked=1):
    """The figures after an answer; after a compaction nothing was asked."""
    info = {"last_token_usage": {"input_tokens": asked, "total_tokens": used}, "model_context_window": 258_400}
    return line("event_msg", type="token_count", info=info)


TURN = line("turn_context", model="gpt-6-sol")
COMPACTED = line("compacted", message="summary", replacement_history=[{"type": "message", "content": '"compacted"'}])


@pytest.fixture
def write(tmp_path):
    """A function that writes records to a transcript and gives its path."""

    def write(*records):
        path = tmp_path / "rollout.jsonl"
        path.write_text("".join(json.dumps(each, separators=(",", ":")) + "\n" for each in records), encoding="utf-8")
        return str(path)

    return write


def starts(path):
    """The bytes at which the lines begin."""
    lines = Path(path).read_bytes().splitlines(keepends=True)
    return [sum(map(len, lines[:number])) for number in range(len(lines))]


def test_a_recorded_conversation_that_was_compacted_and_answered_since():
    path = RECORDED / "transcript.jsonl"
    found = read_usage(str(path))
    assert found.used and found.boundary is None and found.size == path.stat().st_size
    assert (found.model, found.window) == ("gpt-5.5", 258_400)


def test_usage_is_of_the_last_answer_and_the_model_of_its_turn(write):
    """The one that will answer counts, where a turn just began."""
    path = write(TURN, told(100), line("turn_context", model="gpt-5.5"), told(200), told(300))
    assert read_usage(path) == Reading(
        used=300, model="gpt-5.5", at=starts(path)[4], size=Path(path).stat().st_size, window=258_400
    )
    assert read_usage(write(TURN, told(100), line("turn_context", model="gpt-5.5"))).model == "gpt-5.5"


def test_neither_estimates_nor_requests_for_a_summary_are_usage_after_a_compaction(write):
    """The client writes an estimate at once, without any input."""
    path = write(TURN, told(90_000), COMPACTED, told(9000, asked=0))
    assert read_usage(path) == Reading(boundary=starts(path)[2], size=Path(path).stat().st_size)
    path = write(TURN, told(90_000), COMPACTED, told(9000, asked=0), TURN, told(9500))
    assert (read_usage(path).used, read_usage(path).boundary) == (9500, None)
    path = write(TURN, told(90_000), told(91_000), COMPACTED)
    assert (read_usage(path).used, read_usage(path).boundary) == (None, starts(path)[3])


def test_nothing_before_a_byte_counts(write):
    path = write(TURN, told(100), COMPACTED)
    assert read_usage(path, starts(path)[2] + 1) == Reading(size=Path(path).stat().st_size)
    path = write(TURN, told(100), line("event_msg", type="task_complete"))
    assert read_usage(path, starts(path)[2]).used is None


@pytest.mark.parametrize("info", [None, 7, {}, {"last_token_usage": None}, {"last_token_usage": {"total_tokens": "x"}}])
def test_figures_of_another_type_are_no_usage(write, info):
    assert read_usage(write(TURN, line("event_msg", type="token_count", info=info))).used is None


def test_words_that_mention_a_compaction_are_none(write):
    said = line("response_item", type="message", content='{"type":"compacted"} "token_count"')
    assert not is_boundary(json.dumps(said).encode())
    assert read_usage(write(TURN, told(100), said)).used == 100


def test_words_are_found_since_the_newest_compaction(write):
    path = write(line("event_msg", text="before"), COMPACTED, line("event_msg", text="after"))
    assert (holds(path, b"after"), holds(path, b"before"), holds(path, b"summary")) == (True, False, False)


def test_a_fork_names_the_conversation_that_it_came_from(tmp_path):
    """In its first line; it repeats nothing, and may lie in the folder of another day."""
    days = [tmp_path / "sessions" / "2026" / "11" / day for day in ("25", "26")]
    for day in days:
        day.mkdir(parents=True)
    parent = days[0] / f"rollout-2026-11-25T12-00-00-{FIRST}.jsonl"
    shutil.copy(RECORDED / "transcript.jsonl", parent)
    fork = days[1] / f"rollout-2026-11-26T12-00-00-{FORK}.jsonl"
    text = (RECORDED / "transcript-fork.jsonl").read_text(encoding="utf-8")
    named = json.loads(text.splitlines()[0])["payload"]["forked_from_id"]
    fork.write_text(text.replace(named, FIRST), encoding="utf-8")
    assert find_parent(str(fork)) == str(parent)
    assert (session_of(str(parent)), session_of(str(fork))) == (FIRST, FORK)
    assert find_parent(str(parent)) == ""
    parent.unlink()
    assert find_parent(str(fork)) == ""


@pytest.mark.parametrize("parent", ["", "7", "../x", None, 7, [], "x" * 36])
def test_a_parent_that_is_not_there_is_none(write, parent):
    assert find_parent(write(line("session_meta", forked_from_id=parent))) == ""


def test_a_recorded_turn_tells_who_began_it():
    """What the client itself begins, such as a compaction, has the name of the program too."""
    path = RECORDED / "transcript.jsonl"
    turns = [
        payload["turn_id"]
        for payload in (json.loads(each)["payload"] for each in path.read_text(encoding="utf-8").splitlines())
        if payload.get("type") == "task_started"
    ]
    newest = read_attribution(str(path), turns[-1])
    assert newest and newest["turn_trigger"] == "exec"
    assert read_attribution(str(path), turns[0]) is None
