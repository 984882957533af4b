"""Reads the hook payloads of VS Code's chat as events and renders replies as its JSON (documented 2026-07, Preview;
never run here).

The page gives a prompt's reply no text for the model; the client's source reads ``additionalContext`` there too. Exit
code 2 blocks, any other is a warning. The client parses matchers and heeds none, so each tool call comes.
"""

from __future__ import annotations

from limpet.ground.event import AGENT, SYSTEM, TYPED
from limpet.ground.formats.json_text import dumps
from limpet.hosts.payload import BLOCK, BLOCK_END, made_visible, payload_text_of, read_common, without_blocks
from limpet.hosts.vscode import HOST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from limpet.ground.event import Event, Reply

# No variable names the project: a hook is started in the workspace's folder.
PROJECT = ""
SHOWS = True
CARRIES = ""
CONFIRMS = False
# Characters of an answer that the client cuts off: none is documented.
CAP = 9500
KINDS = {
    "SessionStart": "session_start",
    "UserPromptSubmit": "prompt",
    "PreToolUse": "tool_before",
    "SubagentStart": "subagent_start",
    "PreCompact": "pre_compact",
    "Stop": "stop",
}
# The events that are answered, in the order of a conversation, with the seconds that the client is told to give each.
TIMEOUTS = {
    "SessionStart": 10,
    "UserPromptSubmit": 5,
    "PreToolUse": 5,
    "SubagentStart": 5,
    "PreCompact": 20,
    "Stop": 60,
}


def read_event(name: str, payload: dict[str, Any], environment: Mapping[str, str]) -> Event:
    """The page writes some fields in one way and some in the other; each counts in both."""
    kind, given = KINDS.get(name, "other"), payload_text_of(payload, "prompt")
    subagent = payload_text_of(payload, "agent_id", "agentId")
    return read_common(kind, HOST, payload).replace(
        prompt=without_blocks(given) if kind == "prompt" else "",
        source="startup" if kind == "session_start" else payload_text_of(payload, "trigger"),
        origin=_find_origin(given, subagent),
        agent_id=subagent,
        agent_type=payload_text_of(payload, "agent_type", "agentType") if subagent else "",
    )


def render_reply(name: str, reply: Reply) -> str:
    kind, reply = KINDS.get(name), made_visible(reply)
    answer: dict[str, object] = {"systemMessage": reply.message} if reply.message and kind else {}
    added: dict[str, object] = {}
    if kind == "tool_before" and reply.verdict:
        added = {"permissionDecision": reply.verdict, "permissionDecisionReason": reply.reason}
    elif kind == "stop" and reply.unfinished:
        # As a block it is known for ours, if it comes back as a prompt.
        added = {"decision": "block", "reason": f"{BLOCK}>\n{reply.unfinished}\n{BLOCK_END}"}
    if reply.block and kind in ("session_start", "prompt", "tool_before", "subagent_start"):
        added["additionalContext"] = reply.block
    if added:
        answer["hookSpecificOutput"] = {"hookEventName": name, **added}
    return dumps(answer) if answer else ""


def is_ours(payload: Mapping[str, object]) -> bool:
    """Return whether VS Code sent a payload: it spells the event's name as no other client does that runs lines of
    ours. What only looks like one of its own would count as typed."""
    return "timestamp" in payload and "hookEventName" in payload and "hook_event_name" not in payload


def _find_origin(given: str, subagent: str) -> str:
    if subagent:
        return AGENT
    return SYSTEM if given and not without_blocks(given).strip() else TYPED
