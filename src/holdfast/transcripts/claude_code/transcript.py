"""Claude Code's transcript as a ``Transcript``: its messages, and the start of the newest context epoch."""

from __future__ import annotations

from holdfast.transcripts.claude_code.epoch import epoch_start
from holdfast.transcripts.claude_code.messages import read_messages

__all__ = ["epoch_start", "read_messages"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.transcripts.base import Transcript, Usage
    from holdfast.transcripts.claude_code import transcript, usage

    hot: Usage = usage
    cold: Transcript = transcript
