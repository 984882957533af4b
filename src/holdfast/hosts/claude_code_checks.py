"""What ``doctor`` looks at in Claude Code: its settings files, our lines in them, and whether each line answers when it is run."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from holdfast.ground.errors import HoldfastError
from holdfast.ground.files import read_bytes, write_atomic
from holdfast.ground.jsonedit import parse
from holdfast.ground.workspace import Workspace
from holdfast.hosts.checks import FAIL, INIT, OK, WARN, Check, check_line, is_answer, try_line
from holdfast.hosts.claude_code_install import STATUS_LINE, TIMEOUTS
from holdfast.hosts.claude_code_settings import (
    SCOPES,
    Hook,
    find_hooks,
    read_settings,
    settings_path,
    status_line,
)
from holdfast.hosts.command import read_command
from holdfast.hosts.install import read_text_strictly

LONGEST_TIMEOUT = 60
TRACES = ("sessions", "continuation", "cache", "events")


def check_settings(project: str) -> Iterator[Check]:
    """Settings that cannot be read, hooks that are missing, doubled, switched off or out of date, and the status line."""
    settings = {path: read_settings(path) for path in (settings_path(scope, project) for scope in SCOPES)}
    yield from filter(None, map(_unreadable, settings))
    switches = [(path, data["disableAllHooks"]) for path, data in settings.items() if "disableAllHooks" in data]
    if switches and switches[0][1]:
        yield Check(FAIL, f"all hooks are switched off in {switches[0][0]}", "set disableAllHooks there to false")
    hooks = {path: found for path, data in settings.items() if (found := find_hooks(data))}
    yield from _check_registration(hooks)
    yield from _check_status_line(settings)
    lines = {hook.line.replace(event="") for found in hooks.values() for hook in found}
    yield from filter(None, map(check_line, sorted(lines, key=repr)))


def try_hooks(workspace: Workspace) -> Iterator[Check]:
    """Run every line of ours with a throw-away session, whose traces go afterwards."""
    session = f"holdfast-doctor-{secrets.token_hex(4)}"
    env = {**os.environ, "CLAUDE_PROJECT_DIR": workspace.root}
    with _without_traces(workspace, session):
        for event, command, seconds in _commands(workspace.root):
            check, out = try_line(event, command, _payload(event, session, workspace.root), seconds, env)
            yield check if check.status == FAIL else _judge_answer(event, out) or check


def serves(project: str) -> bool:
    """Whether a conversation in this folder would run hooks of ours."""
    return any(find_hooks(read_settings(settings_path(scope, project))) for scope in SCOPES)


def _unreadable(path: str) -> Check | None:
    try:
        parse(read_text_strictly(path)[1], path)
    except HoldfastError as error:
        return Check(FAIL, f"{error.where}: {error.what}", "correct the file by hand")
    return None


def _check_registration(hooks: dict[str, list[Hook]]) -> Iterator[Check]:
    found = [(path, hook) for path, several in hooks.items() for hook in several]
    missing = [event for event in TIMEOUTS if event not in {hook.event for _, hook in found}]
    if missing:
        yield Check(FAIL, f"no hook on {', '.join(missing)}", INIT)
    else:
        yield Check(OK, f"hooks on {', '.join(TIMEOUTS)} in {', '.join(hooks)}")
    if len(hooks) > 1:
        yield Check(OK, f"registered in {len(hooks)} files, which is harmless: only the first to come answers a prompt")
    for path, hook in found:
        if hook.event != hook.line.event:
            yield Check(FAIL, f"{path}: the line on {hook.event} answers {hook.line.event}", INIT)
        if isinstance(hook.timeout, (int, float)) and hook.timeout > LONGEST_TIMEOUT:
            yield Check(WARN, f"{path}: the timeout of {hook.event} is {hook.timeout} seconds", f"set it to {TIMEOUTS.get(hook.event)}")


def _check_status_line(settings: dict[str, dict[str, object]]) -> Iterator[Check]:
    lines = [(path, line) for path, data in settings.items() if (line := status_line(data))]
    ours = [path for path, line in lines if read_command(line["command"])]
    if lines and lines[0][0] not in ours:
        yield Check(WARN, f"the status line in {lines[0][0]} hides ours: the window is known from the transcript only", INIT)
    elif ours:
        yield Check(OK, f"status line in {ours[0]}")
    else:
        yield Check(WARN, "no status line of ours: the window is known from the transcript only", INIT)


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
        return Check(FAIL, f"{event} answers with something that is no JSON object", "report it with the output of the line")
    if event == "SessionStart" and not out.strip():
        return Check(FAIL, "SessionStart answers nothing: the agent gets no rules", "see .holdfast/metrics/hook.jsonl")
    if event.endswith("Compact") and out.strip():
        return Check(FAIL, f"{event} speaks, which Claude Code shows as an error", "report it")
    return None


@contextmanager
def _without_traces(workspace: Workspace, session: str) -> Iterator[None]:
    latest = workspace.path("continuation", "latest.md")
    before = read_bytes(latest)
    try:
        yield
    finally:
        _remove_blocks(workspace, session)
        for folder in {workspace.home, workspace.shared}:
            _remove_named(folder, session)
        if session.encode() in (read_bytes(latest) or b""):
            _restore(latest, before)


def _remove_blocks(workspace: Workspace, session: str) -> None:
    """The blocks that only this session was sent: those it made, told by its own events."""
    folder = os.path.join(workspace.shared, "events")
    for line in (read_bytes(os.path.join(folder, f"{session}.jsonl")) or b"").splitlines():
        with suppress(ValueError, KeyError, TypeError, OSError):
            path = os.path.join(folder, "blocks", os.path.basename(json.loads(line)["data"]["block"]))
            if session.encode() in (read_bytes(path) or b""):
                os.unlink(path)


def _remove_named(home: str, session: str) -> None:
    for part in TRACES:
        for folder, _, names in os.walk(os.path.join(home, part)):
            for name in names:
                if session in name:
                    with suppress(OSError):
                        os.unlink(os.path.join(folder, name))


def _restore(path: str, before: bytes | None) -> None:
    with suppress(OSError):
        if before is None:
            os.unlink(path)
        else:
            write_atomic(path, before)
