"""Reads a file's lines from a byte onwards, so that a grown transcript costs no more than what was added to it."""

from __future__ import annotations

from limpet.transcripts.tail import size_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

# Bytes of a line that are held in memory, and of a piece of a longer one.
LONGEST_LINE = 16 * 1024 * 1024
_CHUNK = 1024 * 1024


def lines_from(path: str, since: int, limit: int, longest: int = LONGEST_LINE) -> Iterator[tuple[int, int, bytes]]:
    """Yield (byte offset, offset of the next line, line without its line end) of each whole line from byte ``since``.

    Ends with the line that reaches ``limit`` bytes. A last line that lacks its newline is left for next time. Where no
    line begins at ``since`` the file was replaced, and is read from its start. A line of more than ``longest`` bytes
    comes empty and is never held. No lines where there is no readable regular file.
    """
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


def _is_line_start(file: BinaryIO, offset: int) -> bool:
    if offset <= 0 or file.seek(0, 2) < offset:
        return False
    file.seek(offset - 1)
    return file.read(1) == b"\n"


def _read_line(file: BinaryIO, longest: int) -> tuple[bytes, int]:
    """Return (line, its bytes with the line end), 0 bytes where no whole line follows."""
    line = file.readline(longest)
    size = len(line)
    if line.endswith(b"\n"):
        return line.rstrip(b"\r\n"), size
    while piece := file.readline(_CHUNK):
        size += len(piece)
        if piece.endswith(b"\n"):
            return b"", size
    return b"", 0
