"""Reads Claude Code's hook payloads as events and renders replies as its JSON (contract observed on 2.1.329)."""

from __future__ import annotations

from limpet.ground.event import Event
from limpet.ground.formats.json_text import dumps
from limpet.hosts.claude_code import HOST
from limpet.hosts.payload import made_visible, payload_text_of, without_blocks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from limpet.ground.event import Reply

PROJECT = "CLAUDE_PROJECT_DIR"
ATTENDED = "CLAUDE_CODE_SESSION_ATTENDED"

KINDS = {
    "SessionStart": "session_start",
    "UserPromptSubmit": "prompt",
    "PreCompact": "pre_compact",
    "PostCompact": "post_compact",
    "SessionEnd": "session_end",
    "Stop": "stop",
    "SubagentStart": "subagent_start",
    "SubagentStop": "subagent_stop",
    "PreToolUse": "tool_before",
    "PostToolUse": "tool_after",
    "PostToolUseFailure": "tool_failed",
    "ConfigChange": "config_changed",
}
# The events that are answered, in the order of a conversation, with the seconds that the host is told to give each.
# A compaction waits long, because what is not kept before it is lost; the end of a turn longest, as checks run there.
TIMEOUTS = {
    "SessionStart": 10,
    "UserPromptSubmit": 5,
    "PreToolUse": 5,
    "PostToolUseFailure": 5,
    "SubagentStart": 5,
    "PreCompact": 20,
    "PostCompact": 10,
    "Stop": 60,
    "SessionEnd": 5,
    "ConfigChange": 5,
}
# Claude Code shows additional context on any other event as an error.
SPEAKING = ("SessionStart", "UserPromptSubmit", "SubagentStart")
# These may have a message for the person.
SHOWING = ("PostToolUseFailure", "Stop")
# The types of subagents that count as the main conversation: a fork begins with all that it was sent, and "" is the one
# that ``/compact`` raises.
INHERITING = ("fork", "")
# The client submits these itself when a background task ends; nobody typed them.
SYNTHETIC = ("<task-notification>", "<bash-notification>", "<system-notification>")


def is_headless(event: Event, environment: Mapping[str, str]) -> bool:
    return environment.get(ATTENDED) != "1" or environment.get("CLAUDE_CODE_ENTRYPOINT", "").startswith("sdk")


def read_event(name: str, payload: dict[str, Any]) -> Event:
    prompt = without_blocks(payload_text_of(payload, "prompt"))
    tokens = payload.get("context_tokens")
    tool_input = payload.get("tool_input")
    subagent = _subagent(payload)
    return Event(
        kind="other" if name == "SubagentStart" and not subagent else KINDS.get(name, "other"),
        host=HOST,
        session=payload_text_of(payload, "session_id"),
        cwd=payload_text_of(payload, "cwd"),
        prompt=prompt,
        prompt_id=payload_text_of(payload, "prompt_id"),
        transcript=payload_text_of(payload, "transcript_path"),
        source=payload_text_of(payload, "source", "trigger", "reason"),
        model=payload_text_of(payload, "model"),
        agent_id=payload_text_of(payload, "agent_id") if subagent else "",
        agent_type=subagent,
        context_tokens=tokens if isinstance(tokens, int) and not isinstance(tokens, bool) and tokens > 0 else None,
        synthetic=prompt.lstrip().startswith(SYNTHETIC),
        tool=payload_text_of(payload, "tool_name"),
        tool_input=tool_input if isinstance(tool_input, dict) else None,
        tool_use_id=payload_text_of(payload, "tool_use_id"),
        error=payload_text_of(payload, "error"),
        continuing=payload.get("stop_hook_active") is True,
        host_mode=payload_text_of(payload, "permission_mode"),
    )


def render_reply(name: str, reply: Reply) -> str:
    """Any other event's answer would be shown to the person as raw JSON (2.1.329)."""
    reply = made_visible(reply)
    if name == "Stop" and reply.unfinished:
        shown = {"systemMessage": reply.message} if reply.message else {}
        return dumps({**shown, "decision": "block", "reason": reply.unfinished})
    if name == "ConfigChange" and reply.verdict:
        return dumps({"decision": "block", "reason": reply.reason})
    if KINDS.get(name) == "tool_before":
        return _render_tool(name, reply)
    block = reply.block if name in SPEAKING else ""
    if name not in (*SPEAKING, *SHOWING) or not (block or reply.message):
        return ""
    added = {"hookSpecificOutput": {"hookEventName": name, "additionalContext": block}} if block else {}
    return dumps({**({"systemMessage": reply.message} if reply.message else {}), **added})


def _render_tool(name: str, reply: Reply) -> str:
    said = {"permissionDecision": reply.verdict, "permissionDecisionReason": reply.reason} if reply.verdict else {}
    added = {"additionalContext": reply.block} if reply.block else {}
    told = {"systemMessage": reply.message} if reply.message else {}
    answer = {"hookSpecificOutput": {"hookEventName": name, **said, **added}} if said or added else {}
    return dumps({**told, **answer}) if told or answer else ""


def _subagent(payload: dict[str, Any]) -> str:
    """A main conversation that was started with ``--agent`` has a type and no id."""
    found = payload_text_of(payload, "agent_type")
    return found if payload_text_of(payload, "agent_id") and found not in INHERITING else ""
