"""Adds our status line and deny rules to the text of Claude Code's settings, and removes all that is ours there; every
other byte is kept."""

from __future__ import annotations

from limpet.ground.formats.json_edit import Path, append_item, parse, remove, set_value
from limpet.hosts.claude_code import HOST
from limpet.hosts.claude_code.settings import DENY, denied, status_line
from limpet.hosts.commands.lines import read_command
from limpet.hosts.hook_files.edits import look_up, remove_hooks, remove_if_empty
from limpet.hosts.hook_files.hooks import find_hooks
from limpet.hosts.servers.edits import NAME as SERVER

# Where the client keeps which of a project's MCP servers the person lets it start.
ANSWERED = ("enabledMcpjsonServers", "disabledMcpjsonServers")


def add_status_line(text: str, command: str, like: dict[str, object]) -> str:
    """Return the text with ``command`` as status line; its other members stay, a new one takes those of ``like``."""
    settings = parse(text)
    present = status_line(settings)
    if present is None:
        return set_value(text, ("statusLine",), {**like, "type": "command", "command": command})
    if present["command"] == command:
        return text
    return set_value(text, ("statusLine", "command"), command)


def add_rules(text: str, rules: tuple[str, ...], where: str) -> str:
    """Return the text with these deny rules behind those that are there. Raise LimpetError for a text that is no
    JSON, or where no list can be."""
    for rule in rules:
        text = text if rule in denied(parse(text, where)) else append_item(text, DENY, rule, where)
    return text


def remove_rules(text: str, rules: tuple[str, ...], original: object, where: str) -> str:
    """Return the text without these deny rules; ``original`` as in ``remove_ours``."""
    parse(text, where)
    return _remove_items(text, DENY, rules, original)


def remove_ours(
    text: str, original: object, replaced: dict[str, object] | None, rules: tuple[str, ...], where: str
) -> str:
    """Return the text without our hooks and deny rules and what the person answered about our MCP server, and with the
    status line that ours replaced, or none.

    ``original``: the data before we came; objects and arrays that we emptied stay if they were there then.
    """
    text = remove_hooks(remove_rules(text, rules, original, where), find_hooks(parse(text), HOST), original)
    for key in ANSWERED:
        text = _remove_items(text, (key,), (SERVER,), original)
    line = status_line(parse(text))
    if line is None or read_command(line["command"]) is None:
        return text
    if replaced is None:
        return remove(text, ("statusLine",))
    return set_value(text, ("statusLine", "command"), replaced["command"])


def _remove_items(text: str, path: Path, items: tuple[str, ...], original: object) -> str:
    """Return the text without these items of a list, but for those that it had before we came."""
    present, before = look_up(parse(text), path), look_up(original, path)
    found = present if isinstance(present, list) else []
    kept = before if isinstance(before, list) else []
    for index in reversed([index for index, item in enumerate(found) if item in items and item not in kept]):
        text = remove(text, (*path, index))
    for end in range(len(path), 0, -1) if items else ():
        if look_up(original, path[:end]) is None:
            text = remove_if_empty(text, path[:end], path[:end])
    return text
