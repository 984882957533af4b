"""What the text that the user typed asks of the fake model: separate, because tests are written in this small language.

    [[tool:NAME {json input}]]   call this tool; several are called one after the other, then comes plain text
    [[say:TEXT]]                 answer with this text
    [[usage:N]]                  report N input tokens (else a quarter of the request's characters)
    [[cached:N]]                 report N of them as read from the cache
    [[sleep:SECONDS]]            wait before answering
    [[fail:STATUS]]              answer with this HTTP status

Directives hold for one prompt and for all requests that it leads to.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]

_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)
_DIRECTIVE = re.compile(r"\[\[(tool|say|usage|cached|sleep|fail):\s*")
_NUMBER = re.compile(r"(\d+(?:\.\d+)?)\s*\]\]")
_SAID = re.compile(r"(.*?)\s*\]\]", re.DOTALL)
_TOOL_NAME = re.compile(r"([\w-]+)\s*")
_END = re.compile(r"\s*\]\]")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True)
class ToolCall:
    """A tool that the fake shall call, with its input."""

    name: str
    input: Json


@dataclass(frozen=True)
class Directives:
    """What the user's text asks of the fake; a None means that it asks nothing of the kind."""

    tools: tuple[ToolCall, ...] = ()
    say: str | None = None
    usage: int | None = None
    sleep: float | None = None
    fail: int | None = None
    cached: int = 0


def read_request(body: Json) -> tuple[Directives, int]:
    """What the newest typed text asks for, and how many tool results have come since.

    Raises ValueError when a directive is malformed.
    """
    results = 0
    for message in reversed(body.get("messages") or []):
        if message.get("role") != "user":
            continue
        content = message.get("content")
        found = sum(block.get("type") == "tool_result" for block in content) if isinstance(content, list) else 0
        typed = _REMINDER.sub("", text_of(content)).strip()
        if typed and not found:
            return parse_directives(typed), results
        results += found
    return Directives(), results


def parse_directives(text: str) -> Directives:
    """The directives of a text; those inside a tool's input belong to that input. Raises ValueError."""
    tools: list[ToolCall] = []
    numbers: dict[str, float] = {}
    said: str | None = None
    position = 0
    while opening := _DIRECTIVE.search(text, position):
        if opening[1] == "tool":
            call, position = _read_tool(text, opening.end())
            tools.append(call)
        elif opening[1] == "say":
            words = _SAID.match(text, opening.end())
            if not words:
                raise ValueError(f"malformed directive: {text[opening.start() :][:80]}")
            said, position = words[1], words.end()
        else:
            number = _NUMBER.match(text, opening.end())
            if not number:
                raise ValueError(f"malformed directive: {text[opening.start() :][:80]}")
            numbers[opening[1]], position = float(number[1]), number.end()
    usage, sleep, fail = (numbers.get(name) for name in ("usage", "sleep", "fail"))
    cached = int(numbers.get("cached", 0))
    return Directives(tuple(tools), said, int(usage) if usage else None, sleep, int(fail) if fail else None, cached)


def text_of(content: object) -> str:
    """The text of a message's content: a string, or a list of blocks of which the text blocks count."""
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    return "\n".join(block["text"] for block in blocks if block.get("type") == "text")


def _read_tool(text: str, position: int) -> tuple[ToolCall, int]:
    name = _TOOL_NAME.match(text, position)
    try:
        if not name:
            raise ValueError("no name")
        value, end = ({}, name.end()) if _END.match(text, name.end()) else _DECODER.raw_decode(text, name.end())
        closing = _END.match(text, end)
        if not closing:
            raise ValueError("no ]] after the input")
    except ValueError as problem:
        raise ValueError(f"malformed directive: tool:{text[position:][:80]} ({problem})") from problem
    return ToolCall(name[1], value), closing.end()
