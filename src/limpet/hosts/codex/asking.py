"""One question to a model by Codex CLI's own command (observed on 0.169.0).

The user's settings are left out, with their servers and hooks, but also with a provider of their own; how they signed
in is kept. Their ``AGENTS.md`` for all projects comes along: nothing leaves it out. No command can be run.
"""

from __future__ import annotations

import json

from limpet.ground.formats.json_text import read_object
from limpet.ground.text.escaping import clip
from limpet.memory.extraction import Answered
from limpet.transcripts.messages import mapping_of, text_of

PROGRAM = "codex"
VARIABLE = "LIMPET_CODEX"
WORDS = (
    *("exec", "--json", "--ephemeral", "--skip-git-repo-check", "--ignore-user-config", "--ignore-rules"),
    *("--sandbox", "read-only", "--disable", "hooks", "--disable", "shell_tool", "--disable", "plugins"),
    *("--disable", "apps", "-c", 'web_search="disabled"', "-c", "skills.include_instructions=false"),
    *("-c", "include_permissions_instructions=false", "-c", "include_environment_context=false"),
)


def words(model: str, instruction: str) -> tuple[str, ...]:
    told = json.dumps(instruction, ensure_ascii=False).replace("\x7f", "\\u007f")  # as TOML, which knows no surrogates
    return (*WORDS, "-m", model, "-c", f"developer_instructions={told}", "-")


def read_result(raw: bytes) -> Answered:
    """Codex tells no price."""
    found = Answered(problem="it printed no answer")
    for line in raw.splitlines():
        event = read_object(line)
        kind, item, usage = event.get("type"), mapping_of(event.get("item")), mapping_of(event.get("usage"))
        if kind == "item.completed" and item.get("type") == "agent_message":
            found = found.replace(text=text_of(item, "text"), problem="")
        elif kind == "turn.failed":
            told = text_of(mapping_of(event.get("error")), "message") or "unknown"
            return Answered(problem=f"it reported an error: {clip(' '.join(told.split()), 120)}")
        elif kind == "turn.completed":
            tokens = [_count(usage.get(name)) for name in ("input_tokens", "output_tokens")]
            found = found.replace(tokens_in=tokens[0], tokens_out=tokens[1])
    return found


def _count(told: object) -> int:
    return told if isinstance(told, int) and 0 <= told < 1e12 else 0
