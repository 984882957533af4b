"""Reads the usage of the context window, and its newest compaction, from the end of Codex CLI's transcript (format
observed on 0.169.0)."""

from __future__ import annotations

import os

from limpet.ground.formats.json_text import read_object
from limpet.transcripts.messages import mapping_of, text_of
from limpet.transcripts.tail import Reading, holds_since, lines_from, lines_from_end, size_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.transcripts.messages import Record

# Bytes from the end that are read, bytes of a first line, and letters of an id.
USAGE_SCAN, FIRST_LINE, ID = 64 * 1024 * 1024, 1024 * 1024, 36
# Inside a JSON string a quotation mark is escaped, so text that merely mentions these words does not match.
USAGE_MARK, MODEL_MARK, BOUNDARY_MARK = b'"token_count"', b'"turn_context"', b'"compacted"'
WINDOW = "model_context_window"


def read_usage(path: str, since: int = 0, limit: int = USAGE_SCAN) -> Reading:
    """Return the usage of the last answer at byte ``since`` or later and after the newest compaction, read from the
    end."""
    found = Reading(size=size_of(path))
    for offset, line in lines_from_end(path, limit=limit):
        if offset < since or (found.used and found.model):
            break
        if is_boundary(line):
            return found if found.used else Reading(size=found.size, boundary=offset)
        if MODEL_MARK in line and not found.model:
            found = found.replace(model=text_of(payload_of(line, "turn_context"), "model") or None)
        elif USAGE_MARK in line and not found.used:
            used, window = _figures(line)
            found = found.replace(used=used, window=window, at=offset) if used else found
    return found if found.used else Reading(size=found.size)


def find_parent(path: str, used: int = 0) -> str:
    """Return the path of the conversation that ``path`` was forked from, "" for none. The first line of a fork names
    it, and the file repeats nothing of it."""
    begun = first_record(path)
    session, folder = text_of(begun, "forked_from_id"), os.path.dirname(path)
    days = os.path.dirname(os.path.dirname(os.path.dirname(folder)))
    found = os.walk(days if os.path.basename(days) == "sessions" else folder) if len(session) == ID else ()
    paths = (os.path.join(place, name) for place, _, names in found for name in names)
    return next((each for each in paths if each.endswith(f"{session}.jsonl")), "")


def holds(path: str, needle: bytes) -> bool:
    """Return whether a line after the newest compaction contains ``needle``, escaped as JSON escapes it."""
    return holds_since(path, needle, is_boundary)


def session_of(path: str) -> str:
    """Return the id of the conversation whose transcript this is."""
    return os.path.splitext(path)[0][-ID:]


def is_boundary(line: bytes) -> bool:
    """Return whether a line marks a compaction."""
    return BOUNDARY_MARK in line and read_object(line).get("type") == "compacted"


def first_record(path: str) -> Record:
    """Return what the first line says of the conversation, nothing where it is another line."""
    line = next((line for _, _, line in lines_from(path, 0, 1, FIRST_LINE)), b"")
    return payload_of(line, "session_meta")


def payload_of(line: bytes, kind: str) -> Record:
    """Return what a line of this kind holds, nothing for another line."""
    record = read_object(line)
    return mapping_of(record.get("payload")) if record.get("type") == kind else {}


def _figures(line: bytes) -> tuple[int, int | None]:
    """Return the tokens of an answer and of the window; 0 for none: after a compaction an estimate without any input is
    told."""
    payload = payload_of(line, "event_msg")
    info = mapping_of(payload.get("info"))
    told = mapping_of(info.get("last_token_usage"))
    asked, used, window = _count(told, "input_tokens"), _count(told, "total_tokens"), _count(info, WINDOW)
    return used if payload.get("type") == "token_count" and asked else 0, window or None


def _count(record: Record, name: str) -> int:
    count = record.get(name)
    return count if isinstance(count, int) and count > 0 else 0
