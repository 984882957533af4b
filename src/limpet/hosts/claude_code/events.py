"""Reads Claude Code's hook payloads as events and renders replies as its JSON (contract observed on 2.1.329)."""

from __future__ import annotations

import os

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.event import AGENT, SCHEDULED, SCRIPT, SYSTEM, TYPED, UNKNOWN
from limpet.ground.formats.json_text import dumps, read_object
from limpet.ground.storage.files import read_text
from limpet.ground.storage.user_folders import untyped_path
from limpet.hosts.claude_code import HOST
from limpet.hosts.payload import made_visible, payload_text_of, read_common, token_count, without_blocks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from limpet.ground.event import Event, Reply

PROJECT = "CLAUDE_PROJECT_DIR"
SHOWS = True
CARRIES = ""
CONFIRMS = True
# "0" where nobody sits at the client; its name, which an SDK may set; and what an agent's shell has and no terminal.
ATTENDED, ENTRY, IN_SHELL = "CLAUDE_CODE_SESSION_ATTENDED", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_EXECPATH"
# What makes a prompt come by itself, bare; and where those for later conversations of a project are kept.
SCHEDULING, SCHEDULE = ("CronCreate", "ScheduleWakeup"), ".claude/scheduled_tasks.json"

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
# The client submits the first itself, when a background task ends; the next are what others say through it. Nobody
# types an element, but for the marks of a paste.
SYNTHETIC = ("<task-notification", "<bash-", "<system-notification", "<local-command-")
MESSAGES = ("<agent-message", "<teammate-message", "<cross-session-message", "<channel")
# What the client says of a task of the background that is over.
ENDED = ("completed", "failed", "killed", "stopped", "cancelled")
PASTED = "<pasted_content"


def is_headless(environment: Mapping[str, str]) -> bool:
    return environment.get(ATTENDED) == "0" or environment.get(ENTRY, "").startswith("sdk")


def read_event(name: str, payload: dict[str, Any], environment: Mapping[str, str]) -> Event:
    event = _read_event(name, payload)
    if event.kind in ("session_start", "prompt", "stop") or event.tool in SCHEDULING:
        event = event.replace(announced=_announced(payload, environment.get(PROJECT) or event.cwd))
    origin = _find_origin(event, environment)
    is_outer = origin == SCRIPT and not environment.get(IN_SHELL)
    return event.replace(origin=origin, entry=environment.get(ENTRY, "") if is_outer else "")


def _read_event(name: str, payload: dict[str, Any]) -> Event:
    subagent = _subagent(payload)
    kind = "other" if name == "SubagentStart" and not subagent else KINDS.get(name, "other")
    return read_common(kind, HOST, payload).replace(
        prompt=without_blocks(payload_text_of(payload, "prompt")),
        prompt_id=payload_text_of(payload, "prompt_id"),
        source=payload_text_of(payload, "source", "trigger", "reason"),
        agent_id=payload_text_of(payload, "agent_id") if subagent else "",
        agent_type=subagent,
        context_tokens=token_count(payload.get("context_tokens")),
        error=payload_text_of(payload, "error"),
        working=_has_tasks(payload.get("background_tasks")),
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


def _has_tasks(tasks: object) -> bool:
    """Whether one of the background is not over."""
    found = tasks if isinstance(tasks, list) else []
    return any(isinstance(task, dict) and task.get("status") not in ENDED for task in found)


def _find_origin(event: Event, environment: Mapping[str, str]) -> str:
    text = event.prompt.lstrip()
    if text.startswith(SYNTHETIC):
        return SYSTEM
    if is_headless(environment) or environment.get(IN_SHELL):
        return SCRIPT
    if text[:1] == "<" and text[1:2].isalpha() and not text.startswith(PASTED):
        return AGENT if text.startswith(MESSAGES) else UNKNOWN
    if not text:
        return TYPED
    from limpet.transcripts.claude_code_usage import was_scheduled

    is_known = event.prompt in event.announced
    if not is_known and os.path.isfile(untyped_path()):
        from limpet.work.untyped import is_untyped

        is_known = is_untyped(event.prompt)
    return SCHEDULED if is_known or was_scheduled(event.transcript, event.prompt) else TYPED


def _announced(payload: dict[str, Any], project: str) -> tuple[str, ...]:
    kept = read_object(read_text(os.path.join(project, SCHEDULE), STATE_BYTES)).get("tasks")
    lists = (kept, payload.get("session_crons"), [payload.get("tool_input")])
    tasks = [each for found in lists if isinstance(found, list) for each in found if isinstance(each, dict)]
    return tuple(filter(None, (payload_text_of(each, "prompt") for each in tasks)))


def _subagent(payload: dict[str, Any]) -> str:
    """A main conversation that was started with ``--agent`` has a type and no id."""
    found = payload_text_of(payload, "agent_type")
    return found if payload_text_of(payload, "agent_id") and found not in INHERITING else ""
