"""Gemini CLI's chat file as a ``Transcript`` (format as observed on 0.61.0). Separate from ``usage``, which the prompt
hook imports."""

from __future__ import annotations

import os

from limpet.ground.clock import seconds_of
from limpet.ground.formats.json_text import read_object
from limpet.ground.storage.files import names_in, read_text, stamp
from limpet.ground.text.escaping import clip
from limpet.transcripts.gemini.usage import MESSAGE, summary_of
from limpet.transcripts.messages import ListedTask, Message, clip_middle, gather, mapping_of, records_of, text_of
from limpet.transcripts.tail import lines_from_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from limpet.transcripts.base import TokenUsage, Transcript
    from limpet.transcripts.gemini import transcript, usage
    from limpet.transcripts.messages import Record

    hot: TokenUsage = usage
    cold: Transcript = transcript

# Bytes that are read at once, of an epoch, and from the end for the task list.
LIMIT, EPOCH, LISTED = 256 * 1024 * 1024, 4 * 1024 * 1024, 32 * 1024 * 1024
# Characters of a text, a result, an input and a task that are kept.
LONGEST_TEXT, LONGEST_RESULT, LONGEST_INPUT, LONGEST_TASK = 20_000, 2000, 500, 300
EDITORS, TODOS = ("write_file", "replace"), "write_todos"
INPUTS = ("file_path", "dir_path", "command", "description", "pattern", "url")
# How the client's own words in the user's name begin; what hooks put before the user's; how a refusal begins.
NOT_WORDS = ("<session_context>", "System: ", "Please continue.")
INSERTED = ("hook_context", "limpet-context")
REFUSED = ("Tool execution blocked: ", "Tool execution denied", "Agent execution stopped by hook: ")
# What the client puts around a command's output, and its line about one that failed.
AROUND, AROUND_END, CODE = "<untrusted_context>\nOutput: ", "\n</untrusted_context>", "\nExit Code: "


def read_messages(path: str, since: int = 0, limit: int = LIMIT, root: str = "") -> tuple[list[Message], int]:
    """Return the messages of the main conversation from byte ``since``, and the byte at which to continue next time.

    A message is written when it comes, and once more with its calls' outcomes. A history that is written again, after a
    compaction or when a conversation is resumed, says nothing new. Edited files below ``root`` are named from there.
    """
    seen: set[str] = set()

    def read(offset: int, line: bytes) -> Iterator[Message]:
        record: Record = read_object(line) if line.startswith(MESSAGE) else {}
        origin = Message(role="", at=seconds_of(record.get("timestamp")), offset=offset, id=text_of(record, "id"))
        if record.get("type") == "user":
            yield from _read_words(record, origin)
        elif record.get("type") == "gemini":
            new = {each.tool_use_id or each.id: each for each in _read_answer(record, origin)}
            yield from (each for key, each in new.items() if key not in seen)
            seen.update(new)

    return gather(path, since, limit, root, read)


def epoch_start(path: str, limit: int = EPOCH) -> int:
    """Return the byte of the line that begins the newest context epoch, or the last ``limit`` bytes of the file."""
    lines = list(lines_from_end(path, limit=limit))[::-1]
    start, known = lines[0][0] if lines else 0, b""
    for offset, line in lines:
        if (key := summary_of(line)) and key != known:
            start, known = offset, key
    return start


def find_transcripts(root: str) -> list[str]:
    """Return the paths of the chats that the client keeps for this folder, newest first; subagents' lie deeper."""
    home = os.path.join(os.environ.get("GEMINI_CLI_HOME") or os.path.expanduser("~"), ".gemini")
    projects = mapping_of(read_object(read_text(os.path.join(home, "projects.json"))).get("projects"))
    name = next((each for path, each in projects.items() if os.path.realpath(path) == os.path.realpath(root)), "")
    folder = os.path.join(home, "tmp", str(name), "chats") if name else ""
    chats = [os.path.join(folder, each) for each in (names_in(folder) if folder else ()) if each.endswith(".jsonl")]
    return sorted(chats, key=lambda path: stamp(path) or (0, 0, 0), reverse=True)


def holds_prompts(path: str, ids: Collection[str]) -> bool:
    """Return False: Gemini CLI names no prompts."""
    return False


def read_task_list(path: str) -> tuple[ListedTask, ...]:
    """Return the tasks that the model wrote down last, () where it keeps none."""
    for _, line in lines_from_end(path, limit=LISTED):
        calls = records_of(read_object(line), "toolCalls") if f'"{TODOS}"'.encode() in line else []
        for call in reversed(calls):
            if call.get("name") == TODOS and call.get("status") == "success":
                todos = records_of(mapping_of(call.get("args")), "todos")
                named = [(clip(text_of(each, "description"), LONGEST_TASK), text_of(each, "status")) for each in todos]
                return tuple(ListedTask(text=text, status=status) for text, status in named if text)
    return ()


def _read_words(record: Record, origin: Message) -> Iterator[Message]:
    """Yield what the person typed: the first part of a message, behind which the client puts files and hooks' words."""
    text = text_of(next(iter(records_of(record, "content")), {}), "text")
    for tag in INSERTED:
        if text.startswith(f"<{tag}"):
            text = text.rpartition(f"</{tag}>")[2].lstrip()
    if text.strip() and not text.startswith(NOT_WORDS):
        yield origin.replace(role="user", text=clip_middle(text.strip(), LONGEST_TEXT))


def _read_answer(record: Record, origin: Message) -> Iterator[Message]:
    """Yield the model's words, or the calls with their outcomes that follow them."""
    calls = records_of(record, "toolCalls")
    if not calls and (text := text_of(record, "content").strip()):
        yield origin.replace(role="assistant", text=clip_middle(text, LONGEST_TEXT))
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
