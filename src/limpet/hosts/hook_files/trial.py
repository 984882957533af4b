"""Runs our hook lines as a host does, event by event, and checks their answers."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable, Iterator

from limpet.ground.event import Reply
from limpet.ground.workspace import Workspace
from limpet.hosts.commands.lines import HookLine, lies_in_project, render_line
from limpet.hosts.doctor.checks import FAIL, INIT, Check, is_answer, try_line
from limpet.hosts.doctor.traces import without_traces
from limpet.hosts.hook_files.files import HookFiles, registered
from limpet.hosts.hook_files.hooks import Hook, find_hooks, read_settings
from limpet.hosts.registry import events_of
from limpet.work.session import TRIAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    # (event, line, timeout in seconds)
    Lines = list[tuple[str, HookLine, float]]


def try_hooks(
    files: HookFiles, workspace: Workspace, drawn: Callable[[str], Lines] = lambda path: []
) -> Iterator[Check]:
    """Run every line of ours, each file's in a throw-away conversation, whose traces are removed afterwards.

    ``drawn``: a settings file's path -> the lines for what the host draws, which answer in no shape of its hooks.
    """
    events, mark = events_of(files.host), f"{TRIAL}{secrets.token_hex(4)}"
    assert events
    env = {**os.environ, **({events.PROJECT: workspace.root} if events.PROJECT else {})}
    with without_traces(workspace, mark):
        for found in registered(files, workspace.root):
            lines = _lines(files, found.path)
            for event, line, seconds in (*lines, *drawn(found.path)):
                name = f"{files.title}: {event} ({found.scope})"
                if lies_in_project(line, workspace.root):
                    yield Check(FAIL, f"{name} runs a program in the project and was not tested", INIT)
                    continue
                payload = _payload(files, event, f"{mark}-{found.scope}", workspace)
                check, out = try_line(name, render_line(line), payload, seconds, env)
                is_judged = (event, line, seconds) in lines and not _is_meant_silent(line)
                wrong = _judge_answer(files, event, out) if is_judged and check.status != FAIL else None
                yield wrong or check


def _lines(files: HookFiles, path: str) -> Lines:
    """Return our lines in a settings file, in the order of a conversation."""
    events = events_of(files.host)
    timeouts = events.TIMEOUTS if events else {}
    hooks = find_hooks(read_settings(path), files.host)
    hooks.sort(key=lambda hook: [*timeouts, hook.event].index(hook.event))
    return [(hook.event, hook.line, _seconds(hook, files.unit) or timeouts.get(hook.event, 10)) for hook in hooks]


def _seconds(hook: Hook, unit: int) -> float:
    """Return the timeout of the file, 0 where it sets none."""
    return hook.timeout / unit if isinstance(hook.timeout, (int, float)) else 0.0


def _payload(files: HookFiles, event: str, session: str, workspace: Workspace) -> dict[str, object]:
    transcript, root = workspace.cached(f"{session}.jsonl"), workspace.root
    common = {"session_id": session, "transcript_path": transcript, "cwd": root, "hook_event_name": event}
    return {**common, **files.sent(event, session, root)}


def _judge_answer(files: HookFiles, event: str, out: bytes) -> Check | None:
    events = events_of(files.host)
    assert events
    said = Reply(block="x", message="x")
    if not is_answer(out):
        return Check(FAIL, f"{files.title}: {event} does not answer with a JSON object", "report it with the output")
    kind = events.read_event(event, {}).kind
    if kind == "session_start" and not out.strip():
        return Check(FAIL, f"{files.title} gets no rules at the start: the hook returns nothing", "see: limpet debug")
    if kind == "tool_before" and b"deny" not in out:
        what = f"{files.title}: the guard let a call pass that it must deny"
        return Check(FAIL, what, "run `limpet debug`; where that shows no crash, install Limpet anew")
    if out.strip() and not events.render_reply(event, said):
        return Check(FAIL, f"{event} prints text, which {files.title} shows as an error", "report it")
    return None


def _is_meant_silent(line: HookLine) -> bool:
    """Return whether the line calls ``limpet`` from PATH where there is none: by design it prints nothing then."""
    return not (line.python or line.launcher) and shutil.which("limpet") is None
