"""Usage and compactions out of Gemini CLI's chat files, sound and broken (recorded from 0.61.0)."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.transcripts.gemini import find_parent, holds, read_usage, summary_of
from limpet.transcripts.tail import Reading

RECORDED = Path(__file__).parents[1] / "fixtures" / "gemini-cli" / "transcript.jsonl"
LINES = RECORDED.read_bytes().splitlines(keepends=True)
STARTS = [sum(map(len, LINES[:number])) for number in range(len(LINES) + 1)]
# The line in which the compacted history was first written, and one of those with which a resumption repeated it.
(COMPACTION, *REPEATED) = (number for number, line in enumerate(LINES) if summary_of(line))
ACKNOWLEDGED = "Got it. Thanks for the additional context!"


@pytest.fixture
def chat(tmp_path):
    """A function that writes lines to a chat and gives its path."""

    def write(*lines: object) -> str:
        path = tmp_path / "session.jsonl"
        path.write_bytes(b"".join(line if isinstance(line, bytes) else encoded(line) for line in lines))
        return str(path)

    return write


def encoded(record: object) -> bytes:
    """A line, compact as the client writes it."""
    return json.dumps(record, separators=(",", ":")).encode() + b"\n"


def message(name: str, kind: str = "gemini", content: object = "ok", **rest: object) -> dict[str, object]:
    return {"id": name, "timestamp": "2026-11-21T12:00:00.000Z", "type": kind, "content": content, **rest}


def answer(name: str, total: object, model: object = "gemini-2.5-flash") -> dict[str, object]:
    return message(name, tokens={"input": 1, "output": 1, "total": total}, model=model)


def history(*names: str) -> dict[str, object]:
    """A history that is written again, whose second message acknowledges a summary."""
    kept = [message(name, content=[{"text": ACKNOWLEDGED if at == 1 else "x"}]) for at, name in enumerate(names)]
    return {"$set": {"messages": kept, "lastUpdated": "2026-11-21T12:00:00.000Z"}}


def test_the_recorded_usage_is_that_of_the_newest_answer():
    found = read_usage(str(RECORDED))
    assert (found.model, found.boundary, found.size) == ("gemini-2.5-flash", STARTS[COMPACTION], STARTS[-1])
    assert found.used and found.at in STARTS


def test_the_recorded_compaction_is_told(chat):
    assert read_usage(chat(*LINES[: COMPACTION + 1])).boundary == STARTS[COMPACTION]
    assert read_usage(chat(*LINES[:COMPACTION])).boundary is None


def test_a_recorded_resumption_is_no_compaction_of_its_own(chat):
    """The history comes again with the same ids, and the usage from before it holds."""
    assert REPEATED
    before = read_usage(chat(*LINES[: REPEATED[0]]))
    path = chat(*LINES[: REPEATED[-1] + 1])
    found = read_usage(path)
    assert found.replace(size=0) == before.replace(size=0)
    assert read_usage(path, STARTS[COMPACTION] + 1).boundary is None


def test_a_resumption_right_after_the_compaction_leaves_its_boundary(chat):
    path = chat(answer("a", 9), history("b", "ack"), history("b", "ack"), message("c", "user"))
    assert read_usage(path) == Reading(boundary=len(encoded(answer("a", 9))), size=Path(path).stat().st_size)


def test_each_compaction_counts_once(chat):
    """Also where an older one is repeated behind it, or the model says the words by itself."""
    first, second = history("b", "ack"), history("d", "later")
    path = chat(first, answer("c", 5), second)
    assert read_usage(path).boundary == len(encoded(first) + encoded(answer("c", 5)))
    said = message("z", content=ACKNOWLEDGED)
    path = chat(answer("c", 5), said, history("c", "z"))
    assert (read_usage(path).boundary, read_usage(path).used) == (None, 5)


def test_a_compaction_is_told_with_the_answer_that_followed_it(chat):
    """It is made behind the hook of a prompt, so that the next prompt is the first to see it, and no later one."""
    begun = (answer("a", 9), history("b", "ack"), message("c", "user"), answer("d", 4))
    found = read_usage(chat(*begun))
    assert (found.boundary, found.used) == (len(encoded(begun[0])), 4)
    later = (message("e", "user"), answer("f", 5), message("g", "user"), answer("h", 6))
    assert read_usage(chat(*begun, *later)).boundary is None


def test_going_back_in_the_conversation_counts_as_one(chat):
    """What was sent may be gone."""
    path = chat(answer("a", 9), {"$rewindTo": "a"})
    assert read_usage(path).boundary == len(encoded(answer("a", 9)))
    assert read_usage(chat({"$rewindTo": "a"}, answer("b", 4))).used == 4


@pytest.mark.parametrize("total", [None, 0, -1, True, "9", 1.5])
def test_an_answer_without_a_figure_says_nothing(chat, total):
    assert read_usage(chat(answer("a", 7), answer("b", total))).used == 7
    assert read_usage(chat(answer("b", total))).used is None


def test_only_records_from_the_given_byte_on_count(chat):
    """The text of a message is none."""
    told = json.dumps(history("b", "ack"))
    path = chat(
        answer("a", 7), message("u", "user", [{"text": told}]), message("t", content=json.dumps(answer("x", 8)))
    )
    assert (read_usage(path).used, read_usage(path).boundary) == (7, None)
    path = chat(answer("a", 7), message("u", "user"))
    assert read_usage(path, 1).used is None
    assert read_usage(chat(history("b", "ack"), message("u", "user")), 1).boundary is None


def test_words_that_the_compaction_left_are_held(chat):
    kept = history("b", "ack", "needle")
    path = chat(message("gone", "user", "gone words"), kept, message("c", "user", "later words"))
    assert holds(path, b"needle") and holds(path, b"later words")
    assert not holds(path, b"gone words")


def test_the_parent_is_the_neighbour_that_used_as_much(chat, tmp_path):
    path = chat(answer("a", 7))
    assert find_parent(str(tmp_path / "fork.jsonl"), 7) == path
    assert find_parent(str(tmp_path / "fork.jsonl"), 8) == find_parent(path, 7) == ""


@given(st.binary(max_size=300), st.integers(min_value=0, max_value=400))
def test_any_bytes_are_read(tmp_path_factory, raw, since):
    path = tmp_path_factory.mktemp("any") / "chat.jsonl"
    path.write_bytes(raw + b'{"$set":{"messages":' + raw)
    read_usage(str(path), since)
    assert not holds(str(path), b"no such words")
