"""The client's hooks, fired as Claude Code 2.1 fires them, and the processes that they leave."""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
from collections.abc import Iterator
from pathlib import Path

from arm import MARK, Arm, Conversation, environment

SETTINGS = (".claude/settings.json", ".claude/settings.local.json")
LOG = "hooks.log"
# Events whose payload has no permission mode, and what a matcher is held against.
BARE = ("SessionStart", "SessionEnd")
MATCHED = ("tool_name", "source", "reason")


def fire(arm: Arm, conversation: Conversation, event: str, **given: object) -> list[dict[str, object]]:
    """The replies of the hooks of this event; what is no JSON is context, as the client takes it."""
    payload: dict[str, object] = {
        "session_id": conversation.session,
        "transcript_path": conversation.transcript,
        "cwd": str(arm.repo),
        **({"prompt_id": conversation.prompt} if conversation.prompt else {}),
        **({} if event in BARE else {"permission_mode": "default"}),
        "hook_event_name": event,
        **given,
    }
    variables = {"CLAUDE_PROJECT_DIR": str(arm.repo), MARK: str(arm.folder)}
    around = environment(arm, conversation.session, **variables)
    replies = []
    for command, timeout in _commands(arm, event, payload):
        try:
            done = subprocess.run(
                command,
                shell=True,
                cwd=arm.repo,
                input=json.dumps(payload).encode(),
                capture_output=True,
                env=around,
                timeout=timeout,
            )
        except subprocess.TimeoutExpired:
            replies.append({"late": command})
            continue
        said = done.stdout.decode().strip()
        if said:
            replies.append(_reply(said))
    _log(arm, conversation.number, event, given, replies)
    return replies


def contexts(replies: list[dict[str, object]]) -> list[str]:
    """What the agent is shown of the replies."""
    found = [_specific(reply).get("additionalContext") or reply.get("context") for reply in replies]
    return [str(each) for each in found if each]


def refusal(replies: list[dict[str, object]]) -> tuple[str, str] | None:
    """How and why a tool call is refused."""
    for reply in replies:
        decision = _specific(reply).get("permissionDecision")
        if decision in ("deny", "ask"):
            return str(decision), str(_specific(reply).get("permissionDecisionReason", ""))
    return None


def blocked_stop(replies: list[dict[str, object]]) -> str | None:
    """Why the agent may not stop yet."""
    reasons = [str(reply.get("reason", "")) for reply in replies if reply.get("decision") == "block"]
    return "\n".join(reasons) if reasons else None


def messages(replies: list[dict[str, object]]) -> list[str]:
    """What the person is shown."""
    return [str(reply["systemMessage"]) for reply in replies if reply.get("systemMessage")]


def wait_for_jobs(arm: Arm) -> None:
    """Return when no process is left that a hook of this arm started, nor one that such a process started."""
    while running := [process for process in map(_open, _marked(arm)) if process is not None]:
        for process in running:
            select.select([process], [], [])
            os.close(process)


def _commands(arm: Arm, event: str, payload: dict[str, object]) -> Iterator[tuple[str, float]]:
    subject = str(next((payload[key] for key in MATCHED if key in payload), ""))
    for name in SETTINGS:
        path = arm.repo / name
        hooks = json.loads(path.read_text()).get("hooks", {}) if path.exists() else {}
        for group in hooks.get(event, []):
            matcher = group.get("matcher", "")
            if matcher in ("", "*") or re.fullmatch(matcher, subject):
                yield from ((hook["command"], hook.get("timeout", 60)) for hook in group["hooks"])


def _reply(said: str) -> dict[str, object]:
    try:
        found = json.loads(said)
    except ValueError:
        return {"context": said}
    return found if isinstance(found, dict) else {"context": said}


def _specific(reply: dict[str, object]) -> dict[str, object]:
    found = reply.get("hookSpecificOutput")
    return found if isinstance(found, dict) else {}


def _log(arm: Arm, number: int, event: str, given: dict[str, object], replies: list[dict[str, object]]) -> None:
    with (arm.folder / LOG).open("a") as file:
        line = {"conversation": number, "event": event, "given": given, "replies": replies}
        file.write(json.dumps(line) + "\n")


def _marked(arm: Arm) -> Iterator[int]:
    mark = f"{MARK}={arm.folder}".encode()
    for each in Path("/proc").iterdir():
        try:
            if each.name.isdecimal() and mark in (each / "environ").read_bytes().split(b"\0"):
                yield int(each.name)
        except OSError:  # it ended, or is not ours
            continue


def _open(process: int) -> int | None:
    try:
        return os.pidfd_open(process)
    except ProcessLookupError:
        return None
