"""Before a compaction and at the end of a conversation: what its transcript teaches becomes memories, and a digest.

Only what the transcript says since the last time is read, and a little before it. The same words found in a copy of the
conversation (a fork) have the same moment and count once.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection
from pathlib import Path
from typing import Any

from holdfast.ground.errors import HoldfastError
from holdfast.ground.safety.dotenv import read_secrets
from holdfast.ground.safety.redaction import redact
from holdfast.ground.storage.files import Lock, read_text, write_atomic
from holdfast.ground.storage.names import safe_name
from holdfast.ground.workspace import Workspace
from holdfast.memory.capture.find import find_new
from holdfast.memory.model.access import Reader
from holdfast.operations.memory.digest import keep_digest
from holdfast.operations.memory.lessons import keep_lessons
from holdfast.operations.memory.library import open_library
from holdfast.operations.memory.tool_failures import keep_failures
from holdfast.transcripts.messages import Message
from holdfast.transcripts.registry import transcript_of
from holdfast.transcripts.tail import size_of

PATIENCE = 15.0
# So many messages are looked at again by the next capture.
REACH = 100


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """How many memories were added, strengthened, superseded. Raises HoldfastError while another capture of this
    conversation is at work."""
    session = str(orders["session"])
    lock = os.path.join(workspace.shared, "cache", "locks", f"capture-{safe_name(session)}.lock")
    with Lock(lock, patience=PATIENCE) as held:
        if not held:
            raise HoldfastError("another capture of this conversation is at work", session)
        mark = _mark(workspace, session)
        before, since = _read_mark(mark, str(orders["transcript"]))
        messages, end = _read(orders, workspace.root, before)
        if messages and messages[0].offset < before:  # another file in its place: nothing of it was captured
            since = 0
        counts = _keep(workspace, orders, messages, since)
        before = messages[-REACH:][0].offset if messages else since
        done = {"transcript": orders["transcript"], "before": before, "offset": end}
        write_atomic(mark, json.dumps(done), follow=False)
    return counts


def captured_until(workspace: Workspace, session: str, transcript: str) -> int:
    """The byte of the transcript up to which the conversation was captured."""
    return _read_mark(_mark(workspace, session), transcript)[1]


def _mark(workspace: Workspace, session: str) -> str:
    return workspace.path("sessions", f"{safe_name(session)}.captured")


def _read(orders: dict[str, Any], root: str, since: int) -> tuple[list[Message], int]:
    """The messages without secrets: what is compared with what is known must be as that was written."""
    transcript = transcript_of(str(orders["host"]))
    if transcript is None:
        raise HoldfastError("its transcripts cannot be read", str(orders["host"]))
    messages, end = transcript.read_messages(str(orders["transcript"]), since, root=root)
    secrets = read_secrets(Path(root))
    return [_redacted(message, secrets) for message in messages], end


def _redacted(message: Message, secrets: Collection[str]) -> Message:
    """Without what a tool answered too: nothing is captured from it, and it is most of a conversation."""
    given = {name: redact(value, known=secrets) for name, value in message.tool_input.items()}
    text = "" if message.role == "tool" else redact(message.text, known=secrets)
    return message.replace(text=text, error=redact(message.error, known=secrets), tool_input=given)


def _keep(workspace: Workspace, orders: dict[str, Any], messages: list[Message], since: int) -> dict[str, Any]:
    """``messages`` reach back before ``since``, where the last capture ended, so that a failure there meets its mend
    here."""
    session, agent = str(orders["session"]), str(orders.get("agent") or "")
    library = open_library(workspace, orders, Reader(agent=agent), f"capture:{session}")
    candidates = find_new(messages, since, library.settings, session)
    gotchas = keep_failures(library, messages)  # first: an error that is a gotcha is no lesson of its own
    counts = {"gotchas": gotchas, **keep_lessons(library, candidates, agent)}
    new = [message for message in messages if message.offset >= since]
    if new:
        keep_digest(library, new, candidates)
    library.refresh()
    return counts


def _read_mark(path: str, transcript: str) -> tuple[int, int]:
    """The bytes of this transcript from which to read and at which the last capture ended; 0 for another one."""
    try:
        mark = json.loads(read_text(path) or "{}")
    except ValueError:
        mark = {}
    known = mark if isinstance(mark, dict) and mark.get("transcript") == transcript else {}
    before, end = (value if isinstance(value := known.get(name), int) else 0 for name in ("before", "offset"))
    return (before, end) if 0 <= before <= end <= size_of(transcript) else (0, 0)
