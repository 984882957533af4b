"""Cursor's transcript of a conversation, which has one JSON object a line, without times and tokens (format as public
readers of it describe it, 2026-09; never read from a client here). The prompt hook imports it."""

from __future__ import annotations

from limpet.ground.formats.json_text import read_object
from limpet.ground.message import Message
from limpet.transcripts import untold
from limpet.transcripts.messages import (
    LIMIT,
    called,
    clip_middle,
    gather,
    mapping_of,
    records_of,
    text_of,
    without_tags,
)
from limpet.transcripts.tail import lines_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

epoch_start, holds, holds_prompts = untold.epoch_start, untold.holds, untold.holds_prompts
find_parent, session_of = untold.find_parent, untold.session_of
read_task_list, read_usage, read_answers = untold.read_task_list, untold.read_usage, untold.read_answers
# What stands around the words of the person, beside which the client puts its own.
ASKED, ASKED_END = "<user_query>", "</user_query>"
EDITORS = ("Write", "StrReplace", "Edit", "MultiEdit", "ApplyPatch")
# The client's arguments -> ours.
INPUTS = {
    **{"path": "file_path", "file_path": "file_path", "target_file": "file_path"},
    **{"command": "command", "description": "description", "pattern": "pattern", "url": "url"},
}


def read_messages(
    path: str, since: int = 0, limit: int = LIMIT, root: str = "", left: bool = False
) -> tuple[list[Message], int]:
    return gather(lines_from(path, since, limit), since, root, _read_line, (), left)


def _read_line(offset: int, line: bytes) -> Iterator[Message]:
    record = read_object(line)
    role, origin = text_of(record, "role"), Message(role="", offset=offset)
    for part in records_of(mapping_of(record.get("message")), "content"):
        said = text_of(part, "text").strip()
        if role == "user" and said:
            words = said.rpartition(ASKED)[2].partition(ASKED_END)[0] if ASKED in said else said
            words = without_tags(words, ("limpet-context",)).strip()
            if words:
                yield origin.replace(role="user", text=clip_middle(words))
        elif role == "assistant" and said:
            yield origin.replace(role="assistant", text=clip_middle(said))
        elif part.get("type") == "tool_use":
            yield called(origin, part, "input", INPUTS, EDITORS)
