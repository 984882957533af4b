"""Files of the project by the names that people type."""

from __future__ import annotations

import os

from holdfast.ground.workspace import Workspace


def from_root(workspace: Workspace, path: str) -> str:
    """Return a path, typed in the process's folder, from the project's root and with ``/``; as it is where it leads
    elsewhere."""
    inside = os.path.relpath(os.path.abspath(path), workspace.root)
    return path if inside.startswith(os.pardir) else inside.replace(os.sep, "/")
