"""Star-commands about the work, typed into the hook as a host starts it."""

import json

import pytest

from ..conversation import write
from ..hook_host import state


@pytest.fixture
def nearly_full(host, tmp_path):
    """A payload of a conversation whose last answer left a tenth of the window; its first prompt was typed."""
    usage = {"input_tokens": 180_000, "cache_read_input_tokens": 0, "output_tokens": 0}
    path = str(tmp_path / "transcript.jsonl")
    write(path, json.dumps({"type": "assistant", "message": {"model": "m", "usage": usage}}) + "\n")
    host.prompt("hello", transcript_path=path)
    return {"transcript_path": path}


@pytest.mark.parametrize("typed", ["*work task Add the export", "*work start greenfield", "*develop S-12"])
def test_below_15_percent_no_task_is_begun(host, nearly_full, typed):
    """Decision 2: the answer says what to do instead, and the conversation has no task afterwards."""
    (command,) = host.prompt(typed, **nearly_full).block["commands"]
    assert command["lines"] == ["The window is nearly full: write the handoff first, a fresh session starts new work."]
    assert not state(host.workspace).get("task") and not state(host.workspace).get("workflow")


@pytest.mark.parametrize(("typed", "field"), [("*work squad etl", "squad"), ("*work mode build", "mode")])
def test_what_begins_nothing_is_done_all_the_same(host, nearly_full, typed, field):
    """Squad and mode are no new work."""
    host.prompt(typed, **nearly_full)
    assert state(host.workspace)[field] == typed.split()[-1]


def test_with_room_left_a_task_is_begun(host):
    """In this conversation only."""
    host.prompt("*work task Add the export")
    assert "Add the export" in str(state(host.workspace)["task"])
    host.prompt("hello", session_id="other")
    assert not state(host.workspace, "other").get("task")
