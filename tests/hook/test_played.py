"""A played hook is the hook that a host starts, and what it starts in turn is a process of ours."""

import json

import pytest

from limpet.hosts.claude_code.events import TIMEOUTS

from ..conversation import write
from ..hook_host import STARTED

SAID = {"type": "user", "uuid": "u1", "message": {"role": "user", "content": "Let's use Postgres for the job queue."}}
GIVEN = {
    "SessionStart": {"source": "startup"},
    "PreToolUse": {"tool_name": "Bash", "tool_input": {"command": "git push"}, "tool_use_id": "t"},
    "PostToolUseFailure": {"tool_name": "Bash", "tool_input": {}, "tool_use_id": "t", "error": "no such table"},
    "SubagentStart": {"agent_id": "a", "agent_type": "general-purpose"},
    "UserPromptSubmit": {"prompt": "the endpoint *brief"},
}


@pytest.mark.parametrize("event", TIMEOUTS)
def test_it_says_and_returns_the_same(host, event):
    """On every event, in a conversation of its own."""
    given = {"session_id": "same", **GIVEN.get(event, {})}
    played, started = host.send(event, **given), host.send(event, process=STARTED, **{**given, "session_id": "else"})
    assert (played.code, played.out, played.err) == (started.code, started.out, started.err)


@pytest.mark.parametrize("process", [None, STARTED], ids=["played", "started"])
def test_what_it_starts_does_its_work(host, memories, tmp_path, process):
    """What was said before a compaction is kept by a second process, whose answer the hook waits for."""
    first = {**SAID, "uuid": "u0", "message": {"role": "user", "content": "Hello."}}
    write(str(tmp_path / "talk.jsonl"), json.dumps(first) + "\n" + json.dumps(SAID) + "\n")
    host.send("PreCompact", process=process, trigger="manual", transcript_path=str(tmp_path / "talk.jsonl"))
    assert any("Postgres" in entry.title for entry in memories.entries())
