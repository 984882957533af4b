"""What an answer cost: afresh, written to the cache, read from it, and out, as each client writes it."""

import json

import pytest

from limpet.transcripts.messages import UsageLine
from limpet.transcripts.registry import transcript_of

AT, SECONDS = "2026-11-29T12:00:00.000Z", 1795953600.0


def claude_line(output, **usage):
    told = {"input_tokens": 10, "cache_creation_input_tokens": 200, "cache_read_input_tokens": 3000}
    message = {"id": "m1", "model": "claude-opus-4-5", "usage": {**told, "output_tokens": output, **usage}}
    return {"type": "assistant", "uuid": f"u{output}", "timestamp": AT, "message": message}


def codex_line(kind, **payload):
    return {"timestamp": AT, "type": "event_msg", "payload": {"type": kind, **payload}}


def codex_usage(cached=3000, written=200):
    usage = {"input_tokens": 3210, "cached_input_tokens": cached, "cache_write_input_tokens": written}
    usage |= {"output_tokens": 40, "total_tokens": 3250}
    return codex_line("token_count", info={"last_token_usage": usage, "total_token_usage": {"total_tokens": 9000}})


COPILOT = {"inputTokens": 3210, "cacheWriteTokens": 200, "cacheReadTokens": 3000, "outputTokens": 40, "apiCallId": "m1"}
GEMINI = {"input": 3210, "output": 30, "cached": 3000, "thoughts": 10, "tool": 0, "total": 3250}
LINES = {
    "claude-code": [
        {"type": "user", "promptId": "p1", "uuid": "u0", "message": {"role": "user", "content": "hello"}},
        claude_line(1),
        claude_line(40),  # the same answer, when it was whole
        {**claude_line(9), "isSidechain": True},
        {"type": "assistant", "uuid": "u9", "message": {"id": "m9", "model": "<synthetic>", "usage": {}}},
    ],
    "codex-cli": [
        codex_line("task_started", turn_id="p1"),
        codex_usage(),
        codex_usage(),  # told again, with news of the limits
        codex_line("token_count", info=None),
    ],
    "copilot-cli": [
        {"type": "session.usage_record", "timestamp": AT, "data": {"usage": COPILOT}},
        {"type": "session.usage_record", "timestamp": AT, "data": {"usage": {**COPILOT, "initiator": "sub-agent"}}},
    ],
    "gemini-cli": [
        {"id": "m1", "timestamp": AT, "type": "gemini", "content": "", "tokens": GEMINI, "model": "gemini-2.5-flash"},
        {"id": "m2", "timestamp": AT, "type": "user", "content": "hello"},
    ],
}


@pytest.mark.parametrize("host", LINES)
def test_the_figures_are_the_clients(host, tmp_path):
    """What was cached is part of what went in for all but Claude Code, and none counts twice."""
    path = tmp_path / "transcript.jsonl"
    lines = (json.dumps(line, separators=(",", ":")) for line in LINES[host])
    path.write_text("".join(f"{line}\n" for line in lines))
    (found,) = {one.id: one for one in transcript_of(host).read_answers(str(path))}.values()
    written = 0 if host == "gemini-cli" else 200
    costs = UsageLine(input=210 - written, cache_write=written, cache_read=3000, output=40, at=SECONDS)
    assert found.replace(id="", prompt="") == costs
    assert found.total == 3250
    assert found.prompt == ("p1" if host in ("claude-code", "codex-cli") else "")


def test_a_file_that_is_not_there_has_none(tmp_path):
    """As a client that tells nothing."""
    for host in (*LINES, "cursor", "antigravity", "vscode"):
        assert [*transcript_of(host).read_answers(str(tmp_path / "none.jsonl"))] == []
