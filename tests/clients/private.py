"""Where private files of a project lie."""

from __future__ import annotations

import os
from pathlib import Path

from limpet.ground.workspace import workspace_at

SHARED = ("candidates", "events", "memories")


def private_at(project: Path, kind: str, *parts: str) -> Path:
    """A private file or folder: ``private_at(project, "sessions", "s.json")``."""
    workspace = workspace_at(str(project))
    return Path(os.path.join(workspace.shared if kind in SHARED else workspace.state, kind, *parts))
