"""Identifies content: the same text has the same id on every machine, however git ends its lines there."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

LENGTH = 12
"""Hexadecimal digits of an id that are kept: enough to tell versions of a file apart."""
_LOOKED_AT = 8000
"""Bytes in which git looks for a NUL, by which it tells what is no text."""


def content_id(data: bytes) -> str:
    """Return the id that git gives this content (SHA-1, kept short), of text with CRLF read as LF."""
    text = data if b"\0" in data[:_LOOKED_AT] else data.replace(b"\r\n", b"\n")
    return short(hashlib.sha1(b"blob %d\0" % len(text) + text, usedforsecurity=False).hexdigest())


def short(identity: str) -> str:
    """Return git's own id as it is kept."""
    return identity[:LENGTH]


def digest(entries: Mapping[str, str]) -> str:
    """Return one id for all entries, path -> id."""
    lines = (f"{path}\0{entries[path]}\n" for path in sorted(entries))
    return short(hashlib.sha1("".join(lines).encode("utf-8", "surrogateescape"), usedforsecurity=False).hexdigest())
