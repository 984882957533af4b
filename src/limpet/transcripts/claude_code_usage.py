"""Reads the usage of the context window, and its newest compaction, from the end of Claude Code's transcript."""

from __future__ import annotations

import os

from limpet.ground.formats.json_text import read_object
from limpet.transcripts.tail import (
    CHUNK,
    NEEDLE_SCAN,
    USAGE_SCAN,
    Branching,
    Reading,
    lines_from,
    lines_from_end,
    neighbour_that_used,
    size_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Lines from the end within which usage is looked for.
USAGE_LINES = 100_000

# Bytes from the end in which a scheduled prompt stands that comes now.
FIRE_SCAN = 65_536
FIRE_MARK = b'"scheduled_task_fire"'

COUNTS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")

# Inside a JSON string a quotation mark is escaped, so text that merely mentions these words does not match.
USAGE_MARK = b'"usage"'
BOUNDARY_MARK = b'"compact_boundary"'
# A turn begins with a line in the user's name that is no call's result, or with a prompt that was queued.
USER_MARK, RESULT_MARK, QUEUED_MARK = b'"user"', b'"tool_result"', b'"queued_command"'
PARENT_MARK = b'"parentUuid"'
# Bytes in which a prompt's line is looked for from where the transcript ended when it was typed.
PROMPT_SCAN = 262_144


def read_usage(path: str, since: int = 0, limit: int = USAGE_SCAN) -> Reading:
    """Reads from the end, no further than an answer, a compaction, ``since``, ``limit`` bytes, or ``USAGE_LINES``.
    Broken lines and abandoned branches are skipped; a file that cannot be read gives ``used`` None and ``size`` 0."""
    blank = Reading(size=size_of(path))
    for count, (offset, line) in enumerate(branch_from_end(path, limit)):
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


def find_parent(path: str, used: int) -> str:
    return neighbour_that_used(path, used, read_usage)


def holds(path: str, needle: bytes, limit: int = NEEDLE_SCAN) -> bool:
    for _, line in branch_from_end(path, limit):
        if needle in line or is_boundary(line):
            return needle in line and not is_boundary(line)
    return False


def find_branching(path: str, since: int, earlier: Sequence[int]) -> Branching | None:
    """Looks no further back than is needed to see on which of the earlier prompts it hangs."""
    begun = ((at, end) for at, end, line in lines_from(path, since, PROMPT_SCAN) if turn_of(line))
    at, end = next(begun, (-1, 0))
    if at < since:
        return None
    alive, place, line = {at}, at, b""
    for place, line in branch_from_end(path, USAGE_SCAN, end):
        alive.add(place)
        if place in earlier or place < at - CHUNK:
            line = b""
            break
    is_root = hangs_on(line) is None
    left = tuple(each for each in earlier if each not in alive and (is_root or each > place))
    return Branching(at=at, left=left, anew=bool(left) and is_root and place > left[0])


def branch_from_end(path: str, limit: int, end: int | None = None) -> Iterator[tuple[int, bytes]]:
    """As ``lines_from_end``, without the turns that the newest one does not come from: the person went back past them.
    Compactions stay. What stands before a turn that names a line which is not there is taken as it comes."""
    wanted: object = ""
    place = end
    for offset, line in lines_from_end(path, limit=limit, end=end):
        is_next = not wanted or _is_named(line, wanted)
        if is_next or is_boundary(line):
            yield offset, line
        if is_next:
            place, wanted = offset, hangs_on(line)
        if wanted is None:
            return
    if wanted:
        yield from lines_from_end(path, limit=limit, end=place)


def hangs_on(line: bytes) -> object:
    """The id of the line on which a turn or a compaction hangs; None for a turn that begins the conversation anew, ""
    for any other line. What a part of the conversation was summed up in hangs on what it sums up."""
    if is_boundary(line):
        record = main_chain(line)
        is_part = "messagesSummarized" in str(record.get("compactMetadata"))
        return "" if is_part else record.get("logicalParentUuid") or ""
    return turn_of(line).get("parentUuid", "")


def turn_of(line: bytes) -> dict[str, object]:
    """The record of a line with which a turn begins, empty for any other."""
    if RESULT_MARK in line or PARENT_MARK not in line or not (USER_MARK in line or QUEUED_MARK in line):
        return {}
    record = main_chain(line)
    is_queued = record.get("type") == "attachment" and QUEUED_MARK in line
    return record if is_queued or (record.get("type") == "user" and not record.get("isMeta")) else {}


def _is_named(line: bytes, name: object) -> bool:
    """Whether it is the line with this id."""
    return f'"uuid":"{name}"'.encode() in line or f'"uuid": "{name}"'.encode() in line


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
