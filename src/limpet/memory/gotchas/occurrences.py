"""The log of failed tools, one line each, in which gotchas are found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from limpet.ground.event_log.append import Actor, append_event
from limpet.ground.event_log.read import newest_first
from limpet.ground.safety.redaction import redact
from limpet.ground.storage.names import safe_name
from limpet.memory.gotchas.gotchas import Occurrence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.ground.event_log.read import Event

KIND = "tool.failed"
_START = "errors-"
# Older ones, one after the other, after which nothing that is wanted lies further back: processes of one writer append
# a little out of order, and a clock that was set back for a while wrote some in between.
OLDER = 20


def append_occurrence(
    shared: str, occurrence: Occurrence, retention: dict[str, Any], writer: str, agent: str = ""
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
    actor = Actor(writer, occurrence.at, retention, occurrence.session, agent)
    append_event(shared, actor, KIND, data, _START + safe_name(writer))


def read_occurrences(shared: str, since: float) -> list[Occurrence]:
    """Return what failed since then (seconds since 1970), the oldest first; each log is read from its end, no
    further than needed. Lines that are no record of Limpet are passed over."""
    logs = (filter(None, map(_read, log)) for log in newest_first(shared, _START))
    found = [occurrence for log in logs for occurrence in _since(log, since)]
    return sorted(found, key=lambda occurrence: occurrence.at)


def _since(occurrences: Iterable[Occurrence], since: float) -> Iterator[Occurrence]:
    older = 0
    for occurrence in occurrences:
        older = 0 if occurrence.at >= since else older + 1
        if not older:
            yield occurrence
        elif older == OLDER:
            return


def _read(event: Event) -> Occurrence | None:
    try:
        data = event["data"]
        return Occurrence(
            signature=str(data["signature"]),
            sample=str(data["sample"]),
            tool=str(data["tool"]),
            at=float(data["at"]),
            session=str(event["session"]),
            tool_use_id=str(data["tool_use_id"]),
            paths=tuple(map(str, data["paths"])),
        )
    except (ValueError, TypeError, KeyError):
        return None
