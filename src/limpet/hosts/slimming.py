"""Finds what of a project's rules is what Limpet ships, and plans its removal: it stays in force from the package.

Projects that an earlier version set up hold copies of all of it.
"""

from __future__ import annotations

import os

import limpet
from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.storage.confinement import leads_out
from limpet.ground.storage.files import names_in, read_bytes, read_text
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.hosts.file_changes import FileChange
from limpet.rules.edit.shipped import FILE, mark, read_known, without_shipped
from limpet.rules.layout import LIMPET
from limpet.rules.plan.sources import plain_rule_name

REMOVE = "Remove them? They keep working from the package; your own changes stay."
KNOWN = os.path.join(os.path.dirname(os.path.abspath(limpet.__file__)), "framework", "rules-shipped.txt")


class Surplus(Value):
    """What a project need not hold.

    ``changes``: the removal of it.
    ``files``, ``lines``: how many rule files, and lines of the manifest, it is.
    """

    changes: tuple[FileChange, ...] = ()
    files: int = 0
    lines: int = 0

    def __str__(self) -> str:
        files = f"{self.files} rule file{'s' * (self.files != 1)}"
        return f"{files} and {self.lines} manifest line{'s' * (self.lines != 1)} are what Limpet ships"


def find_surplus(workspace: Workspace) -> Surplus:
    """Return the copies of shipped rules in the project; what was changed in any way is none."""
    folder = workspace.path("rules")
    if leads_out(folder, workspace.root):
        return Surplus()
    known, folders = read_known(read_text(KNOWN) or ""), (folder,)
    changes: list[FileChange] = []
    files = lines = 0
    for name in names_in(folder):
        path = os.path.join(folder, name)
        raw = None if os.path.islink(path) else read_bytes(path, STATE_BYTES)
        text = (raw or b"").decode("utf-8", "surrogateescape")
        if name == LIMPET.manifest:
            left = without_shipped(text, known)
            lines = _count(text) - _count(left)
            after = left.encode("utf-8", "surrogateescape") or None
            changes += (
                [FileChange(path, "only what is this project's own", raw, after, folders=folders)] if lines else []
            )
        elif raw and mark(text) in known.get(f"{FILE} {plain_rule_name(name)}", ()):
            files += 1
            changes.append(FileChange(path, "shipped with Limpet", raw, None, folders=folders))
    return Surplus(tuple(changes), files, lines)


def _count(text: str) -> int:
    return sum(bool(line.strip()) for line in text.splitlines())
