"""Adds our hooks to the text of a settings file and removes them; every other byte is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.formats.json_edit import HINT, Path, append_item, parse, remove, set_value
from limpet.ground.values import Value
from limpet.hosts.commands.shell import POWERSHELL
from limpet.hosts.hook_files.hooks import Hook, find_hooks


class Registration(Value):
    """An event to be answered.

    ``host``: the name of the host.
    ``command``: its line.
    ``timeout``: in the unit of the host's settings.
    ``shell``: the one that is to run the line, "" for the host's usual one.
    ``matcher``: what the event must be about, "" for anything.
    ``others``: further members of the handler.
    """

    host: str
    event: str
    command: str
    timeout: int
    shell: str = ""
    matcher: str = ""
    others: Mapping[str, object] = {}


def add_hooks(text: str, registrations: tuple[Registration, ...], where: str) -> str:
    """Return the text with each event registered once: our line for it is updated in its place, others of ours go.

    Raise LimpetError for a text that is no JSON, or hooks that are not shaped like a host's.
    """
    _check_shapes(text, where)
    wanted = {registration.event for registration in registrations}
    for host in {registration.host for registration in registrations}:
        left = [hook for hook in find_hooks(parse(text), host) if hook.event not in wanted]
        text = remove_hooks(text, left, {})
    for registration in registrations:
        text = _add_hook(text, registration)
    return text


def remove_hooks(text: str, hooks: list[Hook], original: object) -> str:
    """Return the text without these hooks.

    ``original``: the data before we came; objects and arrays that we emptied stay if they were there then.
    """
    for hook in reversed(hooks):
        text = remove(text, _place(hook))
        event = ("hooks", hook.event)
        text = remove_if_empty(text, (*event, hook.group, "hooks"), (*event, hook.group))
        for path in (event, ("hooks",)):
            if look_up(original, path) is None:
                text = remove_if_empty(text, path, path)
    return text


def remove_if_empty(text: str, container: Path, whole: Path) -> str:
    """Return the text without ``whole`` where there is nothing in ``container``."""
    return text if look_up(parse(text), container) not in ([], {}) else remove(text, whole)


def look_up(data: Any, path: Path) -> Any:
    """Return what is at the path, None for nothing."""
    try:
        for key in path:
            data = data[key]
    except (KeyError, IndexError, TypeError):
        return None
    return data


def _add_hook(text: str, wanted: Registration) -> str:
    text = remove_hooks(text, [hook for hook in _ours(text, wanted) if _is_misplaced(hook, wanted)], {})
    ours = _ours(text, wanted)
    if not ours:
        handler = {"type": "command", "command": wanted.command, "timeout": wanted.timeout, **wanted.others}
        handler |= {"shell": wanted.shell} if wanted.shell else {}
        matcher = {"matcher": wanted.matcher} if wanted.matcher else {}
        return append_item(text, ("hooks", wanted.event), {**matcher, "hooks": [handler]})
    text = _set_matcher(text, ours[0], wanted.matcher)
    text = _set_shell(text, ours[0], wanted.shell)
    if ours[0].command != wanted.command:
        text = set_value(text, (*_place(ours[0]), "command"), wanted.command)
    return remove_hooks(text, ours[1:], {})


def _ours(text: str, wanted: Registration) -> list[Hook]:
    return [hook for hook in find_hooks(parse(text), wanted.host) if hook.event == wanted.event]


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


def _place(hook: Hook) -> Path:
    return ("hooks", hook.event, hook.group, "hooks", hook.index)


def _check_shapes(text: str, where: str) -> None:
    settings = parse(text, where)
    if not isinstance(settings, dict):
        raise LimpetError("The settings are not a JSON object", where, HINT)
    hooks = settings.get("hooks", {})
    if not isinstance(hooks, dict):
        raise LimpetError("hooks is not a JSON object", where, HINT)
    for event, groups in hooks.items():
        if not isinstance(groups, list):
            raise LimpetError(f"hooks.{event} is not a list", where, HINT)
