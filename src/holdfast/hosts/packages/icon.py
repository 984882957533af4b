"""The icon of a plugin, drawn by code: two posts, and a bar between them that holds fast."""

from __future__ import annotations

import struct
import zlib

SIZE = 512
GROUND, MARK = b"\x12\x2b\x39", b"\xf4\xb9\x42"
# The rectangles of the mark: left, top, right, bottom.
PARTS = ((120, 96, 192, 416), (320, 96, 392, 416), (72, 224, 440, 288))


def draw_icon() -> bytes:
    """Return a square PNG with a palette of two colours. It is not compressed: implementations of zlib differ in what
    they make of the same bytes."""
    pixels = b"".join(b"\0" + _row(y) for y in range(SIZE))
    size = struct.pack("<HH", len(pixels), len(pixels) ^ 0xFFFF)
    data = b"\x78\x01\x01" + size + pixels + struct.pack(">I", zlib.adler32(pixels))
    header = struct.pack(">IIBBBBB", SIZE, SIZE, 1, 3, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"PLTE", GROUND + MARK), (b"IDAT", data), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, body) for name, body in chunks)


def _row(y: int) -> bytes:
    """Return a row's pixels, a bit each."""
    bits = 0
    for left, top, right, bottom in PARTS:
        if top <= y < bottom:
            bits |= (1 << (SIZE - left)) - (1 << (SIZE - right))
    return bits.to_bytes(SIZE // 8, "big")


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
