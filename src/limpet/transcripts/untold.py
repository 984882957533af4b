"""What formats share whose files tell neither tokens nor compactions."""

from __future__ import annotations

import os

from limpet.transcripts.tail import NEEDLE_SCAN, Reading, lines_from_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from limpet.transcripts.messages import ListedTask, UsageLine


def read_usage(path: str, since: int = 0) -> Reading:
    return Reading()


def session_of(path: str) -> str:
    return os.path.splitext(os.path.basename(path))[0]


def find_parent(path: str, used: int) -> str:
    return ""


def holds(path: str, needle: bytes) -> bool:
    return any(needle in line for _, line in lines_from_end(path, limit=NEEDLE_SCAN))


def holds_prompts(path: str, ids: Collection[str]) -> bool:
    return False


def epoch_start(path: str) -> int:
    return 0


def read_task_list(path: str) -> tuple[ListedTask, ...]:
    return ()


def read_answers(path: str) -> Iterator[UsageLine]:
    return iter(())
