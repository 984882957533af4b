"""Before a compaction and at the end of a conversation: what its transcript teaches becomes memories, and a digest.

Only what the transcript says since the last time is read. The same words found in a copy of the conversation (a fork)
bear the same key and count once.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

from holdfast.engine.jobs.digest import keep_digest
from holdfast.engine.jobs.failure import keep_failures
from holdfast.engine.jobs.lessons import keep_lessons
from holdfast.engine.jobs.library import open_library
from holdfast.ground.dotenv import read_secrets
from holdfast.ground.errors import HoldfastError
from holdfast.ground.files import Lock, read_text, write_atomic
from holdfast.ground.names import safe_name
from holdfast.ground.workspace import Workspace
from holdfast.memory.access import Reader
from holdfast.memory.capture.find import find_candidates
from holdfast.transcripts.claude_code_messages import read_messages
from holdfast.transcripts.messages import Message

Read = Callable[[str, int], tuple[list[Message], int]]

# Host -> how its transcript is read.
TRANSCRIPTS: dict[str, Read] = {"claude-code": read_messages}
PATIENCE = 15.0


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """How many memories were added, strengthened, superseded. Raises HoldfastError while another capture of this
    conversation is at work."""
    session = str(orders["session"])
    lock = os.path.join(workspace.shared, "cache", "locks", f"capture-{safe_name(session)}.lock")
    with Lock(lock, patience=PATIENCE) as held:
        if not held:
            raise HoldfastError("another capture of this conversation is at work", session)
        mark = workspace.path("sessions", f"{safe_name(session)}.captured")
        messages, end = TRANSCRIPTS[orders["host"]](str(orders["transcript"]), _read_mark(mark, orders))
        counts = _keep(workspace, orders, messages)
        write_atomic(mark, json.dumps({"transcript": orders["transcript"], "offset": end}), follow=False)
    return counts


def _keep(workspace: Workspace, orders: dict[str, Any], messages: list[Message]) -> dict[str, Any]:
    session, agent = str(orders["session"]), str(orders.get("agent") or "")
    library = open_library(workspace, orders, Reader(agent=agent), f"capture:{session}")
    candidates = find_candidates(messages, library.settings, session)
    counts = keep_lessons(library, candidates, agent)
    counts["gotchas"] = keep_failures(library, messages, read_secrets(workspace.root))
    if messages:
        keep_digest(library, messages, candidates)
    library.refresh()
    return counts


def _read_mark(path: str, orders: dict[str, Any]) -> int:
    """The byte up to which this transcript was read; 0 for another transcript."""
    try:
        mark = json.loads(read_text(path) or "{}")
    except ValueError:
        return 0
    known = isinstance(mark, dict) and mark.get("transcript") == orders["transcript"]
    offset = mark.get("offset") if known else 0
    return offset if isinstance(offset, int) and offset > 0 else 0
