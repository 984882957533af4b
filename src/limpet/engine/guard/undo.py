"""Puts a file back as it was before a turn changed it that may not (decision 58)."""

from __future__ import annotations

import os

from limpet.engine.guard.effects import Found, read_found
from limpet.engine.guard.snapshot import SHA256, UNKNOWN, mark_file, read_texts_of
from limpet.engine.guard.watched import TEXTS, effects_folder
from limpet.ground.errors import LimpetError
from limpet.ground.storage.durable import delete_file, write_durably
from limpet.ground.storage.files import mode_of, names_in
from limpet.ground.workspace import Workspace

NEW_FILE = 0o644


def undo(workspace: Workspace, path: str) -> str:
    """Put a file (absolute) back; return what was done. Raises LimpetError for one that no turn was told of, that
    changed since, or whose former text was not kept."""
    folder, found, name = _find(workspace, path)
    was, now = found.contents[name]
    if mark_file(path, "sha256" if len(now or was) == SHA256 else "sha1")[2] != now:
        raise LimpetError("The file changed since; it was left as it is", path, "compare it with git yourself")
    raw = read_texts_of(found.root, {was}, os.path.join(folder, TEXTS)).get(was)
    if was == UNKNOWN or (was and raw is None):
        raise LimpetError("Its former text was not kept", path, "it may hold a secret, or is large; see git log")
    try:
        if raw is None:
            delete_file(path)
            return "Removed: it was not there before"
        write_durably(path, raw, mode_of(path, NEW_FILE), follow=False)
        return "Put back as it was before the turn"
    except OSError as error:
        raise LimpetError(f"Cannot change the file: {error.strerror}", path, "make it writable") from error


def _find(workspace: Workspace, path: str) -> tuple[str, Found, str]:
    """Return (folder, what was found, the path as it stands there) of the newest finding about a file."""
    top, seen = effects_folder(workspace.home), []
    for folder in (os.path.join(top, name) for name in names_in(top)):
        found = read_found(folder)
        name = os.path.relpath(path, found.root).replace(os.sep, "/") if found else ""
        if found and name in found.contents:
            seen.append((found.at, folder, found, name))
    if not seen:
        raise LimpetError("No turn was told of this file", path, "See what was: limpet guard log")
    _, folder, found, name = max(seen, key=lambda each: each[0])
    return folder, found, name
