"""Its payloads to events, replies to its JSON."""

from __future__ import annotations

from limpet.ground.event import Event
from limpet.ground.formats.json_text import dumps

HOST = "second-host"
PROJECT = ""
SHOWS = True
CARRIES = ""
CONFIRMS = True
TIMEOUTS = {"Opened": 10, "Asked": 5, "Closed": 5}
KINDS = {"Opened": "session_start", "Asked": "prompt", "Closed": "session_end"}


def read_event(name, payload, environment):
    """Return the event; a field of an unexpected type counts as absent."""
    fields = {"session": "talk", "cwd": "folder", "prompt": "text", "prompt_id": "number", "transcript": "log"}
    given = {ours: value for ours, theirs in fields.items() if isinstance(value := payload.get(theirs), str)}
    source = {"source": "startup"} if name == "Opened" else {}
    return Event(kind=KINDS.get(name, "other"), host=HOST, **given, **source)


def render_reply(name, reply):
    """Return what it adds to the conversation; when it closes nothing may be said."""
    return dumps({"add": reply.block}) if reply.block and name != "Closed" else ""
