"""Reads a file's lines from its end: transcripts grow to hundreds of MB, and the newest lines are what counts."""

from __future__ import annotations

import os

from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

CHUNK = 65_536
# Bytes from the end within which usage and a needle are looked for, and of an epoch: the newest are what matters.
USAGE_SCAN, NEEDLE_SCAN, EPOCH = 64 * 1024 * 1024, 8 * 1024 * 1024, 4 * 1024 * 1024
# Files among which the parent is.
PARENT_CANDIDATES = 20
# Bytes of a line that are held in memory, and of a piece of a longer one.
LONGEST_LINE = 16 * 1024 * 1024
_CHUNK = 1024 * 1024


def lines_from_end(
    path: str, chunk: int = CHUNK, limit: int | None = None, end: int | None = None
) -> Iterator[tuple[int, bytes]]:
    """(Byte offset, line without its line end), the last first; a last line that lacks its newline counts. Reads
    ``chunk`` bytes at a time and only as consumed. With ``limit``, at most the last ``limit`` bytes are read, and the
    line they begin within is left out. ``end``: a line's end that counts as the file's. No lines where there is no
    readable regular file."""
    start = size = size_of(path) if end is None else min(end, size_of(path))
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
    """``needle`` must be JSON-escaped: the bytes are compared as they stand in the file."""
    for _, line in lines_from_end(path, limit=limit):
        if is_boundary(line):
            return False
        if needle in line:
            return True
    return False


def epoch_start(path: str, is_boundary: Callable[[bytes], bool], limit: int = EPOCH) -> int:
    """The newest boundary's line, or that at which the last ``limit`` bytes begin with a line."""
    start = 0
    for offset, line in lines_from_end(path, limit=limit):
        start = offset
        if is_boundary(line):
            break
    return start


def size_of(path: str) -> int:
    """0 where there is no readable regular file."""
    try:
        return os.path.getsize(path) if os.path.isfile(path) and os.access(path, os.R_OK) else 0
    except OSError:
        return 0


def neighbours(path: str) -> list[str]:
    """Those with the same ending, the one changed last first."""
    folder, ending = os.path.dirname(path), os.path.splitext(path)[1]
    try:
        entries = [entry for entry in os.scandir(folder) if entry.name.endswith(ending) and entry.path != path]
        entries.sort(key=lambda entry: entry.stat().st_mtime_ns, reverse=True)
    except OSError:
        return []
    return [entry.path for entry in entries]


def neighbour_that_used(path: str, used: int, read_usage: Callable[[str], Reading]) -> str:
    """The file beside ``path`` whose last answer used exactly ``used`` tokens: a forked session starts before its own
    transcript exists and does not name its parent; the host tells only how full the parent was."""
    for candidate in neighbours(path)[:PARENT_CANDIDATES] if used else ():
        if read_usage(candidate).used == used:
            return candidate
    return ""


class Reading(Value):
    """``used``: tokens of the newest answer; None if unknown, or void after a compaction, as ``model`` and ``at`` are.
    ``window``: the tokens that the window holds, as the host told with that answer; None for a host that does not.
    ``at``: the byte at which that answer's line begins.
    ``boundary``: the byte at which the newest compaction's line begins; None where an answer before the last one came
    after it, and for some hosts where any did.
    ``size``: the file's bytes, 0 where it cannot be read.
    """

    used: int | None = None
    model: str | None = None
    boundary: int | None = None
    at: int | None = None
    size: int = 0
    window: int | None = None


class Branching(Value):
    """What the newest prompt comes from. ``at``: the byte at which its line begins; ``left``: of earlier prompts' lines
    those that it does not come from, because the person went back; ``anew``: whether it comes from no line at all."""

    at: int
    left: tuple[int, ...] = ()
    anew: bool = False


def lines_from(path: str, since: int, limit: int, longest: int = LONGEST_LINE) -> Iterator[tuple[int, int, bytes]]:
    """(Byte offset, offset of the next line, line without its line end) of each whole line from byte ``since``. Ends
    with the line that reaches ``limit`` bytes. A last line that lacks its newline is left for next time. Where no line
    begins at ``since`` the file was replaced, and is read from its start. A line of more than ``longest`` bytes comes
    empty and is never held. No lines where there is no readable regular file."""
    if not size_of(path):  # a device would never end, and a FIFO never begin
        return
    try:
        with open(path, "rb") as file:
            start = at = since if _is_line_start(file, since) else 0
            file.seek(start)
            while at - start < limit:
                line, size = _read_line(file, longest)
                if not size:
                    return
                yield at, at + size, line
                at += size
    except OSError:
        return


def _blocks_from_end(path: str, floor: int, size: int, chunk: int) -> Iterator[tuple[int, bytes]]:
    """Ends early if the file shrinks."""
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


def _is_line_start(file: BinaryIO, offset: int) -> bool:
    if offset <= 0 or file.seek(0, 2) < offset:
        return False
    file.seek(offset - 1)
    return file.read(1) == b"\n"


def _read_line(file: BinaryIO, longest: int) -> tuple[bytes, int]:
    line = file.readline(longest)
    size = len(line)
    if line.endswith(b"\n"):
        return line.rstrip(b"\r\n"), size
    while piece := file.readline(_CHUNK):
        size += len(piece)
        if piece.endswith(b"\n"):
            return b"", size
    return b"", 0
