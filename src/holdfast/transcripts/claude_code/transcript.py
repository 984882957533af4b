"""Claude Code's transcript as a ``Transcript``: its messages, its task list, and the start of the newest
context epoch."""

from __future__ import annotations

from holdfast.transcripts.claude_code.epoch import epoch_start
from holdfast.transcripts.claude_code.messages import read_messages
from holdfast.transcripts.claude_code.prompts import holds_prompts
from holdfast.transcripts.claude_code.task_list import read_task_list

__all__ = ["epoch_start", "holds_prompts", "read_messages", "read_task_list"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.transcripts.base import Transcript, Usage
    from holdfast.transcripts.claude_code import transcript, usage

    hot: Usage = usage
    cold: Transcript = transcript
