"""Gemini CLI's chat file, which has one JSON object a line (format as observed on 0.61.0): usage of the context window
and messages. The prompt hook imports it."""

from __future__ import annotations

import os

from limpet.ground.clock import seconds_of
from limpet.ground.formats.json_text import dumps, loads, read_object
from limpet.ground.message import Message
from limpet.ground.storage.files import read_text
from limpet.ground.text.escaping import clip
from limpet.transcripts.messages import (
    LIMIT,
    LONGEST_INPUT,
    LONGEST_RESULT,
    ListedTask,
    UsageLine,
    clip_middle,
    count_of,
    gather,
    mapping_of,
    records_of,
    text_of,
)
from limpet.transcripts.tail import (
    EPOCH,
    NEEDLE_SCAN,
    USAGE_SCAN,
    Reading,
    lines_from,
    lines_from_end,
    neighbour_that_used,
    size_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from limpet.transcripts.messages import Record, Span

# What was entered in the terminal, of all conversations of the project.
HISTORY = "logs.json"
# Inside a JSON string a quotation mark is escaped, so text that merely mentions these does not match.
MESSAGE = b'{"id":"'
REWRITTEN, REWOUND = b'{"$set":{"messages":', b'{"$rewindTo":'
ACKNOWLEDGED = b'"type":"gemini","content":[{"text":"Got it. Thanks for the additional context!"}]'
TOKENS, OF_USER = b'"tokens":{', b'"type":"user"'
# Older versions wrote one object, anew with each message.
WHOLE = ".json"
# Bytes from the end that are read for the task list, and characters of a task.
LISTED, LONGEST_TASK = 32 * 1024 * 1024, 300
EDITORS, TODOS = ("write_file", "replace"), "write_todos"
INPUTS = ("file_path", "dir_path", "command", "description", "pattern", "url")
# How the client's own words in the user's name begin; what hooks put before the user's; how a refusal begins.
NOT_WORDS = ("<session_context>", "System: ", "Please continue.")
INSERTED = ("hook_context", "limpet-context")
REFUSED = ("Tool execution blocked: ", "Tool execution denied", "Agent execution stopped by hook: ")
# What the client puts around a command's output, and its line about one that failed.
AROUND, AROUND_END, CODE = "<untrusted_context>\nOutput: ", "\n</untrusted_context>", "\nExit Code: "


def read_usage(path: str, since: int = 0, limit: int = USAGE_SCAN) -> Reading:
    """The compaction is the one at or behind ``since``, if the last turn began with it: the client compacts behind the
    hook of the prompt, so that an answer follows it. Where the person went back in the conversation, what was sent may
    be gone too: that counts as a compaction."""
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
    _, _, line = next(iter(lines_from(path, 0, 1)), (0, 0, b""))
    found = read_object(line).get("sessionId")
    return found if isinstance(found, str) else ""


def last_entered(folder: str) -> Record:
    """The newest entry of the input line's history, a list with a line for each field, which is never cut short."""
    lines: list[bytes] = []
    for _, line in lines_from_end(os.path.join(folder, HISTORY), limit=EPOCH):
        lines.insert(0, line)
        if line.strip() == b"{":
            break
    try:
        found = loads(f"[{b''.join(lines).decode('utf-8', 'replace').strip().removeprefix('[')}")
    except ValueError:
        return {}
    return mapping_of(found[-1]) if isinstance(found, list) and found else {}


def find_parent(path: str, used: int) -> str:
    return neighbour_that_used(path, used, read_usage)


def holds(path: str, needle: bytes, limit: int = NEEDLE_SCAN) -> bool:
    """What the newest compaction left counts too."""
    for _, line in lines_from_end(path, limit=limit):
        if needle in line:
            return True
        if summary_of(line):
            return False
    return False


def summary_of(line: bytes) -> bytes:
    """The id of the message that acknowledges the summary in a history that is written again, b"" for any other
    line."""
    place = line.find(ACKNOWLEDGED) if line.startswith(REWRITTEN) else -1
    return line[line.rfind(MESSAGE, 0, place) + len(MESSAGE) :].partition(b'"')[0] if place > 0 else b""


def read_messages(
    path: str, since: int = 0, limit: int = LIMIT, root: str = "", left: bool = False
) -> tuple[list[Message], int]:
    """A message is written when it comes, and once more with its calls' outcomes. A history that is written again,
    after a compaction or when a conversation is resumed, says nothing new."""
    seen: set[str] = set()

    def read(offset: int, line: bytes) -> Iterator[Message]:
        record: Record = read_object(line) if line.startswith(MESSAGE) or path.endswith(WHOLE) else {}
        origin = Message(role="", at=seconds_of(record.get("timestamp")), offset=offset, id=text_of(record, "id"))
        if record.get("type") == "user":
            yield from _read_words(record, origin)
        elif record.get("type") == "gemini":
            new = {each.tool_use_id or each.id: each for each in _read_answer(record, origin)}
            yield from (each for key, each in new.items() if key not in seen)
            seen.update(new)

    return gather(_lines_of(path, since, limit), since, root, read, find_branches(path), left)


def find_branches(path: str) -> list[Span]:
    """Going back takes the named message away with all that followed, and all there is where that is not known."""
    begun: dict[str, int] = {}
    spans: list[Span] = []
    for offset, _, line in lines_from(path, 0, LIMIT):
        if line.startswith(REWOUND):
            spans.append((begun.get(text_of(read_object(line), "$rewindTo"), 0), offset))
        elif line.startswith((MESSAGE, REWRITTEN)):
            for piece in line.split(MESSAGE)[1:]:
                begun.setdefault(piece.partition(b'"')[0].decode("utf-8", "replace"), offset)
    return spans


def epoch_start(path: str, limit: int = EPOCH) -> int:
    lines = list(lines_from_end(path, limit=limit))[::-1]
    start, known = lines[0][0] if lines else 0, b""
    for offset, line in lines:
        if (key := summary_of(line)) and key != known:
            start, known = offset, key
    return start


def holds_prompts(path: str, ids: Collection[str]) -> bool:
    return False


def read_task_list(path: str) -> tuple[ListedTask, ...]:
    for _, line in lines_from_end(path, limit=LISTED):
        calls = records_of(read_object(line), "toolCalls") if f'"{TODOS}"'.encode() in line else []
        for call in reversed(calls):
            if call.get("name") == TODOS and call.get("status") == "success":
                todos = records_of(mapping_of(call.get("args")), "todos")
                named = [(clip(text_of(each, "description"), LONGEST_TASK), text_of(each, "status")) for each in todos]
                return tuple(ListedTask(text=text, status=status) for text, status in named if text)
    return ()


def read_answers(path: str) -> Iterator[UsageLine]:
    for _, _, line in _lines_of(path, 0, LIMIT):
        if not _usage(line)[1]:
            continue
        record = read_object(line)
        told, at = mapping_of(record.get("tokens")), seconds_of(record.get("timestamp"))
        read, total = count_of(told, "cached"), count_of(told, "total")
        output = count_of(told, "output") + count_of(told, "thoughts")
        fresh = max(total - read - output, 0)
        yield UsageLine(input=fresh, cache_read=read, output=output, id=text_of(record, "id"), at=at)


def _usage(line: bytes) -> tuple[str | None, int]:
    record = read_object(line) if line.startswith(MESSAGE) and TOKENS in line else {}
    tokens, model = record.get("tokens"), record.get("model")
    total = tokens.get("total") if record.get("type") == "gemini" and isinstance(tokens, dict) else None
    used = total if isinstance(total, int) and not isinstance(total, bool) and total > 0 else 0
    return model if isinstance(model, str) else None, used


def _lines_of(path: str, since: int, limit: int) -> Iterable[tuple[int, int, bytes]]:
    """Of a file of one object the messages, whose bytes are their numbers: it is written anew with each."""
    if not path.endswith(WHOLE):
        return lines_from(path, since, limit)
    records = records_of(read_object(read_text(path, limit)), "messages")
    return [(number, number + 1, dumps(each).encode()) for number, each in enumerate(records) if number >= since]


def _read_words(record: Record, origin: Message) -> Iterator[Message]:
    """The first part of a message, behind which the client puts files and hooks' words."""
    text = text_of(next(iter(records_of(record, "content")), {}), "text") or text_of(record, "content")
    for tag in INSERTED:
        if text.startswith(f"<{tag}"):
            text = text.rpartition(f"</{tag}>")[2].lstrip()
    if text.strip() and not text.startswith(NOT_WORDS):
        yield origin.replace(role="user", text=clip_middle(text.strip()))


def _read_answer(record: Record, origin: Message) -> Iterator[Message]:
    calls = records_of(record, "toolCalls")
    if not calls and (text := text_of(record, "content").strip()):
        yield origin.replace(role="assistant", text=clip_middle(text))
    for call in calls:
        name, given = text_of(call, "name"), mapping_of(call.get("args"))
        short = {key: clip(value, LONGEST_INPUT) for key in INPUTS if (value := text_of(given, key))}
        done = origin.replace(role="tool", tool=name, tool_input=short, tool_use_id=text_of(call, "id"))
        result = next(iter(records_of(call, "result")), {})
        response = mapping_of(mapping_of(result.get("functionResponse")).get("response"))
        whole = text_of(response, "output")
        output = clip_middle(whole.removeprefix(AROUND).removesuffix(AROUND_END), LONGEST_RESULT)
        error = output if whole.startswith(AROUND) and CODE in whole else text_of(response, "error")
        if error and not error.startswith(REFUSED):
            yield done.replace(failed=True, error=clip_middle(error, LONGEST_RESULT))
        elif call.get("status") == "success":
            edited = text_of(given, "file_path") if name in EDITORS else ""
            yield done.replace(text=output, edited=edited)
