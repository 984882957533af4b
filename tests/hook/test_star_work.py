"""Star-commands about the work, typed into the hook as a host starts it."""

import json
import os

import pytest

from ..conversation import MODEL, write
from ..hook_host import state
from ..leaks import KNOWN, TOKEN, holding, know_secret, leaks
from ..places import private_path


@pytest.fixture
def nearly_full(host, tmp_path):
    """A payload of a conversation whose last answer left a tenth of the window; its first prompt was typed."""
    usage = {"input_tokens": 180_000, "cache_read_input_tokens": 0, "output_tokens": 0}
    path = str(tmp_path / "transcript.jsonl")
    write(path, json.dumps({"type": "assistant", "message": {"model": MODEL, "usage": usage}}) + "\n")
    host.prompt("hello", transcript_path=path)
    return {"transcript_path": path}


@pytest.mark.parametrize("typed", ["*work task Add the export", "*work start greenfield", "*develop S-12"])
def test_below_15_percent_no_task_is_begun(host, nearly_full, typed):
    """Decision 2: the answer says what to do instead, and the conversation has no task afterwards."""
    (command,) = host.prompt(typed, **nearly_full).block["commands"]
    assert command["lines"] == [
        "The window is nearly full: write the handoff first and start new work in a new session."
    ]
    assert not state(host.workspace).get("task") and not state(host.workspace).get("workflow")


@pytest.mark.parametrize(("typed", "field"), [("*work squad etl", "squad"), ("*work mode build", "mode")])
def test_what_begins_nothing_is_done_all_the_same(host, nearly_full, typed, field):
    """Squad and mode are no new work."""
    write(f"{host.workspace.root}/squads/etl/.limpet/rules/manifest", "DB_RECALL=table\n")
    host.prompt(typed, **nearly_full)
    assert state(host.workspace)[field] == typed.split()[-1]


@pytest.mark.parametrize("typed", ["*work task use", "*work start", "*develop"])
def test_what_is_kept_of_a_command_holds_no_secret(host, typed):
    """Neither a value of ``.env`` nor a token: not the conversation's state, not the block, nor its copy."""
    know_secret(host.workspace.root)
    answers = [host.prompt(f"{typed} {KNOWN} {TOKEN}"), host.prompt("hello"), host.prompt("*limpet session")]
    assert leaks(host.workspace, *(each.out.decode() for each in answers)) == []
    assert holding(host.workspace, "[redacted:known-secret]")


@pytest.mark.parametrize(
    "typed",
    ["*agent", "*work squad", "*work mode", "*mode", "*limpet", "*limpet on", "*work", "*recall", "*recall of what"],
)
def test_a_command_that_cannot_be_followed_does_not_say_the_secret_again(host, typed):
    """Neither in the answer nor in what is kept of it."""
    know_secret(host.workspace.root)
    answers = [host.prompt(f"{typed} {KNOWN}"), host.prompt(f"{typed} {TOKEN}")]
    assert leaks(host.workspace, *(each.out.decode() for each in answers)) == []


def test_a_secret_that_a_person_wrote_into_the_session_is_not_sent(host):
    """Nor kept where the hook reads it; the file itself stays as it is."""
    know_secret(host.workspace.root)
    typed = f"language: en\ntask: {{id: S-1, title: Ask with {KNOWN}}}\n"
    write(private_path(host.workspace, "session.yaml"), typed)
    answer = host.prompt()
    assert "Ask with" in answer.text
    assert KNOWN not in answer.text
    assert [os.path.basename(path) for path in holding(host.workspace, KNOWN)] == ["session.yaml"]
