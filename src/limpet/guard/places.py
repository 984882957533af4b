"""Paths of a call as the rules compare them: absolute, without links, and as seen from the project."""

from __future__ import annotations

import os
import sys

from limpet.ground.text.globs import find_glob
from limpet.ground.values import Value
from limpet.ground.workspace import in_main_worktree
from limpet.guard.shell.command import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from limpet.guard.acts import Act
    from limpet.guard.call import Scene, ToolCall

# A write of code, wherever it leads: of a folder of sources by a formatter, of files by a patch.
CODE = "code"
WRITING, READING = ("write", CODE), ("read",)
# What takes any text and keeps none.
_SINKS = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd", "nul", "$null", "&")
_TEMPORARY = ("/tmp", "/var/tmp", "/private/tmp", "/private/var/folders", "/var/folders")
_FOLDS = sys.platform in ("darwin", "win32")


class TargetPlace(Value):
    """A path that a call touches.

    path: absolute, links followed, but for the last part of what was found changed: there the link itself is.
    inside: from the root with ``/``, in a linked worktree from that one's; "." for the root itself, "" elsewhere.
    act: the text of the act that touches it.
    named: whether a tool was given the path, so that it is exact; a shell's may be a guess, such as ".".
    is_code: whether what is written there is code, by what the act does.
    """

    path: str
    inside: str
    act: str
    named: bool = True
    is_code: bool = False

    def is_one_of(self, globs: Iterable[str]) -> bool:
        """Return whether one of the globs means it, of those in the project or, absolute, elsewhere."""
        return bool(find_glob(globs, self.inside or self.path.replace(os.sep, "/")))


def places_of(call: ToolCall, acts: Iterable[Act], scene: Scene, writing: bool) -> tuple[TargetPlace, ...]:
    """Return the places that a call writes, or those that it reads; a path that is not known is left out."""
    return tuple(_places(call, acts, scene, writing))


def lies_in_folder(path: str, folder: str) -> bool:
    """Return whether a path is a folder or below it, both without links; a glob in the path means what it may mean."""
    wanted, found = _parts(folder), _parts(path)
    return len(found) >= len(wanted) and all(_may_be(one, other) for one, other in zip(found, wanted, strict=False))


def is_scratch(place: TargetPlace, table: Mapping[str, Any]) -> bool:
    """Return whether a place holds what tools make and make again: build output and caches of the project, and the
    folder for temporary files elsewhere."""
    if place.inside:
        return place.is_one_of(table["places"]["scratch"])
    return any(lies_in_folder(place.path, each) for each in _temporary())


def _places(call: ToolCall, acts: Iterable[Act], scene: Scene, writing: bool) -> Iterator[TargetPlace]:
    if call.kind in (("write", "effect") if writing else ("read", "search")):
        yield from (_place(path, scene, path, call.kind != "effect") for path in call.paths)
    wanted = WRITING if writing else READING
    if call.kind == "tool":
        for act in acts:
            yield from (_place(path, scene, act.text) for path in call.paths if act.kind in wanted)
        return
    for act in acts:
        if act.kind in wanted and UNKNOWN not in act.target and not _is_sink(act.target):
            path = os.path.join(call.folder or scene.root, os.path.expanduser(act.target or "."))
            is_named = not act.is_wide and act.target not in ("", ".")
            yield _place(path, scene, act.text).replace(named=is_named, is_code=act.kind == CODE)


def _place(path: str, scene: Scene, act: str, follows: bool = True) -> TargetPlace:
    folder, name = os.path.split(path)
    found = os.path.realpath(path) if follows else os.path.join(os.path.realpath(folder), name)
    root = os.path.realpath(scene.root)
    seen = next((each for each in (in_main_worktree(found), found) if each and lies_in_folder(each, root)), "")
    below = os.path.relpath(seen, root) if seen else ""
    return TargetPlace(path=found, inside=below.replace(os.sep, "/"), act=act)


def _is_sink(target: str) -> bool:
    return target.lower() in _SINKS or target.startswith(("/dev/fd/", "&"))


def _temporary() -> tuple[str, ...]:
    named = map(os.environ.get, ("TMPDIR", "TEMP", "TMP"))
    return tuple(os.path.realpath(folder) for folder in (*named, *_TEMPORARY) if folder)


def _parts(path: str) -> list[str]:
    path = os.path.normcase(path).replace(os.sep, "/")
    return (path.casefold() if _FOLDS else path).rstrip("/").split("/")


def _may_be(pattern: str, name: str) -> bool:
    """Return whether a name, which may be a shell's glob, may stand for this name, of one with a dot only where it has
    that too; brackets and braces may stand for anything."""
    if pattern == name:
        return True
    if not any(sign in pattern for sign in "*?[{"):
        return False
    is_hidden = name[:1] == "." and pattern[:1] != "."
    return any(sign in pattern for sign in "[{") or (not is_hidden and bool(find_glob((pattern,), name)))
