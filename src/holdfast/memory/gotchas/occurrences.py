"""The log of failed tools, one line each, in which gotchas are found."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator
from typing import Any

from holdfast.ground.formats.json_text import loads
from holdfast.ground.safety.redaction import redact
from holdfast.ground.storage.event_log import append_event
from holdfast.ground.storage.names import safe_name
from holdfast.memory.gotchas.gotchas import Occurrence

KIND = "tool.failed"
_START = "errors-"
_CHUNK = 65_536
# Processes of one writer may append a little out of order.
_SLACK = 60.0


def append_occurrence(
    shared: str, occurrence: Occurrence, retention: dict[str, Any], writer: str, agent: object = None
) -> None:
    """Append the occurrence, redacted, to the writer's log. Raise OSError."""
    data = {
        "signature": redact(occurrence.signature),
        "sample": redact(occurrence.sample),
        "tool": redact(occurrence.tool),
        "tool_use_id": occurrence.tool_use_id,
        "paths": list(occurrence.paths),
        "at": occurrence.at,
    }
    file = _START + safe_name(writer)
    append_event(shared, file, KIND, data, occurrence.at, retention, writer, session=occurrence.session, agent=agent)


def read_occurrences(shared: str, since: float) -> list[Occurrence]:
    """Return what failed since then (seconds since 1970), the oldest first.

    Each log is read from its end, no further than needed. Lines that are no record of ours are passed over.
    """
    logs = glob.glob(os.path.join(glob.escape(shared), "events", f"{_START}*.jsonl"))
    found = [occurrence for log in sorted(logs) for occurrence in _since(_newest_first(log), since)]
    return sorted(found, key=lambda occurrence: occurrence.at)


def _since(occurrences: Iterable[Occurrence], since: float) -> Iterator[Occurrence]:
    for occurrence in occurrences:
        if occurrence.at < since - _SLACK:
            return
        if occurrence.at >= since:
            yield occurrence


def _newest_first(log: str) -> Iterator[Occurrence]:
    """Yield the occurrences of the log and of what was rotated out of it, as far as they are consumed."""
    number, path = 0, log
    while os.path.isfile(path):
        for line in _lines_from_end(path):
            if (occurrence := _read(line)) is not None:
                yield occurrence
        number += 1
        path = f"{log}.{number}"


def _read(line: bytes) -> Occurrence | None:
    try:
        record: Any = loads(line.decode("utf-8"))
        data = record["data"]
        return Occurrence(
            signature=str(data["signature"]),
            sample=str(data["sample"]),
            tool=str(data["tool"]),
            at=float(data["at"]),
            session=str(record["session"]),
            tool_use_id=str(data["tool_use_id"]),
            paths=tuple(map(str, data["paths"])),
        )
    except (ValueError, TypeError, KeyError):
        return None


def _lines_from_end(path: str) -> Iterator[bytes]:
    try:
        with open(path, "rb", buffering=0) as file:
            end, rest = file.seek(0, os.SEEK_END), b""
            while end > 0:
                start = max(0, end - _CHUNK)
                file.seek(start)
                rest, *whole = (file.read(end - start) + rest).split(b"\n")
                yield from reversed(whole)
                end = start
            yield rest
    except OSError:
        return
