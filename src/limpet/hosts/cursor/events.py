"""Reads Cursor's hook payloads as events and renders replies as its JSON (documented, 2026-09; never run here).

What answers a prompt cannot come with it: the client reads no more than whether the prompt goes on. It waits for the
result of the next tool, which may add to the conversation. No answer, and any exit code but 2, let everything go on.
"""

from __future__ import annotations

import os

from limpet.ground.event import SCRIPT, SYSTEM, TYPED
from limpet.ground.formats.json_text import dumps
from limpet.hosts.cursor import HOST
from limpet.hosts.payload import (
    BLOCK,
    BLOCK_END,
    made_visible,
    payload_text_of,
    read_common,
    token_count,
    without_blocks,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from limpet.ground.event import Event, Reply

PROJECT = "CURSOR_PROJECT_DIR"
SHOWS = False
CARRIES = "later"
CONFIRMS = False
# Characters of an answer that the client cuts off: none is documented.
CAP = 9500
KINDS = {
    "sessionStart": "session_start",
    "beforeSubmitPrompt": "prompt",
    "preToolUse": "tool_before",
    "postToolUse": "tool_after",
    "postToolUseFailure": "tool_failed",
    "preCompact": "pre_compact",
    "stop": "stop",
    "sessionEnd": "session_end",
}
# The events that are answered, in the order of a conversation, with the seconds that the client is told to give each.
TIMEOUTS = {
    "sessionStart": 10,
    "beforeSubmitPrompt": 5,
    "preToolUse": 5,
    "postToolUse": 5,
    "postToolUseFailure": 5,
    "preCompact": 20,
    "stop": 60,
    "sessionEnd": 5,
}
DENIED = "permission_denied"
# The options with which its command takes a prompt without a terminal.
PRINTING = ("-p", "--print")


def read_event(name: str, payload: dict[str, Any], environment: Mapping[str, str]) -> Event:
    kind, given = KINDS.get(name, "other"), payload_text_of(payload, "prompt")
    roots = payload.get("workspace_roots")
    root = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else ""
    origin = _find_origin(kind, given, payload)
    is_denied = payload.get("failure_type") == DENIED
    event = read_common("other" if kind == "tool_failed" and is_denied else kind, HOST, payload)
    return event.replace(
        session=payload_text_of(payload, "conversation_id", "session_id"),
        cwd=_folder(payload_text_of(payload, "cwd") or root),
        prompt=without_blocks(given) if kind == "prompt" else "",
        prompt_id=payload_text_of(payload, "generation_id") if kind == "prompt" else "",
        source="startup" if kind == "session_start" else payload_text_of(payload, "trigger", "reason"),
        context_tokens=token_count(payload.get("context_tokens")),
        origin=origin,
        entry=HOST if origin == SCRIPT else "",
        error=payload_text_of(payload, "error_message") if kind == "tool_failed" else "",
        continuing=isinstance(payload.get("loop_count"), int) and payload.get("loop_count") != 0,
    )


def render_reply(name: str, reply: Reply) -> str:
    kind, reply = KINDS.get(name), made_visible(reply)
    answer: dict[str, object] = {}
    if kind in ("session_start", "tool_after") and reply.block:
        answer = {"additional_context": reply.block}
    elif kind == "tool_before" and reply.verdict:  # of a question the client takes no notice
        answer = {"permission": "deny", "user_message": reply.reason, "agent_message": reply.reason}
    elif kind == "stop" and reply.unfinished:
        # The agent gets it as a prompt, for which the prompt's event comes again: as a block it is known for ours.
        answer = {"followup_message": f"{BLOCK}>\n{reply.unfinished}\n{BLOCK_END}"}
    elif kind == "pre_compact" and reply.message:
        answer = {"user_message": reply.message}
    return dumps(answer) if answer else ""


def _find_origin(kind: str, given: str, payload: Mapping[str, object]) -> str:
    if payload.get("is_background_agent") is True:
        return SCRIPT
    if kind not in ("session_start", "prompt"):
        return TYPED
    from limpet.hosts.surroundings import is_printing

    if given and not without_blocks(given).strip():
        return SYSTEM
    return SCRIPT if is_printing(HOST, PRINTING) else TYPED


def _folder(path: str) -> str:
    """On Windows the client writes ``/c:/x``."""
    return path[1:] if os.name == "nt" and path[2:3] == ":" else path
