"""Reads Antigravity's hook payloads as events and renders replies as its JSON (contract of the guide that comes
with the client, ``agy-customizations/docs/hooks.md``, 2026-09; never run here).

No event brings a prompt: it is the newest line of the transcript that a person entered. What is added before a call of
the model leaves the window with it, so that the same is added before each call of the turn, and all of it in each turn.
Of a tool call an empty answer is a denial, so the hook's line answers where the hook does not.
"""

from __future__ import annotations

from limpet.ground.event import SCRIPT, SYSTEM, TYPED, Event
from limpet.ground.formats.json_text import dumps
from limpet.hosts.antigravity import HOST
from limpet.hosts.payload import BLOCK, BLOCK_END, made_visible, payload_text_of, without_blocks
from limpet.transcripts.antigravity import last_entered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from limpet.ground.event import Reply

# No variable names the project: a hook is started in the folder of its settings file.
PROJECT = ""
SHOWS = False
CARRIES = "again"
CONFIRMS = True
# Characters of an answer that the client cuts off: none is documented.
CAP = 9500
KINDS = {"PreInvocation": "prompt", "PreToolUse": "tool_before", "Stop": "stop"}
# The events that are answered, in the order of a conversation, with the seconds that the client is told to give each.
TIMEOUTS = {"PreInvocation": 5, "PreToolUse": 5, "Stop": 60}
# How a prompt is called that the transcript does not have yet.
UNREAD = "unread"
# The options with which its command takes a prompt without a terminal.
PRINTING = ("-p", "--print", "--prompt")
ANSWERS = {"deny": "deny", "ask": "force_ask"}


def read_event(name: str, payload: dict[str, Any], environment: Mapping[str, str]) -> Event:
    kind, roots, call = KINDS.get(name, "other"), payload.get("workspacePaths"), payload.get("toolCall")
    called = call if isinstance(call, dict) else {}
    given, path = called.get("args"), payload_text_of(payload, "transcriptPath")
    step, entered = last_entered(path) if kind == "prompt" and path else (-1, "")
    origin = _find_origin(entered) if kind == "prompt" else TYPED
    turns = payload.get("executionNum")
    return Event(
        kind=kind,
        host=HOST,
        session=payload_text_of(payload, "conversationId"),
        cwd=roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else "",
        prompt=without_blocks(entered),
        prompt_id=f"step {step}" if entered else UNREAD if kind == "prompt" else "",
        transcript=path,
        model=payload_text_of(payload, "modelName").removeprefix("auto"),
        origin=origin,
        entry=HOST if origin == SCRIPT else "",
        tool=payload_text_of(called, "name"),
        tool_input=given if isinstance(given, dict) else None,
        continuing=isinstance(turns, int) and turns > 1,
    )


def render_reply(name: str, reply: Reply) -> str:
    kind, reply = KINDS.get(name), made_visible(reply)
    answer: dict[str, object] = {}
    if kind == "prompt" and reply.block:
        answer = {"injectSteps": [{"ephemeralMessage": reply.block}]}
    elif kind == "tool_before" and reply.verdict:
        answer = {"decision": ANSWERS.get(reply.verdict, "ask"), "reason": reply.reason}
    elif kind == "stop" and reply.unfinished:
        answer = {"decision": "continue", "reason": f"{BLOCK}>\n{reply.unfinished}\n{BLOCK_END}"}
    return dumps(answer) if answer else ""


def _find_origin(entered: str) -> str:
    from limpet.hosts.surroundings import is_printing

    if entered and not without_blocks(entered).strip():
        return SYSTEM
    return SCRIPT if is_printing(HOST, PRINTING) else TYPED
