"""Reads Claude Code's settings files and finds our members in them. Kept light: the status line imports it."""

from __future__ import annotations

import os

from holdfast.ground.formats.json_text import loads
from holdfast.ground.storage.files import read_text
from holdfast.ground.values import Value
from holdfast.hosts.claude_code import HOST
from holdfast.hosts.command import HookLine, read_command
from holdfast.hosts.record import canonical
from holdfast.hosts.scope import LOCAL, SHARED, USER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.hosts.record import Record

SCOPES: tuple[str, ...] = (LOCAL, SHARED, USER)


class Hook(Value):
    """A hook line of ours in a settings file.

    ``event``: the event that it is registered for.
    ``group``, ``index``: the place of its group in the event, and its own in the group.
    ``command``: the line as it is in the file.
    ``line``: its parts.
    ``timeout``: in seconds, None where the file sets none.
    """

    event: str
    group: int
    index: int
    command: str
    line: HookLine
    timeout: object = None


def settings_path(scope: str, project: str) -> str:
    """Return the settings file of a scope; where two set the same thing the scope named first in ``SCOPES`` wins."""
    if scope == USER:
        return canonical(os.path.join(user_settings_folder(), "settings.json"))
    return canonical(os.path.join(project, ".claude", "settings.local.json" if scope == LOCAL else "settings.json"))


def user_settings_folder() -> str:
    """Return ``~/.claude``, or the folder that the user set in CLAUDE_CONFIG_DIR."""
    return os.environ.get("CLAUDE_CONFIG_DIR") or os.path.join(os.path.expanduser("~"), ".claude")


def read_settings(path: str) -> dict[str, object]:
    """Return the settings as data; empty where there is no file or no JSON object in it."""
    try:
        data = loads(read_text(path) or "{}")
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def find_hooks(settings: object) -> list[Hook]:
    """Return our hook lines in the order of the file; members of another shape are ignored."""
    events = settings.get("hooks") if isinstance(settings, dict) else None
    return [
        Hook(event, group, index, handler["command"], line, handler.get("timeout"))
        for event, groups in (events.items() if isinstance(events, dict) else ())
        for group, value in enumerate(groups if isinstance(groups, list) else ())
        for index, handler in enumerate(_handlers(value))
        if isinstance(handler, dict) and (line := read_command(handler.get("command"))) and line.host == HOST
    ]


def status_line(settings: object) -> dict[str, object] | None:
    """Return the status line that the settings name, ours or not: a dict with a string ``command``."""
    line = settings.get("statusLine") if isinstance(settings, dict) else None
    return line if isinstance(line, dict) and isinstance(line.get("command"), str) else None


def wrapped_status_line(
    project: str, record: Record, scopes: tuple[str, ...] = SCOPES
) -> tuple[str, dict[str, object]] | None:
    """Return the file and the status line that would be in force without ours, None where there is none.

    ``record``: the record of the installation, with the line that ours replaced in the same file. The files are read
    each time, so that later changes by the user count.
    """
    for scope in scopes:
        path = settings_path(scope, project)
        line = status_line(read_settings(path))
        if line and read_command(line["command"]):
            line = status_line({"statusLine": record.get(path, {}).get("status_line")})
        if line:
            return path, line
    return None


def _handlers(group: object) -> list[object]:
    handlers = group.get("hooks") if isinstance(group, dict) else None
    return handlers if isinstance(handlers, list) else []
