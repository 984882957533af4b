"""One question to a model by Claude Code's own command (observed on 2.1.329).

``--safe-mode`` leaves hooks, skills, servers and CLAUDE.md out, and keeps the user's way to sign in; without tools and
with an instruction of our own the request is what we send, and little more.
"""

from __future__ import annotations

import json
from typing import Any

from limpet.ground.text.escaping import clip
from limpet.memory.extraction import Answered

PROGRAM = "claude"
VARIABLE = "LIMPET_CLAUDE"
WORDS = ("-p", "--safe-mode", "--no-session-persistence", "--output-format", "json", "--tools", "")
INPUTS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


def words(model: str, instruction: str) -> tuple[str, ...]:
    return (*WORDS, "--model", model, "--system-prompt", instruction)


def read_result(raw: bytes) -> Answered:
    try:
        found = json.loads(raw.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return Answered(problem="its output is not JSON")
    if not isinstance(found, dict):
        return Answered(problem="its output is not a JSON object")
    usage = found["usage"] if isinstance(found.get("usage"), dict) else {}
    text = found.get("result")
    failed = bool(found.get("is_error")) or not isinstance(text, str)
    return Answered(
        text="" if failed else str(text),
        problem=f"it reported an error: {clip(' '.join(str(text or 'unknown').split()), 120)}" if failed else "",
        tokens_in=sum(int(_number(usage.get(name))) for name in INPUTS),
        tokens_out=int(_number(usage.get("output_tokens"))),
        money=float(_number(found.get("total_cost_usd"))),
    )


def _number(value: Any) -> float:
    known = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < 1e12
    return value if known else 0
