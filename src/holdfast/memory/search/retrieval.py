"""Picks the search that commands use: by words, or with the extras that are installed and configured.

Separate from ``search``, because the prompt hook uses the search by words alone.
"""

from __future__ import annotations

from typing import Any

from holdfast.ground.errors import HoldfastError
from holdfast.memory.search import encoders, fast, semantic, vectors
from holdfast.memory.search.search import choose_by_terms, search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from holdfast.memory.model.card import Hit, Query
    from holdfast.memory.search.encoders import Encoder
    from holdfast.memory.search.search import Choose
    from holdfast.memory.search.semantic import Semantic


class Retrieval:
    """Search in the memories of ``shared``; kept by a door that lives long, so that nothing is loaded twice.

    ``settings``: the configuration's section; its ``semantic`` names an encoder, or none.
    ``notes``: what was unavailable and is done without.
    """

    def __init__(self, shared: str, settings: dict[str, Any], encoder: Encoder | None = None) -> None:
        self.shared = shared
        self.settings = settings
        self.notes: tuple[str, ...] = ()
        self._encoder = encoder
        self._semantic: Semantic | None = None
        self._fast: fast.Fast | None = None

    def search(self, connection: Connection, query: Query) -> list[Hit]:
        """Return the best of the entries that the query's filters leave, as ``search.search`` does."""
        choose, meaning = self._choose(connection), self._meaning(connection)
        if meaning is None:
            return search(connection, query, self.settings, choose=choose)
        asked = semantic.Asked(meaning, connection, choose)
        return search(connection, query, self.settings, choose=asked.choose, rescore=asked.rescore)

    def describe(self, connection: Connection) -> tuple[str, ...]:
        """Return a line for each part of the search, for people."""
        meaning = self._meaning(connection)
        by_meaning = f"semantic search by {meaning.encoder.name}" if meaning else "semantic search is off"
        return (fast.describe(self.shared, connection), by_meaning, *self.notes)

    def _choose(self, connection: Connection) -> Choose:
        if not fast.pays(connection):
            return choose_by_terms
        if self._fast is None or not self._fast.keeps_step(connection):
            self._fast = fast.follow(self.shared, connection)
        return self._fast.choose if self._fast else choose_by_terms

    def _meaning(self, connection: Connection) -> Semantic | None:
        encoder = self._find_encoder()
        if encoder is None:
            return None
        if self._semantic is None or self._semantic.state != vectors.state_of(connection, encoder):
            fusion = semantic.FUSED.replace(meaning=self.settings["semantic"]["weight"])
            self._semantic = semantic.load(self.shared, connection, encoder, fusion)
        return self._semantic

    def _find_encoder(self) -> Encoder | None:
        name = str(self.settings["semantic"]["encoder"])
        if self._encoder is None and name and not self.notes:
            try:
                self._encoder = encoders.load_encoder(name)
            except HoldfastError as error:
                self.notes = (str(error),)
        return self._encoder
