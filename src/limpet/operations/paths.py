"""Paths as people type them, made relative to the project's root."""

from __future__ import annotations

import os

from limpet.ground.workspace import Workspace


def from_root(workspace: Workspace, path: str) -> str:
    """Return a path, typed in the process's folder, from the project's root and with ``/``; unchanged where it leads
    out of the project."""
    inside = os.path.relpath(os.path.abspath(path), workspace.root)
    return path if inside.startswith(os.pardir) else inside.replace(os.sep, "/")
