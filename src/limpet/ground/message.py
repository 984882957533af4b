"""A message of a conversation, in one shape for all hosts."""

from __future__ import annotations

from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Message(Value):
    """Text of a person (``user``) or of the model (``assistant``), a plan or task list that the model wrote by a tool
    (``plan``), or a tool's call with its outcome (``tool``). What the host asked in the model's name and the person
    answered in its dialog are messages of theirs too.

    ``text``: clipped; of a tool its output.
    ``at``: seconds since 1970, 0 where unknown.
    ``offset``: the byte at which the message's line begins.
    ``id``: the host's id of that line, which copies of a conversation keep.
    ``prompt``: the host's id of the prompt that the line belongs to.
    ``tool_input``: short texts only (``file_path``, ``command``); empty for a call before the bytes that were read.
    ``entry``: what the client at which nobody sat is called in ``hosts.attended``; "" for what a person typed.
    ``edited``: the file that the call changed, with ``/`` between folders, "" for none.
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
    entry: str = ""
