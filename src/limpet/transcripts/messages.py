"""A message of a conversation, in one shape for all hosts."""

from __future__ import annotations

from limpet.ground.values import Value
from limpet.transcripts.forward import lines_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


# Bytes of a transcript that are read at once, and characters that are kept of a result and an input.
LIMIT = 256 * 1024 * 1024
LONGEST_RESULT, LONGEST_INPUT = 2000, 500


class Message(Value):
    """Text of a person (``user``) or of the model (``assistant``), a plan or task list that the model wrote by a tool
    (``plan``), or a tool's call with its outcome (``tool``).

    What the host asked in the model's name and the person answered in its dialog are messages of theirs too.

    ``text``: clipped; of a tool its output.
    ``at``: seconds since 1970, 0 where unknown.
    ``offset``: the byte at which the message's line begins.
    ``id``: the host's id of that line, which copies of a conversation keep.
    ``prompt``: the host's id of the prompt that the line belongs to.
    ``tool``, ``tool_use_id``: the tool's name, and the host's id of the call.
    ``tool_input``: short texts only (``file_path``, ``command``); empty for a call before the bytes that were read.
    ``edited``: the file that the call changed, with ``/`` between folders, "" for none.
    ``failed``, ``error``: whether the call failed, and its error.
    """

    role: str
    text: str = ""
    at: float = 0.0
    offset: int = 0
    id: str = ""
    prompt: str = ""
    tool: str = ""
    tool_use_id: str = ""
    tool_input: Mapping[str, str] = {}
    edited: str = ""
    failed: bool = False
    error: str = ""


class ListedTask(Value):
    """A task of the list that the model keeps for itself; ``status`` is pending, in_progress or completed."""

    text: str
    status: str = "pending"


def gather(
    path: str, since: int, limit: int, root: str, read: Callable[[int, bytes], Iterable[Message]]
) -> tuple[list[Message], int]:
    """Return the messages that ``read`` makes of each (offset, line) from byte ``since``, and the byte at which to
    continue next time; edited files below ``root`` are named from there."""
    messages: list[Message] = []
    end, above = since, root.replace("\\", "/").rstrip("/") + "/"
    for offset, end, line in lines_from(path, since, limit):  # noqa: B007  # the last ``end`` is the answer
        messages.extend(read(offset, line))
    return [_from_root(message, above if root else "") if message.edited else message for message in messages], end


def _from_root(message: Message, above: str) -> Message:
    return message.replace(edited=message.edited.replace("\\", "/").removeprefix(above))
