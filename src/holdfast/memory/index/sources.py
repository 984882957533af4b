"""Entries' files read for the index: the entry, or the mistakes that keep it from being read."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping

from holdfast.ground.config.defaults import CACHE_BYTES
from holdfast.ground.errors import HoldfastError
from holdfast.ground.storage.files import UNRELIABLE, is_larger, is_reliable, read_bytes
from holdfast.ground.values import Value
from holdfast.memory.files.codec import read_entry_text
from holdfast.memory.files.verify import verify_text
from holdfast.memory.model.entry import KEEP_LESS, LARGEST, Entry
from holdfast.memory.model.layout import memories
from holdfast.memory.model.problem import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.ground.storage.files import Stamp


class Source(Value):
    """A file as the index reads it. It has neither entry nor problems where it is gone meanwhile.

    ``path`` is from ``memories/``.
    """

    path: str
    stamp: Stamp
    entry: Entry | None
    problems: tuple[Problem, ...] = ()


def read_sources(shared: str, stamps: Mapping[str, Stamp]) -> Iterator[Source]:
    """Yield the files in the order in which they are given.

    A stamp so fresh that an edit could repeat it is not kept, so that the file is read once more next time.
    """
    folder = memories(shared)
    for path, seen in stamps.items():
        mark = seen if is_reliable(seen, time.time_ns()) else UNRELIABLE
        full = os.path.join(folder, *path.split("/"))
        raw = read_bytes(full, CACHE_BYTES)
        if raw is None and is_larger(full, CACHE_BYTES):
            what = f"File is larger than {CACHE_BYTES // 2**20} MB and is ignored"
            yield Source(path, mark, None, (Problem(path, 0, what, KEEP_LESS),))
        else:
            yield Source(path, mark, None) if raw is None else _read(path, mark, raw)


def by_name(path: str) -> tuple[str, str]:
    """Return the key that puts files in the order of their names, which begin with their dates."""
    return path.rpartition("/")[2], path


def _read(path: str, mark: Stamp, raw: bytes) -> Source:
    try:
        if len(raw) <= LARGEST:
            return Source(path, mark, read_entry_text(raw.decode(), path))
    except (HoldfastError, UnicodeDecodeError):
        pass
    unreadable = Problem(path, 0, "Unreadable entry", "Run: holdfast memory upkeep --check")
    return Source(path, mark, None, tuple(verify_text(path, raw)) or (unreadable,))
