"""Adds our status line and deny rules to the text of Claude Code's settings, and removes all that is ours there; every
other byte is kept."""

from __future__ import annotations

from holdfast.ground.formats.json_edit import append_item, parse, remove, set_value
from holdfast.hosts.claude_code import HOST
from holdfast.hosts.claude_code.settings import DENY, denied, status_line
from holdfast.hosts.commands.lines import read_command
from holdfast.hosts.hook_files.edits import look_up, remove_hooks, remove_if_empty
from holdfast.hosts.hook_files.hooks import find_hooks


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
    """Return the text with these deny rules behind those that are there. Raise HoldfastError for a text that is no
    JSON, or where no list can be."""
    for rule in rules:
        text = text if rule in denied(parse(text, where)) else append_item(text, DENY, rule, where)
    return text


def remove_rules(text: str, rules: tuple[str, ...], original: object, where: str) -> str:
    """Return the text without these deny rules; ``original`` as in ``remove_ours``."""
    present = denied(parse(text, where))
    for index in reversed([index for index, rule in enumerate(present) if rule in rules]):
        text = remove(text, (*DENY, index))
    for path in (DENY, DENY[:1]) if rules else ():
        if look_up(original, path) is None:
            text = remove_if_empty(text, path, path)
    return text


def remove_ours(
    text: str, original: object, replaced: dict[str, object] | None, rules: tuple[str, ...], where: str
) -> str:
    """Return the text without our hooks and deny rules, and with the status line that ours replaced, or none.

    ``original``: the data before we came; objects and arrays that we emptied stay if they were there then.
    """
    text = remove_hooks(remove_rules(text, rules, original, where), find_hooks(parse(text), HOST), original)
    line = status_line(parse(text))
    if line is None or read_command(line["command"]) is None:
        return text
    if replaced is None:
        return remove(text, ("statusLine",))
    return set_value(text, ("statusLine", "command"), replaced["command"])
