"""Adds our members to the text of Claude Code's settings and removes them; every other byte is kept."""

from __future__ import annotations

from typing import Any

from holdfast.ground.errors import HoldfastError
from holdfast.ground.formats.json_edit import HINT, Path, append_item, parse, remove, set_value
from holdfast.ground.values import Value
from holdfast.hosts.claude_code.settings import DENY, Hook, denied, find_hooks, status_line
from holdfast.hosts.commands.lines import read_command
from holdfast.hosts.commands.shell import POWERSHELL


class Registration(Value):
    """An event to be answered.

    ``command``: its line.
    ``timeout``: in seconds.
    ``shell``: the one that is to run the line, "" for Claude Code's usual one.
    ``matcher``: what the event must be about, "" for anything.
    """

    event: str
    command: str
    timeout: int
    shell: str = ""
    matcher: str = ""


def add_hooks(text: str, registrations: tuple[Registration, ...], where: str) -> str:
    """Return the text with each event registered once: our line for it is updated in its place, others of ours go.

    Raise HoldfastError for a text that is no JSON, or hooks that are not shaped like Claude Code's.
    """
    _check_shapes(text, where)
    wanted = {registration.event for registration in registrations}
    text = _remove_hooks(text, [hook for hook in find_hooks(parse(text)) if hook.event not in wanted], {})
    for registration in registrations:
        text = _add_hook(text, registration)
    return text


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
        if _look_up(original, path) is None:
            text = _remove_if_empty(text, path, path)
    return text


def remove_ours(
    text: str, original: object, replaced: dict[str, object] | None, rules: tuple[str, ...], where: str
) -> str:
    """Return the text without our hooks and deny rules, and with the status line that ours replaced, or none.

    ``original``: the data before we came; objects and arrays that we emptied stay if they were there then.
    """
    text = _remove_hooks(remove_rules(text, rules, original, where), find_hooks(parse(text)), original)
    line = status_line(parse(text))
    if line is None or read_command(line["command"]) is None:
        return text
    if replaced is None:
        return remove(text, ("statusLine",))
    return set_value(text, ("statusLine", "command"), replaced["command"])


def _add_hook(text: str, wanted: Registration) -> str:
    text = _remove_hooks(text, [hook for hook in _ours(text, wanted) if _is_misplaced(hook, wanted)], {})
    ours = _ours(text, wanted)
    if not ours:
        handler = {"type": "command", "command": wanted.command, "timeout": wanted.timeout}
        handler |= {"shell": wanted.shell} if wanted.shell else {}
        matcher = {"matcher": wanted.matcher} if wanted.matcher else {}
        return append_item(text, ("hooks", wanted.event), {**matcher, "hooks": [handler]})
    text = _set_matcher(text, ours[0], wanted.matcher)
    text = _set_shell(text, ours[0], wanted.shell)
    if ours[0].command != wanted.command:
        text = set_value(text, (*_place(ours[0]), "command"), wanted.command)
    return _remove_hooks(text, ours[1:], {})


def _ours(text: str, wanted: Registration) -> list[Hook]:
    return [hook for hook in find_hooks(parse(text)) if hook.event == wanted.event]


def _is_misplaced(hook: Hook, wanted: Registration) -> bool:
    """Return whether the hook stands beside somebody else's in a group for other things than it has to hear of."""
    return bool(wanted.matcher) and hook.matcher != wanted.matcher and not hook.alone


def _set_matcher(text: str, hook: Hook, wanted: str) -> str:
    """Return the text with this matcher, where one is wanted."""
    if not wanted or hook.matcher == wanted:
        return text
    return set_value(text, ("hooks", hook.event, hook.group, "matcher"), wanted)


def _set_shell(text: str, hook: Hook, wanted: str) -> str:
    place = (*_place(hook), "shell")
    if wanted and hook.shell != wanted:
        return set_value(text, place, wanted)
    return remove(text, place) if hook.shell == POWERSHELL and not wanted else text


def _remove_hooks(text: str, hooks: list[Hook], original: object) -> str:
    for hook in reversed(hooks):
        text = remove(text, _place(hook))
        event = ("hooks", hook.event)
        text = _remove_if_empty(text, (*event, hook.group, "hooks"), (*event, hook.group))
        for path in (event, ("hooks",)):
            if _look_up(original, path) is None:
                text = _remove_if_empty(text, path, path)
    return text


def _remove_if_empty(text: str, container: Path, whole: Path) -> str:
    return text if _look_up(parse(text), container) not in ([], {}) else remove(text, whole)


def _place(hook: Hook) -> Path:
    return ("hooks", hook.event, hook.group, "hooks", hook.index)


def _look_up(data: Any, path: Path) -> Any:
    try:
        for key in path:
            data = data[key]
    except (KeyError, IndexError, TypeError):
        return None
    return data


def _check_shapes(text: str, where: str) -> None:
    settings = parse(text, where)
    if not isinstance(settings, dict):
        raise HoldfastError("The settings are not a JSON object", where, HINT)
    hooks = settings.get("hooks", {})
    if not isinstance(hooks, dict):
        raise HoldfastError("hooks is not a JSON object", where, HINT)
    for event, groups in hooks.items():
        if not isinstance(groups, list):
            raise HoldfastError(f"hooks.{event} is not a list", where, HINT)
