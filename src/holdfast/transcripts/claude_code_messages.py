"""What was said and done, out of Claude Code's transcript (format as observed on 2.1.329). Apart from ``claude_code``,
which the prompt hook imports."""

from __future__ import annotations

from datetime import datetime

from holdfast.ground.jsontext import loads
from holdfast.ground.text import clip
from holdfast.transcripts.forward import lines_from
from holdfast.transcripts.messages import Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Record = Mapping[str, object]

LIMIT = 256 * 1024 * 1024
LONGEST_TEXT = 20_000
LONGEST_RESULT = 2000
LONGEST_INPUT = 500

# Words, answers, tool results and prompts queued while the model works stand on lines with one of these; inside a JSON
# string a quotation mark is escaped, so text that merely mentions them does not match.
_MARKS = (b'"message"', b'"queued_command"')
_INPUTS = ("file_path", "notebook_path", "path", "command", "description", "pattern", "url")
_EDITORS = ("Edit", "MultiEdit", "Write", "NotebookEdit")
# Lines of type "user" that no user wrote.
_NOT_WORDS = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "repeatsCompactSummary")
_PEOPLE = ("human", "person")
_SYNTHETIC = (
    "<command-",
    "<local-command-",
    "<bash-",
    "<task-notification",
    "<system-notification",
    "<user-prompt-submit-hook",
    "[Request interrupted by user",
    "This session is being continued from a previous conversation",
)
# What the client and hooks put between a user's own words.
_INSERTED = ("system-reminder", "holdfast-context", "ide_selection", "ide_opened_file")
_REFUSED = ("The user doesn't want to", "[Request interrupted by user")


def read_messages(path: str, since: int = 0, limit: int = LIMIT, root: str = "") -> tuple[list[Message], int]:
    """The messages of the main conversation from byte ``since``, and the byte at which to go on next time.

    At most some ``limit`` bytes are read, one line in memory at a time. Sub-agents, thinking, and what client or hooks
    wrote in the user's name are left out; a line that is not sound is skipped, the last one is left until it is whole.
    A file that was replaced (no line begins at ``since``) is read from its start. Edited files below ``root`` are told
    from there.
    """
    messages: list[Message] = []
    calls: dict[str, Message] = {}
    end = since
    for offset, end, line in lines_from(path, since, limit):  # noqa: B007  # the last ``end`` is the answer
        record = _main_chain(line)
        origin = Message(role="", at=_seconds(record.get("timestamp")), offset=offset, id=_text(record, "uuid"))
        messages.extend(_read_record(record, origin, calls))
    return [_from_root(message, root) if message.edited else message for message in messages], end


def _from_root(message: Message, root: str) -> Message:
    path, above = message.edited.replace("\\", "/"), root.replace("\\", "/").rstrip("/") + "/"
    return message.replace(edited=path.removeprefix(above) if root else path)


def _main_chain(line: bytes) -> Record:
    """The record on a line; empty for one that is broken, a sub-agent's, or without words."""
    if not any(mark in line for mark in _MARKS):
        return {}
    try:
        record = loads(line.decode("utf-8", "replace"))
    except ValueError:
        return {}
    return record if isinstance(record, dict) and not record.get("isSidechain") else {}


def _read_record(record: Record, origin: Message, calls: dict[str, Message]) -> Iterator[Message]:
    kind, message = record.get("type"), _mapping(record.get("message"))
    if kind == "assistant" and message.get("model") != "<synthetic>":
        yield from _read_answer(message, origin, calls)
    elif kind == "user":
        yield from _read_results(message, origin, calls)
        yield from _read_words(_words(message), record, origin)
    elif kind == "attachment":
        queued = _mapping(record.get("attachment"))
        if queued.get("type") == "queued_command":
            yield from _read_words(_words({"content": queued.get("prompt")}), queued, origin)


def _read_answer(message: Record, origin: Message, calls: dict[str, Message]) -> Iterator[Message]:
    """The model's words; its tool calls are put into ``calls``, to be told with their outcome."""
    for block in _blocks(message):
        if block.get("type") == "tool_use":
            given = _mapping(block.get("input"))
            short = {name: clip(_text(given, name), LONGEST_INPUT) for name in _INPUTS if _text(given, name)}
            calls[_text(block, "id")] = origin.replace(tool=_text(block, "name"), tool_input=short)
    if text := _words(message).strip():
        yield origin.replace(role="assistant", text=_clip(text, LONGEST_TEXT))


def _read_results(message: Record, origin: Message, calls: dict[str, Message]) -> Iterator[Message]:
    for block in _blocks(message):
        if block.get("type") == "tool_result":
            key, said = _text(block, "tool_use_id"), _words(block)
            call = calls.pop(key, origin)
            done = origin.replace(role="tool", tool=call.tool, tool_input=call.tool_input, tool_use_id=key)
            said = _clip(said.removeprefix("<tool_use_error>").removesuffix("</tool_use_error>"), LONGEST_RESULT)
            if block.get("is_error") is not True:
                yield done.replace(text=said, edited=_edited(done))
            elif not said.startswith(_REFUSED):
                yield done.replace(failed=True, error=said)


def _edited(call: Message) -> str:
    given = call.tool_input
    return given.get("file_path", given.get("notebook_path", "")) if call.tool in _EDITORS else ""


def _read_words(text: str, record: Record, origin: Message) -> Iterator[Message]:
    """The user's message, unless something else than a person wrote it."""
    author = _mapping(record.get("origin")).get("kind", "human")
    if author not in _PEOPLE or record.get("promptSource") == "system" or any(record.get(key) for key in _NOT_WORDS):
        return
    own = _without_inserted(text).strip()
    if own and not own.startswith(_SYNTHETIC):
        yield origin.replace(role="user", text=_clip(own, LONGEST_TEXT))


def _without_inserted(text: str) -> str:
    for tag in _INSERTED:
        kept, at = [], 0
        while (start := text.find(f"<{tag}", at)) >= 0:
            kept.append(text[at:start])
            end = text.find(f"</{tag}>", start)
            at = len(text) if end < 0 else end + len(tag) + 3
        text = "".join(kept) + text[at:]
    return text


def _blocks(message: Record) -> list[Record]:
    content = message.get("content")
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _words(message: Record) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(_text(block, "text") for block in _blocks(message) if block.get("type") == "text")


def _clip(text: str, characters: int) -> str:
    """The beginning and the end of a long text, where what was asked and what went wrong stand."""
    if len(text) <= characters:
        return text
    half = characters // 2
    return f"{text[:half]}\n...\n{text[-half:]}"


def _seconds(text: object) -> float:
    try:
        return datetime.fromisoformat(text).timestamp() if isinstance(text, str) else 0.0
    except (ValueError, OverflowError, OSError):
        return 0.0


def _text(record: Record, key: str) -> str:
    value = record.get(key)
    return value if isinstance(value, str) else ""


def _mapping(value: object) -> Record:
    return value if isinstance(value, dict) else {}
