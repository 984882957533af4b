"""What the fake model answers to a request, as values: separate from the server, because nothing here waits."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import uuid4

from .directives import Json, ToolCall, read_request, text_of

SUMMARY = "<analysis>FAKE-ANALYSIS</analysis>\n<summary>FAKE-SUMMARY of the conversation so far.</summary>"
CHARACTERS_PER_TOKEN = 4

_SUMMARY_ORDER = re.compile(  # of Claude Code and Copilot, of Codex, of Gemini
    r"detailed summary of (?:the|this|our) conversation|CONTEXT CHECKPOINT COMPACTION"
    r"|(?:generate the updated|evaluate the) <state_snapshot>",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Answer:
    """HTTP status and JSON body, to be sent after `pause` seconds."""

    status: int
    body: Json
    pause: float = 0


def classify(path: str, headers: dict[str, str], body: Json) -> str:
    """The kind of a request, see `Exchange`; header names in lower case."""
    address = path.partition("?")[0]
    if address.endswith("/v1/messages/count_tokens"):
        return "count"
    if not address.endswith("/v1/messages"):
        return "other"
    messages = body.get("messages") or [{}]
    users = [message for message in messages if message.get("role") == "user"] or [{}]
    if _SUMMARY_ORDER.search(text_of(users[-1].get("content"))):
        return "summary"
    return "subagent" if "x-claude-code-agent-id" in headers else "main"


def answer(number: int, kind: str, body: Json, window: int | None) -> Answer:
    """The answer to the request of that number and kind, for a model that takes `window` tokens (None: any)."""
    tokens = len(json.dumps(body)) // CHARACTERS_PER_TOKEN
    if kind == "other":
        return Answer(404, _error("not_found_error", "the fake knows no such address"))
    if kind == "count":
        return Answer(200, {"input_tokens": tokens})
    try:
        directives, results = read_request(body)
    except ValueError as problem:
        return Answer(400, _error("invalid_request_error", str(problem)))
    tokens, pause = directives.usage or tokens, directives.sleep or 0
    if directives.fail:
        return Answer(directives.fail, _error("api_error", "a failure that the prompt asked for"), pause)
    if window and tokens > window:
        message = f"prompt is too long: {tokens} tokens > {window} maximum"
        return Answer(400, _error("invalid_request_error", message), pause)
    calls = () if kind == "summary" or not body.get("tools") else directives.tools[results:]
    text = SUMMARY if kind == "summary" else directives.say or f"FAKE-ANSWER {number}"
    block = _tool_use(number, calls[0]) if calls else {"type": "text", "text": text}
    return Answer(200, _message(number, body, block, tokens, directives.cached), pause)


def stream_events(message: Json) -> Iterator[bytes]:
    """A whole message as the server-sent events of a streamed answer."""
    (block,) = message["content"]
    if block["type"] == "text":
        start, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
    else:
        start = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield _event("message_start", message={**message, "content": [], "stop_reason": None})
    yield _event("content_block_start", index=0, content_block=start)
    yield _event("content_block_delta", index=0, delta=delta)
    yield _event("content_block_stop", index=0)
    yield _event("message_delta", delta=end, usage=message["usage"])
    yield _event("message_stop")


def _event(name: str, **data: object) -> bytes:
    return f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n".encode()


def _tool_use(number: int, call: ToolCall) -> Json:
    # A conversation that is resumed meets another fake, which counts from 1 again.
    return {"type": "tool_use", "id": f"toolu_fake{number:04}{uuid4().hex}", "name": call.name, "input": call.input}


def _message(number: int, body: Json, block: Json, tokens: int, cached: int) -> Json:
    return {
        "id": f"msg_fake{number:04}{uuid4().hex}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "fake"),
        "content": [block],
        "stop_reason": "tool_use" if block["type"] == "tool_use" else "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": tokens - cached,
            "output_tokens": 7,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": cached,
        },
    }


def _error(kind: str, message: str) -> Json:
    return {"type": "error", "error": {"type": kind, "message": message}}
