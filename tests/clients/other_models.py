"""The fake model in two other tongues, for Codex and Gemini CLI: the Responses API and generateContent, as far as these
two need it. Separate, because what is answered is `answers`' matter."""

from __future__ import annotations

import json
from collections.abc import Callable

from .directives import Json

Stream = Callable[[Json], bytes]


def translate(path: str, body: Json) -> tuple[Json, Stream] | None:
    """A request in the form of the Messages API, and what makes its stream of our answer; None for that API itself."""
    address = path.partition("?")[0]
    if address.endswith("/responses"):
        return {**body, "messages": list(map(_from_item, body.get("input", [])))}, _stream_responses
    if address.endswith(":streamGenerateContent"):
        return {**body, "messages": list(map(_from_content, body.get("contents", [])))}, _stream_contents
    return None


def _from_item(item: Json) -> Json:
    if str(item.get("type")).endswith("call_output"):
        return {"role": "user", "content": [{"type": "tool_result"}]}
    return {"role": item.get("role", "assistant"), "content": _texts(item.get("content"))}


def _from_content(content: Json) -> Json:
    parts = content["parts"]
    results = [{"type": "tool_result"} for part in parts if "functionResponse" in part]
    return {"role": content.get("role"), "content": [*results, *_texts(parts)]}


def _texts(parts: object) -> list[Json]:
    found = [part["text"] for part in parts if part.get("text")] if isinstance(parts, list) else [str(parts or "")]
    return [{"type": "text", "text": text} for text in found]


def _stream_responses(message: Json) -> bytes:
    (block,) = message["content"]
    if block["type"] == "tool_use":
        call = {"call_id": block["id"], "name": block["name"], "arguments": json.dumps(block["input"])}
        item = {"type": "function_call", "id": f"fc_{block['id']}", "status": "completed", **call}
    else:
        said = [{"type": "output_text", "text": block["text"], "annotations": []}]
        item = {"type": "message", "id": message["id"], "role": "assistant", "status": "completed", "content": said}
    used = message["usage"]
    usage = {**used, "total_tokens": used["input_tokens"] + used["output_tokens"]}
    response = {"id": message["id"], "object": "response", "status": "completed", "output": [item], "usage": usage}
    events: list[tuple[str, Json]] = [
        ("response.created", {"response": {**response, "status": "in_progress", "output": [], "usage": None}}),
        ("response.output_item.added", {"output_index": 0, "item": item}),
        ("response.output_item.done", {"output_index": 0, "item": item}),
        ("response.completed", {"response": response}),
    ]
    return "".join(f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n" for name, data in events).encode()


def _stream_contents(message: Json) -> bytes:
    (block,) = message["content"]
    call = {"functionCall": {"name": block["name"], "args": block["input"]}} if block["type"] == "tool_use" else block
    content = {"role": "model", "parts": [{key: value for key, value in call.items() if key != "type"}]}
    tokens = message["usage"]["input_tokens"]
    usage = {"promptTokenCount": tokens, "candidatesTokenCount": 7, "totalTokenCount": tokens + 7}
    answer = {"candidates": [{"content": content, "finishReason": "STOP", "index": 0}], "usageMetadata": usage}
    return f"data: {json.dumps(answer)}\r\n\r\n".encode()
