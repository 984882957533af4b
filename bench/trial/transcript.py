"""The conversation's transcript, with the fields by which Claude Code 2.1 tells who wrote a line."""

from __future__ import annotations

import json
import os
import time
import uuid
from pathlib import Path

from arm import Arm, Conversation

VERSION = "2.1.329"
MODEL = "claude-opus-5-5"
# Tokens that the client's own instructions and tools take.
FIRST_REQUEST = 14_000


def write_prompt(arm: Arm, conversation: Conversation, text: str) -> Conversation:
    """A prompt that a person typed; it is entered in the client's history too."""
    entered = {"display": text, "pastedContents": {}, "timestamp": int(time.time() * 1000)}
    history = arm.home / ".claude" / "history.jsonl"
    _append(history, {**entered, "project": str(arm.repo), "sessionId": conversation.session})
    typed = {"origin": {"kind": "human"}, "promptSource": "typed", "permissionMode": "default"}
    return _write(arm, conversation, "user", text, promptId=conversation.prompt, **typed)


def write_call(arm: Arm, conversation: Conversation, call: str, tool: str, given: dict[str, object]) -> Conversation:
    return _answer(arm, conversation, {"type": "tool_use", "id": call, "name": tool, "input": given}, "tool_use")


def write_result(
    arm: Arm, conversation: Conversation, call: str, text: str, failed: bool = False, denied: bool = False
) -> Conversation:
    """The source of the result is the line of its call, which is the one before."""
    content = [{"type": "tool_result", "tool_use_id": call, "content": text, **({"is_error": True} if failed else {})}]
    result: object = f"Error: {text}" if failed else {"stdout": text, "stderr": "", "interrupted": False}
    refused = {"decision": "reject", "source": "hook", "reasonType": "hook", "reasonCode": "hook:PreToolUse"}
    denial = {"toolDenialKind": "permission-rule", "permissionDecision": refused} if denied else {}
    about = {"toolUseResult": result, "sourceToolAssistantUUID": conversation.parent, **denial}
    return _write(arm, conversation, "user", content, promptId=conversation.prompt, **about)


def write_closing(arm: Arm, conversation: Conversation, text: str) -> Conversation:
    return _answer(arm, conversation, {"type": "text", "text": text}, "end_turn")


def write_stop_feedback(arm: Arm, conversation: Conversation, reason: str) -> Conversation:
    text = f"Stop hook feedback:\n{reason}"
    return _write(arm, conversation, "user", text, promptId=conversation.prompt, isMeta=True)


def write_context(arm: Arm, conversation: Conversation, event: str, texts: list[str]) -> Conversation:
    """What hooks added, beside the event of which it came."""
    if not texts:
        return conversation
    attachment = {"type": "hook_additional_context", "content": texts, "hookName": event, "hookEvent": event}
    return _line(arm, conversation, "attachment", "\n".join(texts), attachment=attachment)


def _answer(arm: Arm, conversation: Conversation, block: dict[str, object], reason: str) -> Conversation:
    usage = {
        "input_tokens": 12,
        "cache_creation_input_tokens": 500,
        "cache_read_input_tokens": FIRST_REQUEST + conversation.window,
        "output_tokens": len(json.dumps(block)) // 4,
    }
    name = f"msg_{uuid.uuid4().hex[:24]}"
    about = {"id": name, "type": "message", "model": MODEL, "stop_reason": reason, "usage": usage}
    return _write(arm, conversation, "assistant", [block], about)


def _write(
    arm: Arm,
    conversation: Conversation,
    role: str,
    content: object,
    about: dict[str, object] | None = None,
    **more: object,
) -> Conversation:
    message = {"role": role, "content": content, **(about or {})}
    return _line(arm, conversation, role, json.dumps(content), message=message, **more)


def _line(arm: Arm, conversation: Conversation, kind: str, held: str, **more: object) -> Conversation:
    own = str(uuid.uuid4())
    now = time.time()
    line = {
        "parentUuid": conversation.parent or None,
        "isSidechain": False,
        "type": kind,
        **more,
        "uuid": own,
        "timestamp": f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(now))}.{int(now * 1000) % 1000:03}Z",
        "userType": "external",
        "entrypoint": "cli",
        "cwd": str(arm.repo),
        "sessionId": conversation.session,
        "version": VERSION,
        "gitBranch": "trial",
    }
    _append(Path(conversation.transcript), line)
    return conversation.with_(parent=own, window=conversation.window + len(held) // 4)


def _append(path: Path, line: dict[str, object]) -> None:
    os.makedirs(path.parent, exist_ok=True)
    with path.open("a") as file:
        file.write(json.dumps(line) + "\n")
