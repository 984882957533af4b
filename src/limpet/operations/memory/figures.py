"""What the index tells as it is, since bringing it up to date would take too long: counts for ``limpet debug``
(ADR-001 SYNAPSE D3), and the memories that shell completion offers."""

from __future__ import annotations

import os

from limpet.memory.index.database import database_path
from limpet.memory.index.reading import counts, get_cards, know_tiers, open_index
from limpet.memory.model.access import Reader, owners
from limpet.memory.model.card import Card, Query

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.ground.workspace import Workspace

# More than this no shell shows.
OFFERED = 200


def memory_figures(
    workspace: Workspace, owners: tuple[str, ...] | None, settings: dict[str, Any], now: float
) -> dict[str, Any]:
    """Return counts by state, owner, type, sector, tier and storage, and ``index_bytes``; {} where there is no index.

    ``owners``: whose entries are counted, None for all. ``settings``: the configuration's section ``memory``.
    """
    index = open_index(workspace.shared)
    if index is None:
        return {}
    try:
        know_tiers(index, settings, now)
        return {**counts(index, owners), "index_bytes": os.path.getsize(database_path(workspace.shared))}
    finally:
        index.close()


def offered_cards(workspace: Workspace, reader: Reader) -> tuple[Card, ...]:
    """Return the newest cards that the reader may see, the archived ones too; none where there is no index."""
    index = open_index(workspace.shared)
    if index is None:
        return ()
    try:
        query = Query(owners=owners(reader), valid=False, states=("current", "archive"), limit=OFFERED)
        return tuple(get_cards(index, query))
    finally:
        index.close()
