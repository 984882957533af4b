"""Counts of what is remembered, for those who look into the engine (ADR-001 SYNAPSE D3)."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from holdfast.ground.workspace import Workspace


def memory_figures(workspace: Workspace, owners: tuple[str, ...] | None) -> dict[str, Any]:
    """Return counts of these owners' entries (None: all) by state, owner, type, sector, tier and storage, and the
    index's bytes; nothing where there is no index."""
    from holdfast.memory.index.database import database_path
    from holdfast.memory.index.reading import counts, open_index

    index = open_index(workspace.shared)
    if index is None:
        return {}
    try:
        return {**counts(index, owners), "index_bytes": os.path.getsize(database_path(workspace.shared))}
    finally:
        index.close()
