"""Usage and compaction boundaries out of Claude Code transcripts, sound and broken."""

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.transcripts import claude_code_usage as claude_code
from limpet.transcripts import tail
from limpet.transcripts.claude_code_usage import holds, read_usage

RECORDED = os.path.join(os.path.dirname(os.path.dirname(__file__)), "fixtures", "claude-code")
NOTHING = {"used": None, "model": None, "boundary": None, "at": None}


def encode(*records: object) -> bytes:
    """Transcript lines, compact as the host writes them."""
    return b"".join(json.dumps(record, separators=(",", ":")).encode() + b"\n" for record in records)


def answer(tokens: int, model: object = "claude-opus-5", **record: object) -> dict[str, object]:
    """An assistant line of ``tokens`` in all: one written, one cached anew, the last two sent and answered."""
    usage = {
        "input_tokens": 1,
        "cache_creation_input_tokens": 1,
        "cache_read_input_tokens": tokens - 3,
        "output_tokens": 1,
        "service_tier": "standard",
        "cache_creation": {"ephemeral_5m_input_tokens": 1},
    }
    message = {"role": "assistant", "model": model, "content": [{"type": "text", "text": "ok"}], "usage": usage}
    return {"type": "assistant", "isSidechain": False, "message": message, **record}


def failed_answer() -> dict[str, object]:
    """The line that the host writes when the API refused the request."""
    return {"isApiErrorMessage": True, **answer(3, "<synthetic>")}


PROMPT = {"type": "user", "isSidechain": False, "message": {"role": "user", "content": "hello"}}
BOUNDARY = {
    "type": "system",
    "subtype": "compact_boundary",
    "isSidechain": False,
    "compactMetadata": {"trigger": "auto", "preTokens": 155_000, "postTokens": 9_000, "durationMs": 1200},
}
SUMMARY = {"type": "user", "isCompactSummary": True, "message": {"role": "user", "content": "summary"}}


@pytest.fixture
def transcript(tmp_path):
    """A function that writes bytes to a transcript and gives its path."""

    def write(content: bytes) -> str:
        path = tmp_path / "session.jsonl"
        path.write_bytes(content)
        return str(path)

    return write


def fields(reading) -> dict[str, object]:
    """A reading without its size."""
    return {name: getattr(reading, name) for name in NOTHING}


def test_used_is_the_sum_of_the_four_counts_of_the_last_answer(transcript):
    """Input, cache creation, cache read and output of the newest answer add up; where and by whom is told."""
    usage = dict(zip(claude_code.COUNTS, (1000, 200, 30, 4), strict=True))
    last = {"type": "assistant", "message": {"model": "claude-haiku-4-5", "usage": usage}}
    before = encode(PROMPT, answer(50), PROMPT)
    path = transcript(before + encode(last, {"type": "last-prompt"}))
    assert fields(read_usage(path)) == {**NOTHING, "used": 1234, "model": "claude-haiku-4-5", "at": len(before)}


def test_a_sidechain_answer_is_skipped(transcript):
    """What a sub-agent used says nothing of the main conversation."""
    path = transcript(encode(answer(500), PROMPT, answer(9000, isSidechain=True)))
    assert read_usage(path).used == 500


def test_a_compaction_voids_the_usage_before_it_until_the_next_answer(transcript):
    """Then the scan does not go back to the boundary."""
    before = encode(PROMPT, answer(150_000))
    path = transcript(before + encode(BOUNDARY, SUMMARY, PROMPT))
    assert fields(read_usage(path)) == {**NOTHING, "boundary": len(before)}
    before = encode(answer(150_000), BOUNDARY, SUMMARY)
    path = transcript(before + encode(answer(9000)))
    assert fields(read_usage(path)) == {"used": 9000, "model": "claude-opus-5", "boundary": None, "at": len(before)}


@pytest.mark.parametrize(
    "line",
    [
        {**PROMPT, "message": {"role": "user", "content": "what is a compact_boundary?"}},
        {**PROMPT, "message": {"role": "user", "content": "compact_boundary"}},
        {"type": "system", "subtype": "microcompact_boundary"},
        {"type": "user", "subtype": "compact_boundary"},
        {**BOUNDARY, "isSidechain": True},
    ],
)
def test_only_the_hosts_own_boundary_line_is_a_compaction(transcript, line):
    """Talk of a boundary, a boundary of another kind and a sub-agent's leave the usage standing."""
    assert read_usage(transcript(encode(answer(700), line))).used == 700


