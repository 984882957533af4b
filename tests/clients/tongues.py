"""The fake model in two other tongues, for Codex and Gemini CLI: the Responses API and generateContent, as far as these
two need it. Separate, because what is answered is `answers`' matter."""

from __future__ import annotations

import json
from collections.abc import Callable

from .directives import Json

Render = Callable[[Json], tuple[str, bytes]]
"""From our answer to the kind and the bytes of theirs."""

_STREAM = "text/event-stream"


def translate(path: str, body: Json) -> tuple[Json, Render] | None:
    """A request in the form of the Messages API, and what makes its answer of ours; None for that API itself."""
    address = path.partition("?")[0]
    rest = {key: value for key, value in body.items() if key not in ("input", "contents", "systemInstruction")}
    if address.endswith("/responses"):
        rest["messages"] = [_from_item(item) for item in body.get("input", [])]
        return rest, lambda message: (_STREAM, _stream_responses(message, _free_form(body)))
    if address.endswith((":streamGenerateContent", ":generateContent")):
        rest["system"] = _texts((body.get("systemInstruction") or {}).get("parts"))
        rest["messages"] = [_from_content(content) for content in body.get("contents", [])]
        streamed = address.endswith(":streamGenerateContent")
        return rest, lambda message: _stream(message) if streamed else ("application/json", _content(message))
    return None


def _from_item(item: Json) -> Json:
    kind = str(item.get("type", "message"))
    if kind == "message":
        return {"role": item["role"], "content": _texts(item.get("content"))}
    if kind.endswith("call_output"):
        return {"role": "user", "content": [_result(item.get("call_id"), item.get("output"))]}
    if kind.endswith("tool_call") or kind == "function_call":
        given = item.get("arguments", item.get("input"))
        return {"role": "assistant", "content": [_use(item.get("call_id"), item.get("name", kind), given)]}
    return {"role": item.get("role", "assistant"), "content": _texts(json.dumps(item))}


def _from_content(content: Json) -> Json:
    found = []
    for part in content["parts"]:
        if call := part.get("functionCall"):
            found.append(_use(call.get("id"), call["name"], call.get("args")))
        elif answer := part.get("functionResponse"):
            found.append(_result(answer.get("id"), answer["response"]))
        else:
            found += _texts([part])
    return {"role": "assistant" if content.get("role") == "model" else "user", "content": found}


def _use(id: object, name: str, given: object) -> Json:
    return {"type": "tool_use", "id": id, "name": name, "input": given}


def _result(id: object, said: object) -> Json:
    return {"type": "tool_result", "tool_use_id": id, "content": said if isinstance(said, str) else json.dumps(said)}


def _texts(parts: object) -> list[Json]:
    found = [part["text"] for part in parts if part.get("text")] if isinstance(parts, list) else [str(parts or "")]
    return [{"type": "text", "text": text} for text in found]


def _free_form(body: Json) -> set[str]:
    """The tools that take a text in place of JSON, such as `apply_patch`."""
    return {tool["name"] for tool in body.get("tools", []) if tool.get("type") == "custom"}


def _stream_responses(message: Json, free_form: set[str]) -> bytes:
    (block,) = message["content"]
    if block["type"] == "tool_use":
        free = block["name"] in free_form
        given = {"input": block["input"]["input"]} if free else {"arguments": json.dumps(block["input"])}
        space, _, name = block["name"].rpartition("__")  # Codex has a server's tools in a space of their own
        call = {"call_id": block["id"], "name": name, **given, **({"namespace": space} if space else {})}
        kind = "custom_tool_call" if free else "function_call"
        item = {"type": kind, "id": f"fc_{block['id']}", "status": "completed", **call}
    else:
        said = [{"type": "output_text", "text": block["text"], "annotations": []}]
        item = {"type": "message", "id": message["id"], "role": "assistant", "status": "completed", "content": said}
    used = message["usage"]
    cached = used.get("cache_read_input_tokens", 0)
    asked = used["input_tokens"] + cached
    details = {"input_tokens_details": {"cached_tokens": cached}}
    usage = {**used, "input_tokens": asked, **details, "total_tokens": asked + used["output_tokens"]}
    response = {"id": message["id"], "object": "response", "status": "completed", "output": [item], "usage": usage}
    events: list[tuple[str, Json]] = [
        ("response.created", {"response": {**response, "status": "in_progress", "output": [], "usage": None}}),
        ("response.output_item.added", {"output_index": 0, "item": item}),
        ("response.output_item.done", {"output_index": 0, "item": item}),
        ("response.completed", {"response": response}),
    ]
    return "".join(f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n" for name, data in events).encode()


def _stream(message: Json) -> tuple[str, bytes]:
    return _STREAM, b"data: " + _content(message) + b"\r\n\r\n"


def _content(message: Json) -> bytes:
    (block,) = message["content"]
    call = {"functionCall": {"name": block["name"], "args": block["input"]}} if block["type"] == "tool_use" else block
    content = {"role": "model", "parts": [{key: value for key, value in call.items() if key != "type"}]}
    cached = message["usage"].get("cache_read_input_tokens", 0)
    tokens = message["usage"]["input_tokens"] + cached
    usage = {"promptTokenCount": tokens, "candidatesTokenCount": 7, "totalTokenCount": tokens + 7}
    usage |= {"cachedContentTokenCount": cached} if cached else {}
    answer = {"candidates": [{"content": content, "finishReason": "STOP", "index": 0}], "usageMetadata": usage}
    return json.dumps(answer).encode()
