"""The index of a project's symbols: made of what changed since the last time, and read whole for who asks."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import accumulate
from math import log
from typing import Any

from limpet.ground.digest import checksum
from limpet.ground.repository import read_commit
from limpet.ground.storage.files import read_bytes, write_atomic
from limpet.ground.storage.user_folders import SYMBOLS
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.registry.symbols.files import LARGEST, look_at, source_files
from limpet.registry.symbols.parsing import has_grammar, parse_symbols
from limpet.registry.symbols.symbol import Symbol, is_compared
from limpet.registry.symbols.table import HEAD, NUMBER, VERSION, ScannedFile, SymbolIndex, bucket_of, open_table
from limpet.registry.symbols.written import language_of

# Symbols that a word may find: one that more have finds none. Only those that are compared are found.
MOST_HELD = 100
# Names that are remembered as gone.
MOST_GONE = 2000
# The commit of no scan.
_NEVER = "never"
Progress = Callable[[int, int], None]


class Scan(Value):
    """What a scan did. ``read``: files that were parsed anew. ``unread``: language -> files for which there is no
    grammar. ``skipped``: too large, or not readable.
    ``gone``: names that an earlier scan found."""

    files: int
    read: int
    symbols: int
    unread: dict[str, int]
    skipped: tuple[str, ...]
    gone: tuple[str, ...] = ()


def read_symbols(workspace: Workspace) -> tuple[Symbol, ...]:
    """Of the last scan; none where there was none."""
    return _read_index(workspace).symbols


def scan_symbols(workspace: Workspace, report: Progress | None = None) -> Scan:
    """Bring the index up to date. Raise OSError where it cannot be written."""
    before = _read_index(workspace)
    known, at = {}, 0
    for file in before.files:
        known[file.path] = (file, before.symbols[at : at + file.symbols])
        at += file.symbols
    head = read_commit(workspace.root)
    files: list[ScannedFile] = []
    symbols: list[Symbol] = []
    unread: Counter[str] = Counter()
    skipped: list[str] = []
    read = 0
    paths = source_files(workspace.root)
    for number, path in enumerate(paths, 1):
        if report:
            report(number, len(paths))
        if not has_grammar(language_of(path)):
            unread[language_of(path)] += 1
            continue
        found = _scan_file(workspace.root, path, known.get(path))
        if found is None:
            skipped.append(path)
            continue
        file, of_file, is_new = found
        read += is_new
        files.append(file)
        symbols += of_file
    gone = _gone(before, symbols)
    after = SymbolIndex(head, tuple(files), tuple(symbols), gone)
    if after != before:
        write_atomic(workspace.kept(SYMBOLS), pack_index(after), follow=False)
    return Scan(len(files), read, len(symbols), dict(unread), tuple(skipped), gone)


def pack_index(index: SymbolIndex) -> bytes:
    """As ``table`` reads it."""
    holders: dict[str, list[int]] = {}
    counts: Counter[str] = Counter()
    for number, symbol in enumerate(index.symbols):
        for word in symbol.finding if is_compared(symbol) else ():
            holders.setdefault(word, []).append(number)
        counts.update(symbol.finding.union(symbol.body))
    buckets = max(64, len(counts) // 4)
    lines: list[list[str]] = [[] for _ in range(buckets)]
    for word, count in counts.items():
        held = holders.get(word, ())
        numbers = " ".join(map(str, held)) if len(held) <= MOST_HELD else ""
        weight = round(100 * log((len(index.symbols) + 1) / count))
        lines[bucket_of(word, buckets)].append(f"{word} {weight} {numbers}\n")
    words = ["".join(each).encode() for each in lines]
    records = [json.dumps(_row(symbol), separators=(",", ":")).encode() for symbol in index.symbols]
    rest = json.dumps({"files": [_row(file) for file in index.files], "gone": index.gone}).encode()
    sizes = sum(map(len, words)), sum(map(len, records))
    about = {"version": VERSION, "head": index.head, "buckets": buckets, "symbols": len(records)}
    rarest = round(100 * log(len(index.symbols) + 1))
    head = json.dumps(about | {"words": sizes[0], "records": sizes[1], "rarest": rarest}).encode().ljust(HEAD)
    return b"".join((head, _offsets(words), _offsets(records), *words, *records, rest))


def _read_index(workspace: Workspace) -> SymbolIndex:
    table = open_table(workspace.state)
    try:
        return table.whole() if table else SymbolIndex(_NEVER)
    except (ValueError, TypeError, KeyError):  # a part of it is damaged
        return SymbolIndex(_NEVER)


def _scan_file(
    root: str, path: str, known: tuple[ScannedFile, tuple[Symbol, ...]] | None
) -> tuple[ScannedFile, tuple[Symbol, ...], bool] | None:
    """The file as it is now, its symbols, and whether it was read anew; None for one that is left out."""
    about = look_at(root, path)
    if about is None or about.st_size > LARGEST:
        return None
    if known and (known[0].size, known[0].modified) == (about.st_size, about.st_mtime_ns):
        return *known, False
    raw = read_bytes(os.path.join(root, path), LARGEST)
    if raw is None:
        return None
    content = checksum(raw).hex()
    is_same = known is not None and known[0].hash == content
    found = known[1] if known and is_same else parse_symbols(raw, path, language_of(path))
    return ScannedFile(path, about.st_size, about.st_mtime_ns, content, len(found)), found, not is_same


def _gone(before: SymbolIndex, symbols: Iterable[Symbol]) -> tuple[str, ...]:
    names = {symbol.name for symbol in symbols}
    once = dict.fromkeys((*before.gone, *(symbol.name for symbol in before.symbols)))
    return tuple(name for name in once if name not in names)[-MOST_GONE:]


def _offsets(parts: list[bytes]) -> bytes:
    return b"".join(at.to_bytes(NUMBER, "little") for at in accumulate(map(len, parts), initial=0))


def _row(value: Value) -> list[Any]:
    return [getattr(value, name) for name in value.fields]
