"""Which memories a person decided on, or wants to be asked about no more. Apart, because the hook asks."""

from __future__ import annotations

import os

from limpet.ground.clock import iso
from limpet.ground.storage.files import read_text, stamp, write_atomic
from limpet.ground.workspace import Workspace


def looked_at(workspace: Workspace) -> frozenset[str]:
    return frozenset((read_text(_path(workspace)) or "").split())


def look_at(workspace: Workspace, ids: list[str]) -> None:
    """Raise OSError."""
    known = read_text(_path(workspace)) or ""
    write_atomic(_path(workspace), known + "".join(f"{name}\n" for name in ids), follow=False)


def last_look(workspace: Workspace) -> str:
    """In ISO 8601, "" where nobody looked."""
    return iso(found[0] / 1e9) if (found := stamp(_path(workspace))) else ""


def _path(workspace: Workspace) -> str:
    return os.path.join(workspace.shared, "looked-at")
