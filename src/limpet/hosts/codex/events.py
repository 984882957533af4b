"""Reads Codex CLI's hook payloads as events and renders replies as its JSON (contract observed on 0.169.0).

An answer is parsed strictly: one key too many voids all of it, so each event has one shape. No answer, a late one and
a failed hook let everything go on, whatever the exit code: what denies is what is printed.
"""

from __future__ import annotations

from limpet.ground.event import AGENT, SCRIPT, SYSTEM, TYPED, UNKNOWN
from limpet.ground.formats.json_text import dumps
from limpet.hosts.codex import HOST
from limpet.hosts.payload import made_visible, payload_text_of, read_common, without_blocks
from limpet.transcripts.codex import PLANS, SYNTHETIC, find_entry, read_attribution, without_editor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from limpet.ground.event import Event, Reply

# No variable names the project: a hook is started in the conversation's working directory.
PROJECT = ""
SHOWS = True
CARRIES = ""
CONFIRMS = True
# Characters of any language that an answer may add where the hook's line has an ``additionalContextLimit`` of as many
# tokens, of four bytes each; without it 2500 tokens are let through, and the middle of the rest is cut out.
CAP = 9500

KINDS = {
    "SessionStart": "session_start",
    "UserPromptSubmit": "prompt",
    "PreToolUse": "tool_before",
    "SubagentStart": "subagent_start",
    "PreCompact": "pre_compact",
    "PostCompact": "post_compact",
    "Stop": "stop",
    "SessionEnd": "session_end",
}
# The events that are answered, in the order of a conversation, with the seconds that the host is told to give each.
# None tells that a tool failed: ``PostToolUse`` has no exit code, and does not come for what could not be run.
TIMEOUTS = {
    "SessionStart": 10,
    "UserPromptSubmit": 5,
    "PreToolUse": 5,
    "SubagentStart": 5,
    "PreCompact": 20,
    "PostCompact": 10,
    "Stop": 60,
    "SessionEnd": 3,  # the host gives no more
}
SPEAKING = ("SessionStart", "UserPromptSubmit", "PreToolUse", "SubagentStart")
# Every event of a subagent comes with its parent's conversation; of these the parent is not concerned.
OF_SUBAGENTS = ("tool_before", "subagent_start")


def read_event(name: str, payload: dict[str, Any], environment: Mapping[str, str]) -> Event:
    event = _read_event(name, payload)
    if event.kind != "prompt":
        return event
    if event.prompt.startswith(SYNTHETIC):
        return event.replace(origin=SYSTEM)
    begun = read_attribution(event.transcript, event.prompt_id)
    entry = find_entry(begun or {})
    if event.agent_id or entry is None:
        return event.replace(origin=AGENT)
    if entry:
        return event.replace(origin=SCRIPT, entry=entry)
    return event.replace(origin=UNKNOWN if begun is None or event.prompt.startswith(PLANS) else TYPED)


def _read_event(name: str, payload: dict[str, Any]) -> Event:
    """The mode for questions is left out: ``codex exec`` tells of one without questions whatever its user chose."""
    prompt = without_blocks(without_editor(payload_text_of(payload, "prompt")))
    kind, subagent = KINDS.get(name, "other"), payload_text_of(payload, "agent_id")
    kind = "other" if subagent and kind not in OF_SUBAGENTS else kind
    return read_common(kind, HOST, payload).replace(
        prompt=prompt,
        prompt_id=payload_text_of(payload, "turn_id"),
        source=payload_text_of(payload, "source", "trigger", "reason"),
        agent_id=subagent,
        agent_type=payload_text_of(payload, "agent_type") if subagent else "",
    )


def render_reply(name: str, reply: Reply) -> str:
    """Every verdict is a denial: asked to ask, the host runs the tool."""
    reply = made_visible(reply)
    said: dict[str, object] = {"systemMessage": reply.message} if reply.message else {}
    if name == "Stop":
        said |= {"decision": "block", "reason": reply.unfinished} if reply.unfinished else {}
    elif name in SPEAKING:
        added = {"additionalContext": reply.block} if reply.block else {}
        if reply.verdict and name == "PreToolUse":  # a denial without a reason would be none
            added |= {"permissionDecision": "deny", "permissionDecisionReason": reply.reason.strip() or "Refused."}
        said |= {"hookSpecificOutput": {"hookEventName": name, **added}} if added else {}
    else:
        return ""
    return dumps(said) if said else ""
