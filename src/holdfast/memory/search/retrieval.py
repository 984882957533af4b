"""Picks the search that commands use: by the database's terms, or by the extra ``fast`` where it pays.

Separate from ``search``, because the prompt hook uses the search by words alone.
"""

from __future__ import annotations

from typing import Any

from holdfast.memory.search import fast
from holdfast.memory.search.search import choose_by_terms, search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from holdfast.memory.model.card import Hit, Query
    from holdfast.memory.search.search import Choose


class Retrieval:
    """Search in the memories of ``shared``; kept by a door that lives long, so that nothing is loaded twice.

    ``settings``: the configuration's section.
    """

    def __init__(self, shared: str, settings: dict[str, Any]) -> None:
        self.shared = shared
        self.settings = settings
        self._fast: fast.Fast | None = None

    def search(self, connection: Connection, query: Query) -> list[Hit]:
        """Return the best of the entries that the query's filters leave, as ``search.search`` does."""
        return search(connection, query, self.settings, choose=self._choose(connection))

    def describe(self, connection: Connection) -> tuple[str, ...]:
        """Return a line for each part of the search, for people."""
        return (fast.describe(self.shared, connection),)

    def _choose(self, connection: Connection) -> Choose:
        if not fast.pays(connection):
            return choose_by_terms
        if self._fast is None or not self._fast.keeps_step(connection):
            self._fast = fast.follow(self.shared, connection)
        return self._fast.choose if self._fast else choose_by_terms
