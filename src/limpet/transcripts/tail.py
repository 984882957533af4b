"""Reads a file's lines from its end: transcripts grow to hundreds of MB, and the newest lines are what counts."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CHUNK = 65_536
# Bytes from the end that are searched for a needle, and of an epoch: the newest are what matters.
NEEDLE_SCAN, EPOCH = 8 * 1024 * 1024, 4 * 1024 * 1024


def lines_from_end(path: str, chunk: int = CHUNK, limit: int | None = None) -> Iterator[tuple[int, bytes]]:
    """Yield (byte offset, line without its line end) of each line, the last first.

    Reads ``chunk`` bytes at a time and only as consumed. A last line that lacks its newline counts as a line.
    With ``limit``, at most the last ``limit`` bytes are read, and the line they begin within is left out.
    No lines where there is no readable regular file.
    """
    start = size = size_of(path)
    if not size:
        return
    floor = 0 if limit is None else max(0, size - limit)
    rest: list[bytes] = []  # pieces of the line whose start is not reached yet, last piece first
    for start, block in _blocks_from_end(path, floor, size, chunk):
        end = len(block)
        while (cut := block.rfind(b"\n", 0, end)) >= 0:
            if start + cut + 1 < size:
                yield start + cut + 1, _join(block[cut + 1 : end], rest)
            rest, end = [], cut
        rest.append(block[:end])
    if start == 0:
        yield 0, _join(b"", rest)


def holds_since(path: str, needle: bytes, is_boundary: Callable[[bytes], bool], limit: int = NEEDLE_SCAN) -> bool:
    """Return whether a line after the newest boundary, within the last ``limit`` bytes, contains ``needle``.

    The bytes are compared as they stand in the file, so ``needle`` must be JSON-escaped.
    """
    for _, line in lines_from_end(path, limit=limit):
        if is_boundary(line):
            return False
        if needle in line:
            return True
    return False


def epoch_start(path: str, is_boundary: Callable[[bytes], bool], limit: int = EPOCH) -> int:
    """Return the byte of the newest boundary's line, or that at which the last ``limit`` bytes begin with a line."""
    start = 0
    for offset, line in lines_from_end(path, limit=limit):
        start = offset
        if is_boundary(line):
            break
    return start


def size_of(path: str) -> int:
    """Return the bytes in the readable regular file at ``path``; 0 where there is none."""
    try:
        return os.path.getsize(path) if os.path.isfile(path) and os.access(path, os.R_OK) else 0
    except OSError:
        return 0


def _blocks_from_end(path: str, floor: int, size: int, chunk: int) -> Iterator[tuple[int, bytes]]:
    """Yield (offset, bytes) of adjoining blocks from ``size`` down to ``floor``; ends early if the file shrinks."""
    try:
        with open(path, "rb", buffering=0) as file:
            for end in range(size, floor, -chunk):
                start = max(floor, end - chunk)
                file.seek(start)
                block = file.read(end - start)
                if len(block) < end - start:
                    return
                yield start, block
    except OSError:
        return


def _join(head: bytes, rest: list[bytes]) -> bytes:
    return b"".join([head, *reversed(rest)]).removesuffix(b"\r")


def neighbours(path: str) -> list[str]:
    """Return the other files with the same ending in the folder of ``path``, the one changed last first."""
    folder, ending = os.path.dirname(path), os.path.splitext(path)[1]
    try:
        entries = [entry for entry in os.scandir(folder) if entry.name.endswith(ending) and entry.path != path]
        entries.sort(key=lambda entry: entry.stat().st_mtime_ns, reverse=True)
    except OSError:
        return []
    return [entry.path for entry in entries]
