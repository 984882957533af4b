"""Reads tool calls of hosts whose arguments differ in their names alone as calls that the guard judges."""

from __future__ import annotations

import os

from limpet.ground.formats.json_text import loads
from limpet.ground.values import Value
from limpet.guard.call import ToolCall
from limpet.hosts.payload import edits_in, files_in, folder_of_pattern, is_one_new_file, payload_text_of, texts_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.ground.event import Event

    Given = Mapping[str, object]
    Edits = tuple[tuple[str, str, bool], ...]


class CallNames(Value):
    """What a host calls tools and arguments.

    ``kinds``: tool -> kind of its call; any other counts as a foreign tool.
    ``sending``: the tools that hand a text on.
    ``command``, ``folder``: of a shell call.
    ``files``, ``searched``: those that name files, and the folders of a search; ``inside`` says which files in them, of
    one tool ``patterns``.
    ``whole``, ``old``, ``new``: of a write; ``parts`` holds several, each perhaps with a file; ``patch`` is a text;
    ``everywhere`` says that all occurrences are meant.
    ``writing``: the tools that write a whole file, () where the arguments tell it.
    ``powershell``: the tool whose commands are PowerShell's; "" where the system tells it.
    """

    kinds: Mapping[str, str]
    command: tuple[str, ...]
    folder: tuple[str, ...]
    files: tuple[str, ...]
    searched: tuple[str, ...]
    inside: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()
    old: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    patch: str = ""
    sending: tuple[str, ...] = ()
    patterns: Mapping[str, str] = {}
    everywhere: str = ""
    writing: tuple[str, ...] = ()
    powershell: str = ""


def read_named_call(event: Event, names: CallNames) -> ToolCall | None:
    tool, given = event.tool, event.tool_input or {}
    if not tool:
        return None
    kind = names.kinds.get(tool, "tool")
    is_shell, is_write = kind == "shell", kind == "write"
    patch = payload_text_of(given, names.patch) if is_write and names.patch else ""
    below = payload_text_of(given, *names.folder) if is_shell else ""
    found = _paths(tool, kind, given, names, event.cwd, patch)
    paths = [os.path.normpath(os.path.join(event.cwd, path)) for path in found]
    whole = payload_text_of(given, *names.whole) if is_write else ""
    is_whole = tool in names.writing if names.writing else bool(whole)
    is_powershell = tool == names.powershell if names.powershell else os.name == "nt"
    return ToolCall(
        kind=kind,
        tool=tool,
        command=payload_text_of(given, *names.command) if is_shell else "",
        shell="powershell" if is_powershell else "posix",
        paths=tuple(dict.fromkeys(paths)),
        edits=_edits(given, names, patch, whole if is_whole else None) if is_write else (),
        whole=is_one_new_file(patch) if patch else is_whole,
        folder=os.path.normpath(os.path.join(event.cwd, below)) if below else event.cwd,
        sent=texts_in(given) if tool in names.sending else (),
    )


def _paths(tool: str, kind: str, given: Given, names: CallNames, folder: str, patch: str) -> list[str]:
    if kind == "search":
        searched = _texts(given, names.searched) or [folder]
        inside = folder_of_pattern(payload_text_of(given, *names.inside, names.patterns.get(tool, "")))
        return [*searched, *(os.path.join(each, inside) for each in searched if inside)]
    if kind not in ("read", "write", "tool"):
        return []
    named = _texts(given, names.files)
    for part in _parts(given, names):
        named += _texts(part, names.files)
    if kind == "tool":
        named = [path for path in named if os.path.isabs(path)]
    return [*map(os.path.expanduser, named), *files_in(patch)]


def _texts(given: Given, names: tuple[str, ...]) -> list[str]:
    found: list[str] = []
    for name in names:
        value = given.get(name)
        several = value if isinstance(value, list) else [value]
        found += [each.removeprefix("file://") for each in several if isinstance(each, str) and each]
    return found


def _parts(given: Given, names: CallNames) -> list[Given]:
    """A client may give a list as the text of one."""
    found: list[Given] = []
    for name in names.parts:
        value = given.get(name)
        try:
            several = loads(value) if isinstance(value, str) and value else value
        except ValueError:
            several = None
        found += [each for each in several if isinstance(each, dict)] if isinstance(several, list) else []
    return found


def _edits(given: Given, names: CallNames, patch: str, whole: str | None) -> Edits:
    """``whole``: the text of the whole file, None for a part of one."""
    if patch:
        return edits_in(patch)
    if whole is not None:
        return (("", whole, False),)
    found = []
    for part in (given, *_parts(given, names)):
        old, new = payload_text_of(part, *names.old), payload_text_of(part, *names.new)
        if old or new:
            found.append((old, new, part.get(names.everywhere) is True))
    return tuple(found)
