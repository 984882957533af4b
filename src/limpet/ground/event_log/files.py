"""The event log's writer.

The prompt hook imports it, so it redacts nothing: callers give it text without secrets.
"""

from __future__ import annotations

import os

from limpet.ground.clock import iso
from limpet.ground.digest import safe_name
from limpet.ground.storage.files import names_in
from limpet.ground.storage.json_lines import append_object
from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from limpet.ground.workspace import Workspace

SUFFIX = ".jsonl"
BLOCK = "block"
"""The kind of the events that record a block that was sent."""


class Actor(Value):
    """A person, an agent or a door that acts.

    ``writer``: the name of a person, an agent or a door.
    ``now``: when, in seconds since 1970.
    ``retention``: the configuration's section of that name.
    ``session``, ``agent`` and ``why``: conversation, agent in force and reason, where known.
    """

    writer: str
    now: float
    retention: dict[str, Any]
    session: str = ""
    agent: str = ""
    why: str = ""


def append_event(shared: str, actor: Actor, kind: str, data: Mapping[str, object], file: str = "") -> None:
    """Append an event to ``events/<file>.jsonl`` of ``shared``, which is named after the writer unless said otherwise.

    Raises OSError where the disk refuses, ValueError and TypeError for data that is no JSON.
    """
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
    """Return the path of the log ``name``."""
    return os.path.join(events_folder(shared), name + SUFFIX)


def log_paths(shared: str) -> list[str]:
    """Return the paths of all logs, rotated ones included, in order of name."""
    folder = events_folder(shared)
    return [os.path.join(folder, name) for name in names_in(folder) if SUFFIX in name]


def block_path(shared: str, name: str) -> str:
    """Return the path under which a block that was sent is kept; ``name`` is its content hash."""
    return os.path.join(blocks_folder(shared), name)


def blocks_folder(shared: str) -> str:
    """Return the folder of the blocks that were sent."""
    return os.path.join(events_folder(shared), "blocks")


def events_folder(shared: str) -> str:
    return os.path.join(shared, "events")


def metrics_path(workspace: Workspace) -> str:
    """Return the path of the hook's metrics, which are rotated as the logs are."""
    return workspace.path("metrics", "hook.jsonl")
