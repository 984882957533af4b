"""Checks our hooks in a host's settings and tries their lines. Separate from ``hook_install``, which runs nothing."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator

from limpet.ground.errors import LimpetError
from limpet.ground.event import Reply
from limpet.ground.formats.json_edit import parse_json_text
from limpet.ground.workspace import Workspace
from limpet.hosts.base import Events
from limpet.hosts.checks import FAIL, INIT, OK, WARN, Check, check_line, is_answer, try_line
from limpet.hosts.commands.lines import HookLine, lies_in_project, render_hook_line
from limpet.hosts.file_changes import read_text_strictly
from limpet.hosts.hook_files import Hook, HookFiles, Lines, Registration, find_hooks, read_settings
from limpet.hosts.registry import events_of
from limpet.hosts.traces import without_traces
from limpet.work.session import TRIAL


def check_settings(client: HookFiles, project: str) -> Iterator[Check]:
    paths = client.files_in_force(project)
    for path in paths:
        try:
            parse_json_text(read_text_strictly(path)[1], path, client.SKIPS)
        except LimpetError as error:
            yield Check(FAIL, f"{error.where}: {error.what}", "correct the file")
    hooks = {path: find_hooks(read_settings(path, client.SKIPS), client.NAME) for path in paths}
    yield from _check_hooks(client, {path: found for path, found in hooks.items() if found})


def check_lines(client: HookFiles, folder: str) -> Iterator[Check]:
    lines: set[HookLine] = set()
    for path in client.files_in_force(folder):
        hooks = find_hooks(read_settings(path, client.SKIPS), client.NAME)
        lines |= {hook.line.replace(event="", own="", quiet="") for hook in hooks}
    yield from filter(None, map(check_line, sorted(lines, key=repr)))


def _check_hooks(client: HookFiles, hooks: dict[str, list[Hook]]) -> Iterator[Check]:
    found: list[tuple[str, Hook]] = []
    for path, several in hooks.items():
        found += [(path, hook) for hook in several]
    wanted = {each.place: each for each in client.registrations(False)}
    whole = {each.event: each for each in client.registrations(True)}
    there = {hook.place for _, hook in found}
    # A shared line, or one of an older version, hears of all tools.
    there |= {(hook.event, True) for _, hook in found if hook.event in whole and _hears_all(hook, whole[hook.event])}
    longest = max(each.timeout for each in wanted.values())
    missing = dict.fromkeys(place[0] for place in wanted if place not in there)
    if missing:
        where = f" in {', '.join(hooks)}" if hooks else ""
        yield Check(FAIL, f"{client.TITLE}: no hook on {', '.join(missing)}{where}", INIT)
    else:
        yield Check(OK, f"{client.TITLE}: hooks on {', '.join(whole)} in {', '.join(hooks)}")
    if len(hooks) > 1:
        yield Check(OK, f"Registered in {len(hooks)} files, which is harmless: a prompt is answered once")
    for path, hook in found:
        if hook.event != hook.line.event:
            yield Check(FAIL, f"{path}: the command on {hook.event} is for {hook.line.event}", INIT)
        elif hook.place in wanted and not (_hears_all(hook, wanted[hook.place]) or _hears_all(hook, whole[hook.event])):
            yield Check(WARN, f"{path}: the hook on {hook.event} is for other tools than the guard judges", INIT)
        if isinstance(hook.timeout, (int, float)) and hook.timeout > longest:
            usual = whole[hook.event].timeout if hook.event in whole else longest
            what = f"{path}: the timeout of {hook.event} is {hook.timeout / client.UNIT:g} s"
            yield Check(WARN, what, f"set it to {usual}")


def _hears_all(hook: Hook, wanted: Registration) -> bool:
    return wanted.matcher in ("", hook.matcher)


def try_lines(client: HookFiles, workspace: Workspace) -> Iterator[Check]:
    """Run every line of ours, each file's in a throw-away conversation, whose traces are removed afterwards."""
    events, mark = events_of(client.NAME), f"{TRIAL}{secrets.token_hex(4)}"
    assert events
    env = {**os.environ, **({events.PROJECT: workspace.root} if events.PROJECT else {})}
    with without_traces(workspace, mark):
        for found in client.registered(workspace.root):
            lines = _lines(client, found.path, events.TIMEOUTS)
            for event, line, seconds in (*lines, *client.drawn(found.path)):
                name = f"{client.TITLE}: {event}{' of reading calls' if line.quiet else ''} ({found.scope})"
                if lies_in_project(line, workspace.root):
                    yield Check(FAIL, f"{name} runs a program in the project and was not tested", INIT)
                    continue
                session = f"{mark}-{found.scope}"
                fields = client.make_fields(session, workspace.root)
                payload = {
                    "session_id": session,
                    "transcript_path": workspace.cached(f"{session}.jsonl"),
                    "cwd": workspace.root,
                    "hook_event_name": event,
                    **fields.get(event, {}),
                }
                check, out = try_line(name, render_hook_line(line), payload, seconds, env)
                is_meant_silent = not (line.python or line.launcher) and shutil.which("limpet") is None
                is_judged = (event, line, seconds) in lines and not is_meant_silent
                wrong = _judge_answer(client, events, event, out) if is_judged and check.status != FAIL else None
                yield wrong or check


def _lines(client: HookFiles, path: str, timeouts: dict[str, int]) -> Lines:
    hooks = find_hooks(read_settings(path, client.SKIPS), client.NAME)
    hooks.sort(key=lambda hook: [*timeouts, hook.event].index(hook.event))
    lines = []
    for hook in hooks:
        seconds = hook.timeout / client.UNIT if isinstance(hook.timeout, (int, float)) else 0.0
        lines.append((hook.event, hook.line, seconds or timeouts.get(hook.event, 10)))
    return lines


def _judge_answer(client: HookFiles, events: Events, event: str, out: bytes) -> Check | None:
    if not is_answer(out):
        return Check(FAIL, f"{client.TITLE}: {event} does not answer with a JSON object", "report it with the output")
    kind = events.read_event(event, {}, {}).kind
    if kind == "session_start" and not out.strip():
        return Check(
            FAIL, f"{client.TITLE} gets no rules at the start: the hook returns nothing", "see: limpet log --hook"
        )
    if kind == "tool_before" and b"deny" not in out:
        what = f"{client.TITLE}: the guard let a call pass that it must deny"
        return Check(FAIL, what, "run `limpet log --hook`; where that shows no crash, install Limpet anew")
    if out.strip() and not events.render_reply(event, Reply("x", "x", verdict="deny", reason="x")):
        return Check(FAIL, f"{event} prints text, which {client.TITLE} shows as an error", "report it")
    return None
