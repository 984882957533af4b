"""Where private files lie: what conversations, memories and the log leave behind, as against the project's own files.

A test that writes or reads such a file asks here, so that the files can move without it.
"""

from __future__ import annotations

import os
from pathlib import Path

from limpet.ground.workspace import Workspace, workspace_at

# Kinds that all working trees of a repository share; the others are a working tree's own.
SHARED = ("candidates", "events", "memories", "observations")


def private_path(workspace: Workspace, kind: str, *parts: str) -> str:
    """The path of a private file or folder: ``private_path(workspace, "sessions", "s.json")``."""
    return os.path.join(workspace.shared if kind in SHARED else workspace.state, kind, *parts)


def private_at(root: str | os.PathLike[str], kind: str, *parts: str) -> Path:
    """The same for the project in the folder ``root``."""
    return Path(private_path(workspace_at(str(root)), kind, *parts))


def shown(kind: str, *parts: str) -> str:
    """How a text names such a file."""
    return "/".join((".limpet", kind, *parts))
