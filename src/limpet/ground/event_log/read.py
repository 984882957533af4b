"""Reads the event log. Writers continue meanwhile, so incomplete lines are skipped."""

from __future__ import annotations

import os

from limpet.ground.event_log.files import SUFFIX, log_paths
from limpet.ground.storage.json_lines import parse_lines, read_appended, read_newest_first, read_objects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    Event = dict[str, Any]


def read_events(shared: str, kind: str | tuple[str, ...], file: str = "") -> Iterator[Event]:
    """Yield the events of this kind, or of these, of all writers, or of those whose log has ``file`` in its name."""
    for path in log_paths(shared):
        if file in os.path.basename(path):
            yield from _of_kind(read_objects(path, _mark(kind)), kind)


def read_new_events(shared: str, kind: str | tuple[str, ...], offsets: dict[int, int]) -> Iterator[Event]:
    """Yield the events of this kind, or of these, that lie beyond ``offsets``, and bring these up to date.

    ``offsets``: a log's inode, which a rotation keeps -> where reading ended.
    """
    for path in log_paths(shared):
        new = read_appended(path, offsets)
        if new is not None:
            inode, lines, end = new
            yield from _of_kind(parse_lines(lines, _mark(kind)), kind)
            offsets[inode] = end


def newest_first(shared: str, start: str) -> list[Iterator[Event]]:
    """Return the events of each log whose name has this start, the newest first, those rotated out of it included.

    No more is read than is consumed.
    """
    logs = (path for path in log_paths(shared) if path.endswith(SUFFIX))
    return [read_newest_first(path) for path in logs if os.path.basename(path).startswith(start)]


def event_data(event: Event) -> dict[str, Any]:
    """Return the event's ``data``, empty where it is no object."""
    data = event.get("data")
    return data if isinstance(data, dict) else {}


def _mark(kind: str | tuple[str, ...]) -> bytes:
    return (kind if isinstance(kind, str) else os.path.commonprefix(kind)).encode()


def _of_kind(events: Iterator[Event], kind: str | tuple[str, ...]) -> Iterator[Event]:
    kinds = (kind,) if isinstance(kind, str) else kind
    return (event for event in events if event.get("kind") in kinds)
