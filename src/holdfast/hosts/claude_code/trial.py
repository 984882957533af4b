"""Runs our hook lines as Claude Code does, event by event, and checks their answers."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator

from holdfast.ground.workspace import Workspace
from holdfast.hosts.claude_code.events import TIMEOUTS
from holdfast.hosts.claude_code.settings import SCOPES, Hook, find_hooks, read_settings, settings_path, status_line
from holdfast.hosts.commands.lines import STATUS_LINE, HookLine, lies_in_project, read_command, render_line
from holdfast.hosts.doctor.checks import FAIL, INIT, Check, is_answer, try_line
from holdfast.hosts.doctor.traces import without_traces
from holdfast.work.session import TRIAL

# Events to which Claude Code shows any answer as an error.
SILENT = ("PreCompact", "PostCompact", "PostToolUseFailure", "SessionEnd", "ConfigChange")


def try_hooks(workspace: Workspace) -> Iterator[Check]:
    """Run every line of ours, each file's in a throw-away conversation, whose traces are removed afterwards."""
    mark = f"{TRIAL}{secrets.token_hex(4)}"
    env = {**os.environ, "CLAUDE_PROJECT_DIR": workspace.root}
    with without_traces(workspace, mark):
        for scope in SCOPES:
            for event, line, seconds in _lines(settings_path(scope, workspace.root)):
                if lies_in_project(line, workspace.root):
                    yield Check(FAIL, f"{event} ({scope}) runs a program in the project and was not tested", INIT)
                    continue
                payload = _payload(event, f"{mark}-{scope}", workspace)
                check, out = try_line(f"{event} ({scope})", render_line(line), payload, seconds, env)
                yield check if check.status == FAIL else _judge_answer(event, out, line) or check


def _lines(path: str) -> list[tuple[str, HookLine, float]]:
    """Return (event, line, timeout in seconds) of our lines in a settings file, in the order of a conversation."""
    settings = read_settings(path)
    hooks = sorted(find_hooks(settings), key=lambda hook: [*TIMEOUTS, hook.event].index(hook.event))
    lines = [(hook.event, hook.line, _seconds(hook)) for hook in hooks]
    drawn = status_line(settings)
    line = read_command(drawn["command"]) if drawn else None
    return lines + ([(STATUS_LINE, line, 10.0)] if line else [])


def _seconds(hook: Hook) -> float:
    """Return the timeout of the file, else the one that we would set."""
    return float(hook.timeout if isinstance(hook.timeout, (int, float)) else TIMEOUTS.get(hook.event, 10))


def _payload(event: str, session: str, workspace: Workspace) -> dict[str, object]:
    project = workspace.root
    own: dict[str, dict[str, object]] = {
        "SessionStart": {"source": "startup"},
        "UserPromptSubmit": {"prompt": "holdfast doctor", "prompt_id": session},
        "PreCompact": {"trigger": "manual", "custom_instructions": None},
        "PostCompact": {"trigger": "manual", "compact_summary": ""},
        "PreToolUse": {
            "tool_name": "Read",
            "tool_input": {"file_path": os.path.join(project, "README.md")},
            "tool_use_id": session,
        },
        "SubagentStart": {"agent_id": session, "agent_type": "general-purpose"},
        "PostToolUseFailure": {"tool_name": "Bash", "tool_input": {}, "tool_use_id": session, "error": "a trial"},
        "ConfigChange": {"source": "project_settings", "file_path": os.path.join(project, ".claude", "settings.json")},
        "Stop": {"stop_hook_active": False},
        "SessionEnd": {"reason": "other"},
        STATUS_LINE: {"workspace": {"current_dir": project, "project_dir": project}, "model": {"id": "doctor"}},
    }
    transcript = workspace.cached(f"{session}.jsonl")
    common = {"session_id": session, "transcript_path": transcript, "cwd": project, "hook_event_name": event}
    return {**common, **own.get(event, {})}


def _judge_answer(event: str, out: bytes, line: HookLine) -> Check | None:
    if event == STATUS_LINE or _is_meant_silent(line):
        return None
    if not is_answer(out):
        return Check(FAIL, f"{event} does not answer with a JSON object", "report it with the output")
    if event == "SessionStart" and not out.strip():
        return Check(FAIL, "Claude gets no rules at session start: the hook returns nothing", "see: holdfast debug")
    if event in SILENT and out.strip():
        return Check(FAIL, f"{event} prints text, which Claude Code shows as an error", "report it")
    return None


def _is_meant_silent(line: HookLine) -> bool:
    """Return whether the line calls ``holdfast`` from PATH where there is none: by design it prints nothing then."""
    return not (line.python or line.launcher) and shutil.which("holdfast") is None
