"""Runs our lines as Claude Code does, event by event, and judges what they answer."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator

from holdfast.ground.workspace import Workspace
from holdfast.hosts.checks import FAIL, Check, is_answer, try_line
from holdfast.hosts.claude_code_install import STATUS_LINE, TIMEOUTS
from holdfast.hosts.claude_code_settings import SCOPES, find_hooks, read_settings, settings_path, status_line
from holdfast.hosts.command import read_command
from holdfast.hosts.traces import without_traces


def try_hooks(workspace: Workspace) -> Iterator[Check]:
    """Run every line of ours with a throw-away session, whose traces go afterwards."""
    session = f"holdfast-doctor-{secrets.token_hex(4)}"
    env = {**os.environ, "CLAUDE_PROJECT_DIR": workspace.root}
    with without_traces(workspace, session):
        for event, command, seconds in _commands(workspace.root):
            check, out = try_line(event, command, _payload(event, session, workspace.root), seconds, env)
            yield check if check.status == FAIL else _judge_answer(event, out) or check


def _commands(project: str) -> list[tuple[str, str, float]]:
    """Event, line and timeout of each different line, in the order of a conversation."""
    found: dict[tuple[str, str], float] = {}
    order = [*TIMEOUTS]
    for scope in SCOPES:
        settings = read_settings(settings_path(scope, project))
        for hook in find_hooks(settings):
            seconds = hook.timeout if isinstance(hook.timeout, (int, float)) else TIMEOUTS.get(hook.event, 10)
            found.setdefault((hook.event, hook.command), float(seconds))
        line = status_line(settings)
        if line and read_command(line["command"]):
            found.setdefault((STATUS_LINE, str(line["command"])), 10.0)
    known = sorted(found, key=lambda key: order.index(key[0]) if key[0] in order else len(order))
    return [(event, command, found[event, command]) for event, command in known]


def _payload(event: str, session: str, project: str) -> dict[str, object]:
    own: dict[str, dict[str, object]] = {
        "SessionStart": {"source": "startup"},
        "UserPromptSubmit": {"prompt": "holdfast doctor", "prompt_id": session},
        "PreCompact": {"trigger": "manual", "custom_instructions": None},
        "PostCompact": {"trigger": "manual", "compact_summary": ""},
        STATUS_LINE: {"workspace": {"current_dir": project, "project_dir": project}, "model": {"id": "doctor"}},
    }
    transcript = os.path.join(project, ".holdfast", "cache", f"{session}.jsonl")
    common = {"session_id": session, "transcript_path": transcript, "cwd": project, "hook_event_name": event}
    return {**common, **own.get(event, {})}


def _judge_answer(event: str, out: bytes) -> Check | None:
    if event == STATUS_LINE:
        return None
    if not is_answer(out):
        return Check(FAIL, f"{event} answers with something that is no JSON object", "report it with that output")
    if event == "SessionStart" and not out.strip():
        return Check(FAIL, "SessionStart answers nothing: the agent gets no rules", "see .holdfast/metrics/hook.jsonl")
    if event.endswith("Compact") and out.strip():
        return Check(FAIL, f"{event} speaks, which Claude Code shows as an error", "report it")
    return None
