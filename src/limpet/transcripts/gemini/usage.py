"""Reads the usage of the context window, and its newest compaction, from the end of Gemini CLI's chat file (format as
observed on 0.61.0).

A compaction has no record of its own: the whole history is written again, in one line, and begins with a summary that
the model acknowledges in fixed words. When a conversation is resumed the line comes again, with the same ids.
"""

from __future__ import annotations

from limpet.ground.formats.json_text import read_object
from limpet.transcripts.tail import Reading, lines_from, lines_from_end, neighbours, size_of

# Bytes from the end within which usage is looked for, and a needle; chats among which the parent is.
USAGE_SCAN, NEEDLE_SCAN, CANDIDATES = 64 * 1024 * 1024, 8 * 1024 * 1024, 20
# Inside a JSON string a quotation mark is escaped, so text that merely mentions these does not match.
MESSAGE = b'{"id":"'
REWRITTEN, REWOUND = b'{"$set":{"messages":', b'{"$rewindTo":'
ACKNOWLEDGED = b'"type":"gemini","content":[{"text":"Got it. Thanks for the additional context!"}]'
TOKENS, OF_USER = b'"tokens":{', b'"type":"user"'


def read_usage(path: str, since: int = 0, limit: int = USAGE_SCAN) -> Reading:
    """Return the usage of the last answer at byte ``since`` or later, and the compaction at or behind ``since``, if the
    last turn began with it: the client compacts behind the hook of the prompt, so that an answer follows it.

    Where the person went back in the conversation, what was sent may be gone too: that counts as a compaction.
    """
    blank = Reading(size=size_of(path))
    found, turns, first, key = blank, 0, 0, b""
    for offset, line in lines_from_end(path, limit=limit):
        if key and key in line and line.startswith(MESSAGE):  # the model said the words by itself
            key = b""
        elif key:  # of several lines that hold the summary the first is the compaction, the others repeat it
            if key in line and offset < since:
                return found
            first = offset if key in line else first
        elif offset < since or (turns > 1 and found.used):
            return found
        elif key := summary_of(line):
            first = offset
        elif line.startswith(REWOUND):
            return found if found.used else blank.replace(boundary=offset)
        turns += line.startswith(MESSAGE) and OF_USER in line
        if not found.used and offset >= since and (answer := _usage(line))[1]:
            found = blank.replace(used=answer[1], model=answer[0], at=offset)
    if not key:
        return found
    return (found if (found.at or 0) > first else blank).replace(boundary=first)


def session_of(path: str) -> str:
    """Return the id of the conversation, which the first line names, "" where none does."""
    _, _, line = next(iter(lines_from(path, 0, 1)), (0, 0, b""))
    found = read_object(line).get("sessionId")
    return found if isinstance(found, str) else ""


def find_parent(path: str, used: int, limit: int = CANDIDATES) -> str:
    """Return the chat beside ``path`` whose last answer used exactly ``used`` tokens, "" when none did."""
    return next((each for each in neighbours(path)[:limit] if used and read_usage(each).used == used), "")


def holds(path: str, needle: bytes, limit: int = NEEDLE_SCAN) -> bool:
    """Return whether what the newest compaction left, or a line after it, contains ``needle``, JSON-escaped, within the
    last ``limit`` bytes."""
    for _, line in lines_from_end(path, limit=limit):
        if needle in line:
            return True
        if summary_of(line):
            return False
    return False


def summary_of(line: bytes) -> bytes:
    """Return the id of the message that acknowledges the summary in a history that is written again, b"" for any other
    line."""
    place = line.find(ACKNOWLEDGED) if line.startswith(REWRITTEN) else -1
    return line[line.rfind(MESSAGE, 0, place) + len(MESSAGE) :].partition(b'"')[0] if place > 0 else b""


def _usage(line: bytes) -> tuple[str | None, int]:
    record = read_object(line) if line.startswith(MESSAGE) and TOKENS in line else {}
    tokens, model = record.get("tokens"), record.get("model")
    total = tokens.get("total") if record.get("type") == "gemini" and isinstance(tokens, dict) else None
    used = total if isinstance(total, int) and not isinstance(total, bool) and total > 0 else 0
    return model if isinstance(model, str) else None, used
