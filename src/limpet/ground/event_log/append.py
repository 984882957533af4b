"""The event log's writer.

The prompt hook imports it, so it redacts nothing: callers give it text without secrets.
"""

from __future__ import annotations

import os

from limpet.ground.clock import iso
from limpet.ground.event_log.files import log_path
from limpet.ground.storage.json_lines import append_object
from limpet.ground.storage.names import safe_name
from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


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
