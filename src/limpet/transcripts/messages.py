"""What a format of transcripts meets, and what its readers share."""

from __future__ import annotations

from limpet.ground.text.escaping import clip
from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Any, Protocol

    from limpet.ground.message import Message
    from limpet.transcripts.tail import Branching, Reading

    Record = Mapping[str, object]
    # The byte at which it begins, and the one behind it.
    Span = tuple[int, int]
else:
    Protocol = object

# Bytes of a transcript that are read at once; characters that are kept of what somebody says, a result and an input.
LIMIT = 256 * 1024 * 1024
LONGEST_TEXT, LONGEST_RESULT, LONGEST_INPUT = 20_000, 2000, 500


class TokenUsage(Protocol):
    """What the prompt hook asks of a transcript, read from its end. Imports light modules only."""

    def read_usage(self, path: str, since: int = 0) -> Reading:
        """Of the newest answer at byte ``since`` or later and after the newest compaction."""

    def session_of(self, path: str) -> str: ...

    def find_parent(self, path: str, used: int) -> str:
        """The path of the conversation that ``path`` was forked from when it used ``used`` tokens, or ""; 0 where the
        host does not tell how many."""

    def holds(self, path: str, needle: bytes) -> bool:
        """In a line after the newest compaction; ``needle`` is escaped as in the format."""


class Branched(Protocol):
    """What the hook asks of a transcript in which going back leaves a branch. Elsewhere it is a boundary, with which an
    epoch begins anew."""

    def find_branching(self, path: str, since: int, earlier: Sequence[int]) -> Branching | None:
        """Of the first prompt at byte ``since`` or later, None where there is none yet. ``earlier``: where those before
        it begin."""


class Transcript(Protocol):
    """What captures and continuations ask of a transcript."""

    def read_messages(
        self, path: str, since: int = 0, *, root: str = "", left: bool = False
    ) -> tuple[list[Message], int]:
        """From byte ``since``, and the byte at which to go on next time. Edited files below ``root`` are named from
        there. ``left``: instead those that hang on branches which the person left by going back."""

    def holds_prompts(self, path: str, ids: Collection[str]) -> bool:
        """Return whether a prompt in the transcript has one of these ids, which copies of a conversation keep."""

    def epoch_start(self, path: str) -> int:
        """Return the byte at which the newest context epoch begins: its first line follows the last compaction."""

    def read_task_list(self, path: str) -> tuple[ListedTask, ...]: ...

    def read_answers(self, path: str) -> Iterator[UsageLine]:
        """Yield what each answer cost, the oldest first, also those on branches that the person left, none of a
        subagent's. One may come several times, with what it cost so far."""


class UsageLine(Value):
    """What an answer cost by the client's word, or several together: the tokens that went in afresh, were written to
    the cache, were read from it, and came out. ``id``: the answer's; ``at``: when, in seconds since 1970; ``prompt``:
    the id of the prompt that it answers, "" where the client gives none."""

    input: int = 0
    cache_write: int = 0
    cache_read: int = 0
    output: int = 0
    id: str = ""
    at: float = 0.0
    prompt: str = ""

    @property
    def total(self) -> int:
        return self.input + self.cache_write + self.cache_read + self.output


class ListedTask(Value):
    """``status`` is pending, in_progress or completed."""

    text: str
    status: str = "pending"


def gather(
    lines: Iterable[tuple[int, int, bytes]],
    since: int,
    root: str,
    read: Callable[[int, bytes], Iterable[Message]],
    branches: Collection[Span] = (),
    left: bool = False,
) -> tuple[list[Message], int]:
    """``read`` makes messages of each (offset, line); edited files below ``root`` are named from there. Lines on
    abandoned ``branches`` are passed over, or with ``left`` all others."""
    messages: list[Message] = []
    end, above = since, root and root.replace("\\", "/").rstrip("/") + "/"
    for offset, end, line in lines:  # noqa: B007  # the last ``end`` is the answer
        if stands_in(offset, branches) != left:
            continue
        for message in read(offset, line):
            if message.edited:
                message = message.replace(edited=message.edited.replace("\\", "/").removeprefix(above))
            messages.append(message)
    return messages, end


def stands_in(offset: int, spans: Collection[Span]) -> bool:
    return any(start <= offset < end for start, end in spans)


def text_of(record: Record, key: str) -> str:
    value = record.get(key)
    return value if isinstance(value, str) else ""


def count_of(record: Record, key: str) -> int:
    value = record.get(key)
    return value if isinstance(value, int) and value > 0 else 0


def mapping_of(value: object) -> Record:
    return value if isinstance(value, dict) else {}


def records_of(record: Record, key: str) -> list[Record]:
    found = record.get(key)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def cost_of(told: Record, names: Sequence[str], **about: Any) -> UsageLine:
    """``names``: of what went in, of it what was written to the cache and what was read from it, and what came out."""
    asked, written, read, output = (count_of(told, name) for name in names)
    fresh = max(asked - written - read, 0)
    return UsageLine(input=fresh, cache_write=written, cache_read=read, output=output, **about)


def called(origin: Message, call: Record, given: str, inputs: Mapping[str, str], editors: Collection[str]) -> Message:
    """``given``: the member with the arguments. ``inputs``: the client's arguments -> ours.
    ``editors``: its tools that change a file."""
    tool, arguments = text_of(call, "name"), mapping_of(call.get(given))
    short = {}
    for key, ours in inputs.items():
        if value := text_of(arguments, key):
            short[ours] = clip(value, LONGEST_INPUT)
    edited = short.get("file_path", "") if tool in editors else ""
    return origin.replace(role="tool", tool=tool, tool_input=short, edited=edited)


def clip_middle(text: str, characters: int = LONGEST_TEXT) -> str:
    """A request is found at the beginning, an error at the end."""
    if len(text) <= characters:
        return text
    half = characters // 2
    return f"{text[:half]}\n...\n{text[-half:]}"


def without_tags(text: str, tags: Collection[str]) -> str:
    """An element that is not closed takes the rest along."""
    for tag in tags:
        kept, at = [], 0
        while (start := text.find(f"<{tag}", at)) >= 0:
            kept.append(text[at:start])
            end = text.find(f"</{tag}>", start)
            at = len(text) if end < 0 else end + len(tag) + 3
        text = "".join(kept) + text[at:]
    return text
