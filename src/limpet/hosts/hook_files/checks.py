"""Checks our hooks in a host's settings, for ``doctor`` and the hook: whether they are there, in force and current."""

from __future__ import annotations

from collections.abc import Iterator

from limpet.ground.errors import LimpetError
from limpet.ground.formats.json_edit import parse
from limpet.hosts.doctor.checks import FAIL, INIT, OK, WARN, Check, check_line
from limpet.hosts.file_changes import read_text_strictly
from limpet.hosts.hook_files.files import HookFiles
from limpet.hosts.hook_files.hooks import Hook, find_hooks, read_settings


def check_registration(files: HookFiles, project: str) -> Iterator[Check]:
    """Yield whether the settings that a session in ``project`` obeys can be read and have our hooks; nothing is started
    for it."""
    paths = files.in_force(project)
    yield from filter(None, map(_unreadable, paths))
    yield from _check_hooks(
        files, {path: found for path in paths if (found := find_hooks(read_settings(path), files.host))}
    )


def check_lines(files: HookFiles, folder: str) -> Iterator[Check]:
    """Yield what is wrong with the programs that the lines name."""
    hooks = (hook for path in files.in_force(folder) for hook in find_hooks(read_settings(path), files.host))
    lines = {hook.line.replace(event="", own="") for hook in hooks}
    yield from filter(None, map(check_line, sorted(lines, key=repr)))


def _unreadable(path: str) -> Check | None:
    try:
        parse(read_text_strictly(path)[1], path)
    except LimpetError as error:
        return Check(FAIL, f"{error.where}: {error.what}", "correct the file")
    return None


def _check_hooks(files: HookFiles, hooks: dict[str, list[Hook]]) -> Iterator[Check]:
    found = [(path, hook) for path, several in hooks.items() for hook in several]
    wanted, there = {each.event: each for each in files.registrations(False)}, {hook.event for _, hook in found}
    longest = max(each.timeout for each in wanted.values())
    missing = [event for event in wanted if event not in there]
    if missing:
        where = f" in {', '.join(hooks)}" if hooks else ""
        yield Check(FAIL, f"{files.title}: no hook on {', '.join(missing)}{where}", INIT)
    else:
        yield Check(OK, f"{files.title}: hooks on {', '.join(wanted)} in {', '.join(hooks)}")
    if len(hooks) > 1:
        yield Check(OK, f"Registered in {len(hooks)} files, which is harmless: a prompt is answered once")
    for path, hook in found:
        if hook.event != hook.line.event:
            yield Check(FAIL, f"{path}: the command on {hook.event} is for {hook.line.event}", INIT)
        elif hook.event in wanted and wanted[hook.event].matcher not in ("", hook.matcher):
            yield Check(WARN, f"{path}: the hook on {hook.event} is for other tools than the guard judges", INIT)
        if isinstance(hook.timeout, (int, float)) and hook.timeout > longest:
            usual = wanted[hook.event].timeout if hook.event in wanted else longest
            yield Check(
                WARN, f"{path}: the timeout of {hook.event} is {hook.timeout / files.unit:g} s", f"set it to {usual}"
            )