@pytest.mark.parametrize(("since", "used"), [(0, 700), (-1, 700), (1, None)])
def test_usage_before_since_is_void(transcript, since, used):
    """An answer that begins at ``since`` counts, one that begins a byte earlier does not."""
    before = encode(PROMPT)
    path = transcript(before + encode(answer(700), PROMPT))
    assert read_usage(path, since=len(before) + since).used == used


def test_what_was_seen_earlier_or_in_a_longer_file_is_not_reported(transcript):
    """A file that was replaced by a shorter one tells nothing about this conversation's state."""
    before = encode(answer(700), BOUNDARY)
    path = transcript(before + encode(PROMPT))
    assert fields(read_usage(path, since=len(before))) == NOTHING
    content = encode(answer(700))
    assert fields(read_usage(transcript(content), since=len(content) + 1)) == NOTHING


@pytest.mark.parametrize(
    "line",
    [
        failed_answer(),
        {"type": "assistant", "message": {"model": "claude-opus-5", "usage": {"input_tokens": 0, "output_tokens": 0}}},
        {"type": "assistant", "message": {"model": "claude-opus-5", "usage": None}},
        {
            "type": "assistant",
            "message": {"model": "claude-opus-5", "usage": {"input_tokens": "12", "output_tokens": None}},
        },
        {"type": "assistant", "message": "usage"},
        {"type": "user", "toolUseResult": {"usage": {"input_tokens": 99}}},
        answer(99, type="progress"),
        {"type": "cost-state", "usage": {"input_tokens": 99}},
        ["usage"],
    ],
)
def test_a_line_without_a_models_usage_is_skipped(transcript, line):
    """API errors, empty or odd usage and other line types leave the answer before them standing."""
    assert read_usage(transcript(encode(answer(700), line))).used == 700


def test_a_missing_model_leaves_the_usage(transcript):
    """The count is worth having even when the line names no model."""
    reading = read_usage(transcript(encode(answer(700, model=None))))
    assert (reading.used, reading.model) == (700, None)


ANSWER = encode(answer(700))


@pytest.mark.parametrize(
    "content",
    [
        *(ANSWER + encode(answer(9000))[:-40], ANSWER + encode(answer(9000))[:-2]),
        *(ANSWER + b'{"type":"assistant","message":{"usage":}}\n', ANSWER + b'{"usage":' * 5000 + b"}\n"),
        *(ANSWER + b"\0" * 5000, ANSWER + b'\xff\xfe "usage" \xc3\n', ANSWER + b"\n\n\r\n"),
        *(ANSWER.rstrip(), ANSWER.rstrip() + b"\r\n", b"\0" * 512 + ANSWER, ANSWER.rstrip() + b"\0" * 512),
        *(b"  " + ANSWER.rstrip() + b" \n", ANSWER.replace(b'"ok"', b'"\xff\xc3"')),
    ],
    ids=(
        *("half", "one byte short", "broken", "deep", "NUL", "not UTF-8", "blank"),
        *("no newline", "CRLF", "NUL before", "NUL after", "blanks", "damaged text"),
    ),
)
def test_an_answer_is_found_whatever_surrounds_it(transcript, content):
    """On its line and behind it: ends of either kind, the NUL bytes of a crash, half a line; in it a damaged text."""
    assert read_usage(transcript(encode(PROMPT) + content)).used == 700


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_no_file_gives_an_empty_reading(tmp_path, name):
    """At the first prompt the transcript is not there yet; a folder in its place is no different."""
    reading = read_usage(os.path.join(str(tmp_path), name))
    assert (fields(reading), reading.size) == (NOTHING, 0)


scraps = st.lists(st.sampled_from(encode(answer(700), BOUNDARY).split(b",")), max_size=9).map(b",".join)


@given(content=st.binary(max_size=300) | scraps)
def test_no_bytes_whatever_raise(tmp_path_factory, content):
    """A transcript of any content gives a reading whose size is right and whose count, if any, is positive."""
    path = tmp_path_factory.getbasetemp() / "anything.jsonl"
    path.write_bytes(content)
    reading = read_usage(str(path))
    assert reading.size == len(content)
    assert reading.used is None or reading.used > 0


@pytest.fixture
def bytes_read(monkeypatch):
    """The sizes of the blocks read from the transcript."""
    sizes: list[int] = []
    blocks = tail._blocks_from_end

    def noting(*args):
        for start, block in blocks(*args):
            sizes.append(len(block))
            yield start, block

    monkeypatch.setattr(tail, "_blocks_from_end", noting)
    return sizes


def huge(path: str, size: int, end: bytes) -> str:
    """Make ``path`` ``size`` bytes of nothing (it takes no room on the disk) followed by ``end``."""
    os.truncate(path, size)
    with open(path, "ab") as file:
        file.write(b"\n" + end)
    return path


