"""What one run of a client came to, as values: separate, because tests read these and nothing else."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from .directives import Json
from .fake_model import Exchange


@dataclass(frozen=True)
class Turn:
    """One prompt (None: the client's own turn) with the client's `result` event and what the model was sent."""

    prompt: str | None
    result: Json
    exchanges: tuple[Exchange, ...]

    @property
    def requests(self) -> list[Json]:
        """The bodies that the main conversation sent to the model in this turn."""
        return _bodies(self.exchanges, "main")


@dataclass(frozen=True)
class Conversation:
    """All that one process of the client did.

    `session_id` is the session it ended in. `events` are the JSON lines of its standard output (with a
    `hook_response` for each hook that ran), `status` is the exit status, `stderr` and `debug` are its error output
    and its debug log. `transcript` is the path of its transcript, of which there is none when nothing was kept.
    """

    session_id: str
    turns: tuple[Turn, ...]
    exchanges: tuple[Exchange, ...]
    events: tuple[Json, ...]
    status: int
    stderr: str
    debug: str
    transcript: Path

    @property
    def requests(self) -> list[Json]:
        """The bodies that the main conversation sent to the model, oldest first."""
        return _bodies(self.exchanges, "main")

    @property
    def summary_requests(self) -> list[Json]:
        """The bodies of the requests for a summary: one for each compaction that was tried."""
        return _bodies(self.exchanges, "summary")

    @property
    def subagent_requests(self) -> list[Json]:
        """The bodies that subagents sent to the model."""
        return _bodies(self.exchanges, "subagent")

    @property
    def result(self) -> Json:
        """The `result` event of the last turn."""
        return self.turns[-1].result

    def hooks(self, event: str) -> list[Json]:
        """The `hook_response` of each hook that ran for an event: stdout, stderr, exit_code, outcome."""
        responses = (each for each in self.events if each.get("subtype") == "hook_response")
        return [each for each in responses if each["hook_event"] == event]

    def statuses(self, event: str) -> list[int]:
        """The exit status of each hook that ran to its end, of any event, as the debug log tells: of some (PreCompact,
        PostCompact, SessionEnd) there is no `hook_response`. One that the client killed has none."""
        ended = re.compile(rf"\[DEBUG\] (?:Hooks: )?{event}(?::\S+)? \[.*\] (?:completed|finished) with status (\d+)")
        return [int(status) for status in ended.findall(self.debug)]

    def transcript_lines(self) -> list[Json]:
        """The transcript as the client left it."""
        text = self.transcript.read_text(encoding="utf-8")
        return [json.loads(line) for line in text.split("\n") if line]


def texts(request: Json) -> str:
    """All text of a request, system prompt and messages, wherever the client put it; what Gemini CLI escapes of a
    hook's words as it was."""
    messages = request.get("messages") or []
    found = "\n".join(_strings([request.get("system"), [message.get("content") for message in messages]]))
    return re.sub(r"<hook_context>.*?</hook_context>", lambda each: html.unescape(each[0]), found, flags=re.DOTALL)


def count(request: Json, needle: str) -> int:
    """How often a text stands in a request, see `texts`."""
    return texts(request).count(needle)


@dataclass(frozen=True)
class Said:
    """One thing that a request tells the model: `role` is system, developer, user, assistant or tool."""

    role: str
    text: str


def said(request: Json) -> tuple[Said, ...]:
    """All that a request tells the model, in order; what tools answered and which were called among it."""
    system = [Said("system", text) for text in _strings(request.get("system"))]
    return (*system, *(each for message in request.get("messages") or [] for each in _said(message)))


def _said(message: Json) -> Iterator[Said]:
    content, role = message["content"], message["role"]
    for block in [content] if isinstance(content, str) else content:
        if isinstance(block, str):
            yield Said(role, block)
        elif block["type"] == "tool_use":
            yield Said(role, json.dumps([block["name"], block["input"]]))
        elif block["type"] == "tool_result":
            yield Said("tool", "\n".join(_strings(block.get("content"))))
        else:
            yield Said(role, block.get("text") or json.dumps(block))


def _bodies(exchanges: Iterable[Exchange], kind: str) -> list[Json]:
    return [exchange.body for exchange in exchanges if exchange.kind == kind]


def _strings(value: object) -> Iterator[str]:
    """Strings, and those in text blocks and tool results, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)
    elif isinstance(value, dict):
        yield from _strings([value.get("text"), value.get("content")])
