"""An index of entries without files: other corpora have ids that no file holds; files take minutes to write."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from limpet.ground.storage.files import UNRELIABLE
from limpet.memory.index.database import database_path
from limpet.memory.index.database_file import replacing
from limpet.memory.index.filing import join_postings, write_names
from limpet.memory.index.indexing import IndexSource, index_sources
from limpet.memory.model.entry import MemoryEntry


def index_entries(
    shared: str, entries: Iterable[tuple[str, MemoryEntry]], settings: dict[str, Any], now: float
) -> None:
    """Make a new index of these entries (path from ``memories/`` and entry), whatever is on the disk."""
    sources = (IndexSource(path, UNRELIABLE, {path: entry}) for path, entry in entries)
    with replacing(database_path(shared)) as connection:
        index_sources(connection, shared, sources, [], settings, now)
        join_postings(connection)
        write_names(connection, shared, now)