def test_a_huge_transcript_costs_one_block(transcript, bytes_read):
    """Of 200 MB, only the last 64 KiB are read when the usage stands there."""
    path = huge(transcript(b""), 200_000_000, encode(answer(700), PROMPT))
    assert read_usage(path).used == 700
    assert bytes_read == [tail.CHUNK]


def test_the_scan_is_bounded(transcript, bytes_read):
    """An answer further back than the limit is not looked for."""
    path = huge(transcript(encode(answer(700))), 60_000_000, encode(PROMPT))
    assert read_usage(path, limit=1_000_000).used is None
    assert sum(bytes_read) == 1_000_000


def test_so_many_lines_are_looked_at(transcript):
    """A line costs time, however short."""
    lines = b"{}\n" * (claude_code.USAGE_LINES - 1)
    assert read_usage(transcript(encode(answer(5)) + lines)).used == 5
    assert read_usage(transcript(encode(answer(5)) + lines + b"{}\n")).used is None


def test_the_default_bound_is_64_mib(transcript, bytes_read):
    """Without a given limit the scan of a 200 MB file ends after 64 MiB."""
    path = huge(transcript(b""), 200_000_000, encode(PROMPT))
    assert read_usage(path).used is None
    assert sum(bytes_read) == 64 * 1024 * 1024


def test_since_ends_the_scan(transcript, bytes_read):
    """Nothing is read far before the offset from which lines count."""
    content = encode(PROMPT) * 20_000
    path = transcript(content)
    assert read_usage(path, since=len(content) - 1000).used is None
    assert bytes_read == [tail.CHUNK]


def test_only_lines_that_may_matter_are_parsed(transcript, monkeypatch):
    """Text that speaks of usage or boundaries, quoted or not, and half-written answers are passed over unparsed."""
    parsed: list[str] = []
    monkeypatch.setattr(claude_code, "read_object", lambda text: parsed.append(text) or json.loads(text))
    talk = {**PROMPT, "message": {"content": '"usage" and "compact_boundary" and usage'}}
    read_usage(transcript(encode(answer(700), talk, talk, PROMPT) + encode(answer(9000))[:-40]))
    assert len(parsed) == 1


def test_holds_finds_bytes_after_the_newest_boundary_only(transcript):
    """What was injected since the compaction is in the conversation: neither before it, nor in its own line."""
    path = transcript(encode(BOUNDARY, {"type": "attachment", "content": "mark-77"}, PROMPT))
    assert holds(path, b"mark-77")
    path = transcript(encode({"type": "attachment", "content": "mark-77"}, BOUNDARY, SUMMARY))
    assert not holds(path, b"mark-77")
    assert not holds(transcript(encode({**BOUNDARY, "note": "mark-77"}, SUMMARY)), b"mark-77")
    mark, rest = encode({"content": "mark-77"}), encode(PROMPT)
    path = transcript(mark + rest)
    assert (holds(path, b"mark-77", limit=len(rest)), holds(path, b"mark-77", limit=len(mark + rest))) == (False, True)


def recorded_lines(name: str) -> list[bytes]:
    """The lines of a transcript that the real client wrote."""
    with open(os.path.join(RECORDED, name), "rb") as file:
        return file.readlines()


def read_forward(lines: list[bytes]) -> tuple[int | None, bool]:
    """(tokens, compacted since), found the plain way: each answer sets the figure, each compaction takes it away."""
    used, compacted = None, False
    for record in map(json.loads, lines):
        if record["type"] == "assistant":
            usage = record["message"]["usage"]
            used, compacted = sum(usage[name] for name in claude_code.COUNTS), False
        elif record.get("subtype") == "compact_boundary":
            used, compacted = None, True
    return used, compacted


def test_a_recorded_transcript_reads_the_same_at_every_moment_of_its_growth(transcript):
    """After each line that Claude Code wrote, reading from the end agrees with reading from the beginning."""
    lines = recorded_lines("transcript.jsonl")
    readings = [read_usage(transcript(b"".join(lines[:count]))) for count in range(len(lines) + 1)]
    expected = [read_forward(lines[:count]) for count in range(len(lines) + 1)]
    assert [(reading.used, reading.boundary is not None) for reading in readings] == expected
    assert {(True, False), (False, True), (False, False)} == {(used is not None, cut) for used, cut in expected}


def test_a_recorded_sub_agents_transcript_gives_no_usage():
    """The real client marks every line of a sub-agent as a sidechain."""
    path = os.path.join(RECORDED, "transcript-subagent.jsonl")
    assert any(b'"usage"' in line for line in recorded_lines("transcript-subagent.jsonl"))
    assert read_usage(path).used is None
