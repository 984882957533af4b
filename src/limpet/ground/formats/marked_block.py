"""Inserts, replaces and removes a block between two markers in a user's file; the rest of the file does not change.

The opening marker says what else to undo: the file was ``made`` for the block, or a line break was ``joined`` to its
last line.
"""

from __future__ import annotations

from limpet.ground.errors import LimpetError

OPEN, CLOSE = b"<!-- limpet:begin", b"<!-- limpet:end -->"
MADE, JOINED = b" made", b" joined"
_END = b" -->"


def has_block(raw: bytes | None) -> bool:
    """Return whether the file's bytes hold our block."""
    return OPEN in (raw or b"")


def put_block(raw: bytes | None, body: str, where: str) -> bytes:
    """Return the file's bytes with ``body`` (complete lines) in the block, added at the end if new. None: no file.

    Raises LimpetError, naming ``where``, for markers that do not pair, and for an encoding without ASCII.
    """
    if raw and raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise LimpetError("File is UTF-16", where, "Save it as UTF-8.")
    found = _find(raw or b"", where)
    if raw is not None and found:
        opened = raw.index(b"\n", found[0]) + 1
        return raw[:opened] + _lines(body, _break_before(raw, opened)) + raw[raw.index(CLOSE, opened) :]
    line_break = b"\r\n" if raw and b"\r\n" in raw else b"\n"
    joins = bool(raw) and not (raw or b"").endswith(b"\n")
    how = JOINED if joins else b""
    opening = OPEN + (MADE if raw is None else how) + _END
    start = (raw or b"") + (line_break if joins else b"")
    return start + opening + line_break + _lines(body, line_break) + CLOSE + line_break


def take_block(raw: bytes | None, where: str) -> bytes | None:
    """Return the file's bytes without our block, None where nothing else is in a file that was made for it, or there is
    none.

    Raises LimpetError for markers that do not pair.
    """
    found = _find(raw or b"", where)
    if raw is None or not found:
        return raw
    start, end = found
    flag = raw[start + len(OPEN) : raw.index(_END, start)]
    before, after = raw[:start], raw[end:]
    if flag == JOINED:
        line_break = _break_before(raw, raw.index(b"\n", start) + 1)
        before = before.removesuffix(line_break)
        after = line_break + after if after else after
    return None if flag == MADE and not before + after else before + after


def _lines(body: str, line_break: bytes) -> bytes:
    return b"".join(line.encode() + line_break for line in body.splitlines())


def _break_before(raw: bytes, place: int) -> bytes:
    return b"\r\n" if raw[:place].endswith(b"\r\n") else b"\n"


def _find(raw: bytes, where: str) -> tuple[int, int] | None:
    """Return the block's begin and end, its last line break included."""
    start = raw.find(OPEN)
    if start < 0 and CLOSE not in raw:
        return None
    end = raw.find(CLOSE, start)
    twice = raw.count(OPEN) > 1 or raw.count(CLOSE) > 1
    if start < 0 or end < 0 or twice or _END not in raw[start : raw.find(b"\n", start)]:
        line = raw.count(b"\n", 0, start if start >= 0 else raw.find(CLOSE)) + 1
        raise LimpetError("Unpaired markers of Limpet's block", f"{where}:{line}", "Fix or delete the markers.")
    end += len(CLOSE)
    for line_break in (b"\r\n", b"\n"):
        if raw.startswith(line_break, end):
            return start, end + len(line_break)
    return start, end
