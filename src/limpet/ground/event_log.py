"""The event log: JSON lines that say who did what, when and why, one file for each writer (decision 44). The prompt
hook imports it, so it redacts nothing: callers give it text without secrets. Writers continue while it is read, so that
incomplete lines are skipped."""

from __future__ import annotations

import os

from limpet.ground.clock import iso
from limpet.ground.digest import safe_name
from limpet.ground.storage.files import names_in
from limpet.ground.storage.json_lines import append_object, parse_lines, read_appended, read_newest_first, read_objects
from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from limpet.ground.workspace import Workspace

    Event = dict[str, Any]
else:
    Event = dict

SUFFIX = ".jsonl"
BLOCK = "block"
"""The kind of the events that record a block that was sent."""


class Actor(Value):
    """``now``: seconds since 1970.
    ``retention``: the configuration's section of that name.
    ``agent``, ``why``: the agent in force and the reason, where known.
    """

    writer: str
    now: float
    retention: dict[str, Any]
    session: str = ""
    agent: str = ""
    why: str = ""


def append_event(shared: str, actor: Actor, kind: str, data: Mapping[str, object], file: str = "") -> None:
    """To ``events/<file>.jsonl``, which is named after the writer unless said otherwise. Raises OSError where the disk
    refuses, ValueError and TypeError for data that is no JSON."""
    event = {
        "id": f"{int(actor.now * 1e6):x}-{os.getpid():x}",
        "time": iso(actor.now),
        "writer": actor.writer,
        "session": actor.session,
        "agent": actor.agent or None,
        "kind": kind,
        "data": data,
        "why": actor.why or None,
    }
    path = log_path(shared, file or safe_name(actor.writer))
    append_object(path, event, actor.retention["events_bytes"], actor.retention["rotated_files"])


def log_path(shared: str, name: str) -> str:
    return os.path.join(events_folder(shared), name + SUFFIX)


def log_paths(shared: str) -> list[str]:
    """Rotated logs included, in order of name."""
    folder = events_folder(shared)
    return [os.path.join(folder, name) for name in names_in(folder) if SUFFIX in name]


def block_path(shared: str, name: str) -> str:
    """``name``: the block's content hash."""
    return os.path.join(blocks_folder(shared), name)


def blocks_folder(shared: str) -> str:
    return os.path.join(events_folder(shared), "blocks")


def events_folder(shared: str) -> str:
    return os.path.join(shared, "events")


def metrics_path(workspace: Workspace) -> str:
    return workspace.kept("metrics", "hook.jsonl")


def read_events(shared: str, kind: str | tuple[str, ...], file: str = "") -> Iterator[Event]:
    for path in log_paths(shared):
        if file in os.path.basename(path):
            yield from _of_kind(read_objects(path, _mark(kind)), kind)


def read_new_events(shared: str, kind: str | tuple[str, ...], offsets: dict[int, int]) -> Iterator[Event]:
    """Those beyond ``offsets``, which are brought up to date: a log's inode, which a rotation keeps -> where reading
    ended."""
    for path in log_paths(shared):
        new = read_appended(path, offsets)
        if new is not None:
            inode, lines, end = new
            yield from _of_kind(parse_lines(lines, _mark(kind)), kind)
            offsets[inode] = end


def newest_first(shared: str, start: str) -> list[Iterator[Event]]:
    """Of each log whose name has this start, rotated files included; no more is read than is consumed."""
    logs = (path for path in log_paths(shared) if path.endswith(SUFFIX))
    return [read_newest_first(path) for path in logs if os.path.basename(path).startswith(start)]


def moment_of(event: Event) -> str:
    """By which the events of all writers are in order: the time, then the id, which begins with its microseconds."""
    return f"{event.get('time')} {event.get('id')}"


def event_data(event: Event) -> dict[str, Any]:
    data = event.get("data")
    return data if isinstance(data, dict) else {}


def _mark(kind: str | tuple[str, ...]) -> bytes:
    return (kind if isinstance(kind, str) else os.path.commonprefix(kind)).encode()


def _of_kind(events: Iterator[Event], kind: str | tuple[str, ...]) -> Iterator[Event]:
    kinds = (kind,) if isinstance(kind, str) else kind
    return (event for event in events if event.get("kind") in kinds)
