"""Transcripts of Cursor and Antigravity, as public readers describe them: words, calls, edited files; no figures."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.transcripts import antigravity, cursor
from limpet.transcripts.tail import Reading

from ..strategies import QUICK

FIXTURES = Path(__file__).parents[1] / "fixtures"
FORMATS = {"cursor": cursor, "antigravity": antigravity}


@pytest.fixture(params=FORMATS)
def transcript(request):
    """(its reader, its path)"""
    return FORMATS[request.param], str(FIXTURES / request.param / "transcript.jsonl")


def test_what_was_said_and_done_is_read(transcript):
    """Without what the client put around the words, and without our own block."""
    reader, path = transcript
    found, end = reader.read_messages(path, root="/home/dev/project")
    assert [(each.role, each.text) for each in found if each.text] == [
        ("user", "Add a test for the parser."),
        ("assistant", "I write it."),
    ]
    assert [each.edited for each in found if each.edited] == ["test_parser.py"]
    assert [each.tool_input["command"] for each in found if "command" in each.tool_input] == ["pytest"]
    assert end == Path(path).stat().st_size and reader.read_messages(path, end) == ([], end)


def test_no_figure_is_made_up(transcript):
    """Neither tokens nor a compaction stand in them."""
    reader, path = transcript
    assert reader.read_usage(path) == Reading() and reader.epoch_start(path) == 0
    assert reader.holds(path, b"Add a test") and not reader.holds(path, b"never said")
    assert (reader.read_task_list(path), reader.find_parent(path, 1), reader.session_of(path)) == ((), "", "transcript")


def test_the_newest_prompt_of_a_person_is_found(tmp_path):
    """Not what the client or an agent put in between."""
    log = tmp_path / "transcript.jsonl"
    lines = [
        {
            "step_index": 4,
            "source": "USER_EXPLICIT",
            "type": "USER_INPUT",
            "content": "<USER_REQUEST>one</USER_REQUEST>",
        },
        {"step_index": 7, "source": "SYSTEM", "type": "USER_INPUT", "content": "not typed"},
        {"step_index": 8, "source": "MODEL", "type": "PLANNER_RESPONSE", "content": '"USER_INPUT"'},
    ]
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert antigravity.last_entered(str(log)) == (4, "one")
    assert antigravity.last_entered(str(tmp_path / "none")) == (-1, "")


@QUICK
@given(raw=st.binary(max_size=300), reader=st.sampled_from(list(FORMATS.values())))
def test_anything_may_stand_in_the_file(tmp_path_factory, raw, reader):
    """A later version may write what it likes."""
    path = tmp_path_factory.mktemp("log") / "transcript.jsonl"
    path.write_bytes(raw + b'\n{"role": 7, "message": [], "type": "PLANNER_RESPONSE", "tool_calls": [1, {}]}\n')
    assert isinstance(reader.read_messages(str(path))[0], list)
