"""Checks Claude Code's settings for ``doctor``: whether our lines are there, in force and up to date."""

from __future__ import annotations

from collections.abc import Iterator

from limpet.hosts.claude_code import HOST
from limpet.hosts.claude_code.deny_rules import find_deny_rules
from limpet.hosts.claude_code.install import FILES, KEPT_OUT, why_kept_out
from limpet.hosts.claude_code.settings import settings_in_force, status_line
from limpet.hosts.commands.lines import read_command, status_line_command
from limpet.hosts.doctor.checks import FAIL, INIT, OK, WARN, Check
from limpet.hosts.hook_files.checks import check_lines
from limpet.hosts.hook_files.checks import check_registration as check_hooks
from limpet.hosts.hook_files.hooks import read_settings

GUESSED_WINDOW = "the window size is estimated by model"


def check_settings(project: str) -> Iterator[Check]:
    """Yield settings that cannot be read, hooks that are missing, doubled, off or out of date, and the status line."""
    yield from check_registration(project)
    settings = {path: read_settings(path) for path in settings_in_force(project)}
    yield from _check_status_line(settings, project)
    yield from check_lines(FILES, project)


def check_deny_rules(project: str) -> Check:
    """Return whether the client's own deny rules hold."""
    found, what, on = find_deny_rules(project), "Claude Code's own deny rules", "limpet guard deny-rules on"
    if found.state == "partly":
        return Check(WARN, f"{what} hold in part. Missing: {', '.join(found.missing)}", f"run `{on}`")
    return Check(OK, f"{what} are on" if found.state == "on" else f"{what} are off. To have them: {on}")


def check_registration(project: str) -> Iterator[Check]:
    """Yield whether our hooks are in the settings and in force; nothing is started for it."""
    settings = {path: read_settings(path) for path in settings_in_force(project)}
    switches = [(path, data["disableAllHooks"]) for path, data in settings.items() if "disableAllHooks" in data]
    if switches and switches[0][1]:
        yield Check(FAIL, f"All hooks are disabled in {switches[0][0]}", "set disableAllHooks to false there")
    yield from check_hooks(FILES, project)


def _check_status_line(settings: dict[str, dict[str, object]], project: str) -> Iterator[Check]:
    path, line = next(((path, line) for path, data in settings.items() if (line := status_line(data))), ("", {}))
    ours = read_command(line.get("command"))
    if ours is None:
        what = f"Your status line in {path} is shown alone" if path else "Limpet's status line is not installed"
        hint = KEPT_OUT.get(why_kept_out(path, project), INIT) if path else INIT
        yield Check(WARN, f"{what}: {GUESSED_WINDOW}", hint)
    elif line["command"] != status_line_command(HOST, ours.own):
        yield Check(WARN, f"The status line in {path} is an older version's", INIT)
    else:
        yield Check(OK, f"Status line in {path}{', which runs yours too' if ours.own else ''}")
