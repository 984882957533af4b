"""Finds the start of the newest context epoch in Claude Code's transcript. Separate from ``usage``, which the prompt
hook imports."""

from __future__ import annotations

from holdfast.ground.formats.json_text import loads
from holdfast.transcripts.claude_code.usage import BOUNDARY_MARK
from holdfast.transcripts.tail import lines_from_end

# Bytes of an epoch that are read: the newest are what matters, and they are read in a fraction of a second.
LIMIT = 4 * 1024 * 1024


def epoch_start(path: str, limit: int = LIMIT) -> int:
    """Return the byte of the line that begins the newest context epoch, or the last ``limit`` bytes of the file."""
    start = 0
    for offset, line in lines_from_end(path, limit=limit):
        start = offset
        if BOUNDARY_MARK in line and _is_boundary(line):
            break
    return start


def _is_boundary(line: bytes) -> bool:
    try:
        record = loads(line.decode("utf-8", "replace"))
    except ValueError:
        return False
    return isinstance(record, dict) and record.get("subtype") == "compact_boundary" and not record.get("isSidechain")
