"""Reads the usage of the context window, and its newest compaction, from the end of Claude Code's transcript."""

from __future__ import annotations

import os

from limpet.ground.formats.json_text import read_object
from limpet.transcripts.tail import NEEDLE_SCAN, USAGE_SCAN, Reading, holds_since, lines_from_end, neighbours, size_of

# Lines from the end within which usage is looked for, and transcripts among which the parent is.
USAGE_LINES = 100_000
PARENT_CANDIDATES = 20

# Bytes from the end in which a scheduled prompt stands that comes now.
FIRE_SCAN = 65_536
FIRE_MARK = b'"scheduled_task_fire"'

COUNTS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")

# Inside a JSON string a quotation mark is escaped, so text that merely mentions these words does not match.
USAGE_MARK = b'"usage"'
BOUNDARY_MARK = b'"compact_boundary"'


def read_usage(path: str, since: int = 0, limit: int = USAGE_SCAN) -> Reading:
    """Reads from the end, no further than an answer, a compaction, ``since``, ``limit`` bytes, or ``USAGE_LINES``.
    Broken lines are skipped; a file that cannot be read gives ``used`` None and ``size`` 0."""
    blank = Reading(size=size_of(path))
    for count, (offset, line) in enumerate(lines_from_end(path, limit=limit)):
        if offset < since or count == USAGE_LINES:
            break
        if is_boundary(line):
            return blank.replace(boundary=offset)
        model, used = _usage(line)
        if used:
            return blank.replace(used=used, model=model, at=offset)
    return blank


def was_scheduled(path: str, prompt: str) -> bool:
    lines = (line for _, line in lines_from_end(path, limit=FIRE_SCAN) if FIRE_MARK in line)
    return any(read_object(line).get("prompt") == prompt for line in lines)


def session_of(path: str) -> str:
    return os.path.splitext(os.path.basename(path))[0]


def find_parent(path: str, used: int, limit: int = PARENT_CANDIDATES) -> str:
    """The transcript beside ``path`` whose last answer used exactly ``used`` tokens: a forked session starts before its
    own transcript exists and does not name its parent; the host tells only how full the parent was."""
    for candidate in neighbours(path)[:limit] if used else ():
        if read_usage(candidate).used == used:
            return candidate
    return ""


def holds(path: str, needle: bytes, limit: int = NEEDLE_SCAN) -> bool:
    return holds_since(path, needle, is_boundary, limit)


def is_boundary(line: bytes) -> bool:
    if BOUNDARY_MARK not in line:
        return False
    record = main_chain(line)
    return record.get("type") == "system" and record.get("subtype") == "compact_boundary"


def main_chain(line: bytes) -> dict[str, object]:
    """Empty for a record that is broken or a sub-agent's."""
    text = line.strip(b"\0 \t")  # a crash of the machine leaves runs of NUL bytes
    if not text.endswith(b"}"):
        return {}
    record = read_object(text)
    return {} if record.get("isSidechain") else record


def _usage(line: bytes) -> tuple[str | None, int]:
    """0 tokens for other lines and for answers no model gave (API errors)."""
    record = main_chain(line) if USAGE_MARK in line else {}
    message = record.get("message")
    if record.get("type") != "assistant" or not isinstance(message, dict):
        return None, 0
    model = message.get("model")
    if model == "<synthetic>":
        return None, 0
    return model if isinstance(model, str) else None, _sum(message.get("usage"))


def _sum(usage: object) -> int:
    if not isinstance(usage, dict):
        return 0
    counts = [usage.get(name) for name in COUNTS]
    return sum(count for count in counts if isinstance(count, int) and count > 0)
