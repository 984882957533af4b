"""Antigravity's transcript of a conversation, which has one JSON object a line, without tokens (format as public
readers of it describe it, 2026-09; never read from a client here). The prompt hook imports it: no event of the client
brings the prompt."""

from __future__ import annotations

from limpet.ground.clock import seconds_of
from limpet.ground.formats.json_text import read_object
from limpet.ground.message import Message
from limpet.transcripts import untold
from limpet.transcripts.messages import LIMIT, called, clip_middle, gather, records_of, text_of, without_tags
from limpet.transcripts.tail import EPOCH, lines_from, lines_from_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.transcripts.messages import Record

epoch_start, holds, holds_prompts = untold.epoch_start, untold.holds, untold.holds_prompts
find_parent, session_of = untold.find_parent, untold.session_of
read_task_list, read_usage, read_answers = untold.read_task_list, untold.read_usage, untold.read_answers
TYPED, PERSON, SAID = "USER_INPUT", "USER_EXPLICIT", "PLANNER_RESPONSE"
_TYPED = f'"{TYPED}"'.encode()
# What stands around the words of the person, behind which the client puts its own.
ASKED, ASKED_END = "<USER_REQUEST>", "</USER_REQUEST>"
EDITORS = ("write_to_file", "replace_file_content", "multi_replace_file_content")
# The client's arguments -> ours.
INPUTS = {"TargetFile": "file_path", "AbsolutePath": "file_path", "CommandLine": "command", "Query": "pattern"}


def last_entered(path: str) -> tuple[int, str]:
    """Return the newest prompt that a person entered and the number of its step; -1 and "" for none."""
    for _, line in lines_from_end(path, limit=EPOCH):
        record = read_object(line) if _TYPED in line else {}
        if is_entered(record):
            step = record.get("step_index")
            return step if isinstance(step, int) else 0, words_of(record)
    return -1, ""


def is_entered(record: Record) -> bool:
    return record.get("type") == TYPED and record.get("source", PERSON) == PERSON


def words_of(record: Record) -> str:
    said = text_of(record, "content")
    return said.partition(ASKED)[2].rpartition(ASKED_END)[0].strip() if ASKED in said else said.strip()


def read_messages(
    path: str, since: int = 0, limit: int = LIMIT, root: str = "", left: bool = False
) -> tuple[list[Message], int]:
    return gather(lines_from(path, since, limit), since, root, _read_line, (), left)


def _read_line(offset: int, line: bytes) -> Iterator[Message]:
    record = read_object(line)
    origin = Message(role="", at=seconds_of(record.get("created_at")), offset=offset)
    if is_entered(record):
        words = without_tags(words_of(record), ("limpet-context",)).strip()
        if words:
            yield origin.replace(role="user", text=clip_middle(words))
    elif record.get("type") == SAID:
        if said := text_of(record, "content").strip():
            yield origin.replace(role="assistant", text=clip_middle(said))
        for call in records_of(record, "tool_calls"):
            yield called(origin, call, "args", INPUTS, EDITORS)
