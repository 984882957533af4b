"""Reads the usage of the context window, and its newest compaction, from the end of Copilot CLI's log (format observed
on 1.0.102).

No event follows a compaction, which also comes in the midst of a turn, so one before the newest answer is told as well.
"""

from __future__ import annotations

import os

from limpet.ground.formats.json_text import read_object
from limpet.transcripts.messages import mapping_of, text_of
from limpet.transcripts.tail import Reading, holds_since, lines_from_end, size_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.transcripts.messages import Record

# Bytes from the end that are read.
USAGE_SCAN = 64 * 1024 * 1024
# Inside a JSON string a quotation mark is escaped, so text that merely mentions these words does not match.
USAGE, PROMPT = "session.usage_record", "user.message"
COMPACTED, TRUNCATED, INFORMED = "session.compaction_complete", "session.truncation", "session.info"
_USAGE, _PROMPT = f'"{USAGE}"'.encode(), f'"{PROMPT}"'.encode()
_BOUNDARIES = tuple(f'"{kind}"'.encode() for kind in (COMPACTED, TRUNCATED, INFORMED))


def read_usage(path: str, since: int = 0, limit: int = USAGE_SCAN) -> Reading:
    """Return the usage of the last answer at byte ``since`` or later, and the newest compaction since the prompt that
    led to that answer; before it, none is new."""
    found = Reading(size=size_of(path))
    for offset, line in lines_from_end(path, limit=limit):
        if offset < since or (found.used and _PROMPT in line and main_agents_lines(line, PROMPT)):
            break
        if is_boundary(line):
            return found.replace(boundary=offset)
        if not found.used and _USAGE in line:
            found = _with_usage(found, line, offset)
    return found


def find_parent(path: str, used: int = 0) -> str:
    """Return "": no conversation is forked here."""
    return ""


def holds(path: str, needle: bytes) -> bool:
    """Return whether a line after the newest compaction contains ``needle``, escaped as JSON escapes it."""
    return holds_since(path, needle, is_boundary)


def session_of(path: str) -> str:
    """Return the id of the conversation, after which the folder of its log is named."""
    return os.path.basename(os.path.dirname(path))


def is_boundary(line: bytes) -> bool:
    """Return whether a line marks a compaction that was made, messages that the model is sent no more, or that the
    person went back in the conversation: what came later is out of the log too."""
    if not any(mark in line for mark in _BOUNDARIES):
        return False
    made, cut = main_agents_lines(line, COMPACTED).get("success"), main_agents_lines(line, TRUNCATED)
    is_back = main_agents_lines(line, INFORMED).get("infoType") == "rewind"
    return made is True or is_back or _count(cut, "messagesRemovedDuringTruncation") > 0


def main_agents_lines(line: bytes, kind: str) -> Record:
    """Return what a line of this kind holds; nothing for another line, a broken one, or one of a subagent's."""
    record = read_object(line)
    return mapping_of(record.get("data")) if record.get("type") == kind and not record.get("agentId") else {}


def _with_usage(found: Reading, line: bytes, offset: int) -> Reading:
    """Return the reading with what an answer used; the tokens that were cached are among those that went in."""
    usage = mapping_of(main_agents_lines(line, USAGE).get("usage"))
    used, window = _count(usage, "inputTokens") + _count(usage, "outputTokens"), _count(usage, "maxPromptTokens")
    return found.replace(used=used, model=text_of(usage, "model"), window=window or None, at=offset) if used else found


def _count(record: Record, key: str) -> int:
    value = record.get(key)
    return value if isinstance(value, int) and value > 0 else 0
