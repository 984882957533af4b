"""The audit log: who did what, when and why, one line each (decision 44). Apart from the engine, because entries are
changed by doors that have no event of a host."""

from __future__ import annotations

import os

from holdfast.ground.clock import iso
from holdfast.ground.formats.json_text import dumps
from holdfast.ground.storage.files import append_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def append_event(
    shared: str,
    file: str,
    kind: str,
    data: dict[str, Any],
    now: float,
    retention: dict[str, Any],
    writer: str,
    session: str = "",
    agent: object = None,
    why: object = None,
) -> None:
    """Append a record to ``events/<file>.jsonl`` of ``shared``; one file a writer. Raises OSError, ValueError."""
    record = {
        "id": f"{int(now * 1e6):x}-{os.getpid():x}",
        "time": iso(now),
        "writer": writer,
        "session": session,
        "agent": agent,
        "kind": kind,
        "data": data,
        "why": why,
    }
    path = os.path.join(shared, "events", f"{file}.jsonl")
    append_line(path, dumps(record), retention["events_bytes"], retention["rotated_files"])
