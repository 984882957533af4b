"""The icon of a plugin, drawn by code: two posts, and a bar between them that holds fast."""

from __future__ import annotations

import struct
import zlib

GRID = (0x00, 0x24, 0x24, 0x7E, 0x7E, 0x24, 0x24, 0x00)
SIZE = 512
GROUND, MARK = b"\x12\x2b\x39", b"\xf4\xb9\x42"


def draw_icon() -> bytes:
    """Return a square PNG with a palette of two colours. It is not compressed: implementations of zlib differ in what
    they make of the same bytes."""
    rows = (b"".join((b"\0", b"\xff")[row >> (7 - x) & 1] * (SIZE // 64) for x in range(8)) for row in GRID)
    pixels = b"".join((b"\0" + row) * (SIZE // 8) for row in rows)
    stored = b"\x78\x01\x01" + struct.pack("<HH", len(pixels), len(pixels) ^ 0xFFFF) + pixels
    parts = {
        b"IHDR": struct.pack(">IIBBBBB", SIZE, SIZE, 1, 3, 0, 0, 0),
        b"PLTE": GROUND + MARK,
        b"IDAT": stored + struct.pack(">I", zlib.adler32(pixels)),
        b"IEND": b"",
    }
    chunks = (
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        for name, body in parts.items()
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)
