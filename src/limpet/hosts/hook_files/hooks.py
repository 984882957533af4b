"""Finds hook lines in settings whose ``hooks`` hold groups of handlers by event."""

from __future__ import annotations

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.formats.json_text import read_object
from limpet.ground.storage.files import read_text
from limpet.ground.values import Value
from limpet.hosts.commands.lines import HookLine, read_command


class Hook(Value):
    """A hook line of ours in a settings file.

    ``event``: the event that it is registered for.
    ``group``, ``index``: the place of its group in the event, and its own in the group.
    ``command``: the line as it is in the file.
    ``line``: its parts.
    ``timeout``: as it stands in the file, None where the file sets none.
    ``shell``: the one that the file sets for it, None for none.
    ``matcher``: the one of its group, None for none.
    ``alone``: whether the group holds nothing else.
    """

    event: str
    group: int
    index: int
    command: str
    line: HookLine
    timeout: object = None
    shell: object = None
    matcher: object = None
    alone: bool = True


def read_settings(path: str) -> dict[str, object]:
    """Return the settings as data; empty where there is no file, no JSON object in it, or too much."""
    return read_object(read_text(path, STATE_BYTES))


def find_hooks(settings: object, host: str) -> list[Hook]:
    """Return our hook lines for a host in the order of the file; members of another shape are ignored."""
    events = settings.get("hooks") if isinstance(settings, dict) else None
    return [
        Hook(
            event=event,
            group=group,
            index=index,
            command=handler["command"],
            line=line,
            timeout=handler.get("timeout"),
            shell=handler.get("shell"),
            matcher=value.get("matcher"),
            alone=len(value["hooks"]) == 1,
        )
        for event, groups in (events.items() if isinstance(events, dict) else ())
        for group, value in enumerate(groups if isinstance(groups, list) else ())
        for index, handler in enumerate(_handlers(value))
        if isinstance(handler, dict) and (line := read_command(handler.get("command"))) and line.host == host
    ]


def other_commands(settings: object, names: tuple[str, ...]) -> list[str]:
    """Return the commands on these events that are not ours."""
    events = settings.get("hooks") if isinstance(settings, dict) else None
    groups = [events.get(name) for name in names] if isinstance(events, dict) else []
    handlers = (each for group in groups if isinstance(group, list) for value in group for each in _handlers(value))
    commands = (str(each["command"]) for each in handlers if isinstance(each, dict) and each.get("command"))
    return [command for command in dict.fromkeys(commands) if not read_command(command)]


def _handlers(group: object) -> list[object]:
    handlers = group.get("hooks") if isinstance(group, dict) else None
    return handlers if isinstance(handlers, list) else []
