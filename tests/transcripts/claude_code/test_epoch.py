"""Where the newest stretch of a conversation begins in Claude Code's transcript."""

import json

import pytest

from holdfast.transcripts.claude_code.epoch import epoch_start

SAID = b'{"type": "user", "message": {"role": "user", "content": "a compact_boundary, says \\"compact_boundary\\""}}\n'
BOUNDARY = json.dumps({"type": "system", "subtype": "compact_boundary"}).encode() + b"\n"
SIDE = json.dumps({"type": "system", "subtype": "compact_boundary", "isSidechain": True}).encode() + b"\n"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([], 0),
        ([SAID, SAID], 0),
        ([SAID, BOUNDARY, SAID, SAID], len(SAID)),
        ([BOUNDARY, SAID, BOUNDARY, SAID], len(BOUNDARY + SAID)),
        ([SAID, BOUNDARY], len(SAID)),
        ([SAID, SIDE, SAID], 0),
        ([SAID, b'{"compact_boundary"\n', SAID], 0),
    ],
)
def test_it_begins_at_the_line_of_the_newest_compaction(tmp_path, lines, expected):
    """A mention, a sub-agent's and a broken line are none; without one at the start of the file."""
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"".join(lines))
    assert epoch_start(str(path)) == expected


def test_of_a_long_one_the_end_is_looked_at(tmp_path):
    """From the first whole line within the limit."""
    path = tmp_path / "t.jsonl"
    path.write_bytes(BOUNDARY + SAID * 10)
    assert epoch_start(str(path), limit=len(SAID) * 3 + 5) == len(BOUNDARY + SAID * 7)


def test_a_file_that_is_not_there_has_none(tmp_path):
    """It is no error."""
    assert epoch_start(str(tmp_path / "nowhere")) == 0
