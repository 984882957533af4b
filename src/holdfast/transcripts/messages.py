"""A message of a conversation, in one shape for all hosts."""

from __future__ import annotations

from holdfast.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


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


def from_root(message: Message, root: str) -> Message:
    """Return the message with the edited file named from ``root``, if it is below."""
    path, above = message.edited.replace("\\", "/"), root.replace("\\", "/").rstrip("/") + "/"
    return message.replace(edited=path.removeprefix(above) if root else path)
