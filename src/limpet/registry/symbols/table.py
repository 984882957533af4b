"""The symbols of a project as one file: for a command the whole of it, for the hook a table of words of which it reads
what it needs. Head, offsets of the buckets, offsets of the records, buckets, records, files."""

from __future__ import annotations

import os

from limpet.ground.formats.json_text import loads
from limpet.ground.storage.files import view_file
from limpet.ground.storage.user_folders import SYMBOLS
from limpet.ground.values import Value
from limpet.registry.symbols.symbol import Symbol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.ground.storage.files import FileView

# Bytes of its head and of an offset.
VERSION, HEAD, NUMBER = 2, 256, 4
_PRIME = 1_000_003


class ScannedFile(Value):
    """``symbols``: how many of the index's are its. ``hash``: of its bytes."""

    path: str
    size: int
    modified: int
    hash: str
    symbols: int


class Index(Value):
    """``head``: the commit that was checked out, "" outside of git. ``gone``: names that an earlier scan found and
    this one does not."""

    head: str
    files: tuple[ScannedFile, ...] = ()
    symbols: tuple[Symbol, ...] = ()
    gone: tuple[str, ...] = ()


class SymbolTable:
    """The index as the hook reads it: a word, or a symbol by its number."""

    def __init__(self, view: FileView | bytes, about: dict[str, Any]) -> None:
        self.view = view
        self.head = str(about["head"])
        self.rarest = int(about["rarest"])
        self.buckets, self.symbols = int(about["buckets"]), int(about["symbols"])
        self.records_at = HEAD + NUMBER * (self.buckets + 1)
        self.words = self.records_at + NUMBER * (self.symbols + 1)
        self.records = self.words + int(about["words"])
        self.rest = self.records + int(about["records"])

    def find(self, word: str) -> tuple[int, list[int]]:
        """The word's weight, 0 for one that no symbol has, and the symbols that it finds."""
        text = self._part(HEAD, bucket_of(word, self.buckets), self.words)
        for line in text.split(b"\n"):
            known, _, held = line.partition(b" ")
            if known.decode() == word:
                weight, *numbers = map(int, held.split())
                return weight, numbers
        return 0, []

    def symbol_of(self, number: int) -> Symbol:
        row: Any = loads(self._part(self.records_at, number, self.records).decode())
        values = (*row[:6], *map(tuple, row[6:]))
        return Symbol(*values)

    def whole(self) -> Index:
        self.view = self.view[0 : len(self.view)]
        rest: Any = loads(self.view[self.rest :].decode())
        symbols = tuple(self.symbol_of(number) for number in range(self.symbols))
        files = tuple(ScannedFile(*row) for row in rest["files"])
        return Index(self.head, files, symbols, tuple(rest["gone"]))

    def _part(self, table: int, number: int, data: int) -> bytes:
        at = table + NUMBER * number
        pair = self.view[at : at + 2 * NUMBER]
        begin, end = int.from_bytes(pair[:NUMBER], "little"), int.from_bytes(pair[NUMBER:], "little")
        return self.view[data + begin : data + end]


def open_table(folder: str) -> SymbolTable | None:
    """None for no index that can be read."""
    view = view_file(os.path.join(folder, SYMBOLS))
    if view is None:
        return None
    try:
        about: Any = loads(view[0:HEAD].decode())
        return SymbolTable(view, about) if about["version"] == VERSION else None
    except (ValueError, KeyError, TypeError):
        return None


def bucket_of(word: str, buckets: int) -> int:
    return int.from_bytes(word.encode(), "little") % _PRIME % buckets
