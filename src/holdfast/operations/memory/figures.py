"""Counts of memories for ``holdfast debug`` (ADR-001 SYNAPSE D3), from the index as it is."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from holdfast.ground.workspace import Workspace


def memory_figures(
    workspace: Workspace, owners: tuple[str, ...] | None, settings: dict[str, Any], now: float
) -> dict[str, Any]:
    """Return counts by state, owner, type, sector, tier and storage, and ``index_bytes``; {} where there is no index.

    ``owners``: whose entries are counted, None for all. ``settings``: the configuration's section ``memory``.
    """
    from holdfast.memory.index.database import database_path
    from holdfast.memory.index.reading import counts, know_tiers, open_index

    index = open_index(workspace.shared)
    if index is None:
        return {}
    know_tiers(index, settings, now)
    try:
        return {**counts(index, owners), "index_bytes": os.path.getsize(database_path(workspace.shared))}
    finally:
        index.close()
