"""What each format of transcripts offers. Separate from ``messages``, because the prompt hook imports no typing."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from limpet.transcripts.messages import ListedTask, Message
from limpet.transcripts.tail import Reading


class TokenUsage(Protocol):
    """What the prompt hook asks of a transcript, read from its end. Imports light modules only."""

    def read_usage(self, path: str, since: int = 0) -> Reading:
        """Return the usage of the newest answer at byte ``since`` or later and after the newest compaction."""

    def session_of(self, path: str) -> str:
        """Return the id of the conversation whose transcript is at ``path``."""

    def find_parent(self, path: str, used: int) -> str:
        """Return the path of the conversation that ``path`` was forked from when it used ``used`` tokens, or ""; 0
        where the host does not tell how many."""

    def holds(self, path: str, needle: bytes) -> bool:
        """Return whether a line after the newest compaction contains ``needle``, escaped as in the format."""


class Transcript(Protocol):
    """What captures and continuations ask of a transcript."""

    def read_messages(self, path: str, since: int = 0, *, root: str = "") -> tuple[list[Message], int]:
        """Return the messages from byte ``since`` on, and the byte at which to go on next time.

        Edited files below ``root`` are named from there.
        """

    def find_transcripts(self, root: str) -> list[str]:
        """Return the paths of the transcripts that the host keeps of conversations begun in this folder, newest
        first."""

    def holds_prompts(self, path: str, ids: Collection[str]) -> bool:
        """Return whether a prompt in the transcript has one of these ids, which copies of a conversation keep."""

    def epoch_start(self, path: str) -> int:
        """Return the byte at which the newest context epoch begins: its first line follows the last compaction."""

    def read_task_list(self, path: str) -> tuple[ListedTask, ...]:
        """Return the task list that the model keeps, as it last stood; () where it keeps none."""
