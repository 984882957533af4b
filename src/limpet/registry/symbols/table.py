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


class SymbolIndex(Value):
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
        self.offsets = view[HEAD : HEAD + NUMBER * (self.buckets + 1)]
        self.records_at = HEAD + NUMBER * (self.buckets + 1)
        self.words = self.records_at + NUMBER * (self.symbols + 1)
        self.records = self.words + int(about["words"])
        self.rest = self.records + int(about["records"])

    def find(self, word: str) -> tuple[int, list[int]]:
        """The word's weight, 0 for one that no symbol has, and the symbols that it finds."""
        at = NUMBER * bucket_of(word, self.buckets)
        begin, end = _number(self.offsets, at), _number(self.offsets, at + NUMBER)
        text = b"\n" + self.view[self.words + begin : self.words + end]
        sought = b"\n%b " % word.encode()
        found = text.find(sought)
        if found < 0:
            return 0, []
        start = found + len(sought)
        weight, *numbers = text[start : text.find(b"\n", start)].split()
        return int(weight), list(map(int, numbers))

    def symbol_of(self, number: int) -> Symbol:
        at = self.records_at + NUMBER * number
        pair = self.view[at : at + 2 * NUMBER]
        begin, end = _number(pair, 0), _number(pair, NUMBER)
        row: Any = loads(self.view[self.records + begin : self.records + end].decode())
        values = (*row[:6], *map(tuple, row[6:]))
        return Symbol(*values)

    def whole(self) -> SymbolIndex:
        self.view = self.view[0 : len(self.view)]
        rest: Any = loads(self.view[self.rest :].decode())
        symbols = tuple(self.symbol_of(number) for number in range(self.symbols))
        files = tuple(ScannedFile(*row) for row in rest["files"])
        return SymbolIndex(self.head, files, symbols, tuple(rest["gone"]))


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


def _number(raw: bytes, at: int) -> int:
    return int.from_bytes(raw[at : at + NUMBER], "little")
