"""Answers of the library to its callers, and the error for what it does not have."""

from __future__ import annotations

from limpet.ground.errors import LimpetError
from limpet.ground.values import Value
from limpet.memory.model.card import Card, Hit
from limpet.memory.model.entry import Entry
from limpet.memory.model.layout import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.ground.storage.files import Stamp


class Gone(LimpetError):
    """There is no such memory, or the reader may not see it: both have one answer, with why it may only seem so."""

    def __init__(self, key: str, why: str = "") -> None:
        super().__init__("No memory with this ID", key, why or "Run: limpet memory list")


class Stored(Value):
    """An entry and its place.

    ``entry`` has the ``scope`` and ``storage`` that the place gives it, whatever its frontmatter says.
    ``path`` is from ``memories/``.
    ``stamp`` differs between any two versions of the text.
    """

    entry: Entry
    path: str
    place: Place
    stamp: Stamp


class Problem(Value):
    """A mistake in one file.

    ``path`` is from ``memories/``.
    ``line`` counts from 1; 0 means the whole file.
    ``hint`` tells how to correct it.
    """

    path: str
    line: int
    what: str
    hint: str

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else self.path
        return f"{where}: {self.what}. {self.hint}" if self.hint else f"{where}: {self.what}"


class Listing(Value):
    """Cards that a list or a search found.

    ``hits`` are the same cards with their scores, for a search only.
    ``problems`` are files that could not be read.
    ``unread`` says that some were not read yet, "" where all were.
    """

    cards: tuple[Card, ...] = ()
    hits: tuple[Hit, ...] = ()
    problems: tuple[Problem, ...] = ()
    unread: str = ""


class Imported(Value):
    """The outcome of an import.

    ``added`` are the ids of new entries.
    ``renamed`` are (old id, new id) of entries whose id another entry has.
    ``known`` counts the entries that were there already.
    ``problems`` are entries that could not be imported.
    """

    added: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    known: int = 0
    problems: tuple[Problem, ...] = ()


class Refreshed(Value):
    """The outcome of bringing the index up to date.

    ``changed`` counts files that were read again, ``removed`` files that are gone.
    ``total`` counts the entries that the index holds now.
    ``problems`` are files that could not be read.
    ``unread`` counts those of the ``files`` for which there was no time.
    """

    changed: int
    removed: int
    total: int
    problems: tuple[Problem, ...]
    files: int = 0
    unread: int = 0
