"""Checks Claude Code's settings for ``doctor``: whether our lines are there, in force and up to date."""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.ground.errors import HoldfastError
from holdfast.ground.formats.json_edit import parse
from holdfast.hosts.claude_code import HOST
from holdfast.hosts.claude_code.deny_rules import find_deny_rules
from holdfast.hosts.claude_code.events import TIMEOUTS
from holdfast.hosts.claude_code.install import KEPT_OUT, why_kept_out
from holdfast.hosts.claude_code.settings import (
    Hook,
    find_hooks,
    read_settings,
    settings_in_force,
    status_line,
)
from holdfast.hosts.claude_code.tools import MATCHERS
from holdfast.hosts.commands.lines import read_command, status_line_command
from holdfast.hosts.doctor.checks import FAIL, INIT, OK, WARN, Check, check_line
from holdfast.hosts.file_changes import read_text_strictly

# Seconds: a prompt would wait so long for a hook that hangs.
LONGEST_TIMEOUT = 60
GUESSED_WINDOW = "the window size is estimated by model"


def check_settings(project: str) -> Iterator[Check]:
    """Yield settings that cannot be read, hooks that are missing, doubled, off or out of date, and the status line."""
    yield from check_registration(project)
    settings = {path: read_settings(path) for path in settings_in_force(project)}
    yield from _check_status_line(settings, project)
    lines = {hook.line.replace(event="", own="") for data in settings.values() for hook in find_hooks(data)}
    yield from filter(None, map(check_line, sorted(lines, key=repr)))


def check_deny_rules(project: str) -> Check:
    """Return whether the client's own deny rules hold."""
    found, what, on = find_deny_rules(project), "Claude Code's own deny rules", "holdfast guard deny-rules on"
    if found.state == "partly":
        return Check(WARN, f"{what} hold in part. Missing: {', '.join(found.missing)}", f"run `{on}`")
    return Check(OK, f"{what} are on" if found.state == "on" else f"{what} are off. To have them: {on}")


def check_registration(project: str) -> Iterator[Check]:
    """Yield whether our hooks are in the settings and in force; nothing is started for it."""
    settings = {path: read_settings(path) for path in settings_in_force(project)}
    yield from filter(None, map(_unreadable, settings))
    switches = [(path, data["disableAllHooks"]) for path, data in settings.items() if "disableAllHooks" in data]
    if switches and switches[0][1]:
        yield Check(FAIL, f"All hooks are disabled in {switches[0][0]}", "set disableAllHooks to false there")
    yield from _check_hooks({path: found for path, data in settings.items() if (found := find_hooks(data))})


def _unreadable(path: str) -> Check | None:
    try:
        parse(read_text_strictly(path)[1], path)
    except HoldfastError as error:
        return Check(FAIL, f"{error.where}: {error.what}", "correct the file")
    return None


def _check_hooks(hooks: dict[str, list[Hook]]) -> Iterator[Check]:
    found = [(path, hook) for path, several in hooks.items() for hook in several]
    there = {hook.event for _, hook in found}
    missing = [event for event in TIMEOUTS if event not in there]
    if missing:
        where = f" in {', '.join(hooks)}" if hooks else ""
        yield Check(FAIL, f"No hook on {', '.join(missing)}{where}", INIT)
    else:
        yield Check(OK, f"Hooks on {', '.join(TIMEOUTS)} in {', '.join(hooks)}")
    if len(hooks) > 1:
        yield Check(OK, f"Registered in {len(hooks)} files, which is harmless: a prompt is answered once")
    for path, hook in found:
        if hook.event != hook.line.event:
            yield Check(FAIL, f"{path}: the command on {hook.event} is for {hook.line.event}", INIT)
        if hook.event in MATCHERS and hook.matcher != MATCHERS[hook.event]:
            yield Check(WARN, f"{path}: the hook on {hook.event} is for other tools than the guard judges", INIT)
        if isinstance(hook.timeout, (int, float)) and hook.timeout > LONGEST_TIMEOUT:
            what = f"{path}: the timeout of {hook.event} is {hook.timeout} s"
            yield Check(WARN, what, f"set it to {TIMEOUTS.get(hook.event, LONGEST_TIMEOUT)}")


def _check_status_line(settings: dict[str, dict[str, object]], project: str) -> Iterator[Check]:
    path, line = next(((path, line) for path, data in settings.items() if (line := status_line(data))), ("", {}))
    ours = read_command(line.get("command"))
    if ours is None:
        what = f"Your status line in {path} is shown alone" if path else "Holdfast's status line is not installed"
        hint = KEPT_OUT.get(why_kept_out(path, project), INIT) if path else INIT
        yield Check(WARN, f"{what}: {GUESSED_WINDOW}", hint)
    elif line["command"] != status_line_command(HOST, ours.own):
        yield Check(WARN, f"The status line in {path} is an older version's", INIT)
    else:
        yield Check(OK, f"Status line in {path}{', which runs yours too' if ours.own else ''}")
