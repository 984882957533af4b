"""What was said and done in a conversation, in one shape for all hosts."""

from __future__ import annotations

from holdfast.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Message(Value):
    """Words of a person (``user``) or of the model (``assistant``), or a tool's call with its outcome (``tool``).

    ``text`` is clipped; ``at`` is in seconds since 1970, 0 where unknown; ``offset`` is the byte at which the line
    begins that tells it, ``id`` what the host calls that line (copies of a conversation keep it). Of a tool's call
    ``tool_input`` holds short texts only (``file_path``, ``command``), nothing where the call was told before the
    stretch that was read. ``edited`` is the file that it changed, with ``/`` between folders; ``error`` is what a
    ``failed`` one said.
    """

    role: str
    text: str = ""
    at: float = 0.0
    offset: int = 0
    id: str = ""
    tool: str = ""
    tool_use_id: str = ""
    tool_input: Mapping[str, str] = {}
    edited: str = ""
    failed: bool = False
    error: str = ""
