"""The conversations of a project, read for people and for maintenance: nothing is written, not even repairs."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

from limpet.context.usage import WindowUsage
from limpet.ground.clock import seconds_of
from limpet.ground.errors import LimpetError
from limpet.ground.event_log import metrics_path
from limpet.ground.storage.files import stamp
from limpet.ground.storage.json_lines import read_newest_first
from limpet.ground.text.lookup import resolve_name
from limpet.ground.workspace import Workspace
from limpet.work.session import (
    TRIAL,
    change_session,
    complete,
    read_state,
    read_state_file,
    session_path,
    session_paths,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.work.session import Session

Line = dict[str, Any]
"""A line of the metrics."""


def read_states(workspace: Workspace) -> Iterator[Session]:
    """Yield each conversation's state as it is stored, but for files that cannot be read or name no id."""
    states = map(read_state_file, session_paths(workspace))
    return (state for state in states if isinstance(state.get("id"), str))


def read_conversation(workspace: Workspace, session: str) -> Session:
    state = _read(session_path(workspace, session))
    state = state or _read(session_path(workspace, find_conversation(workspace, session)))
    assert state is not None
    return state


def last_heard(workspace: Workspace) -> dict[str, str]:
    """Return host -> when the newest of its conversations was last active, in ISO 8601."""
    states = [state for state in read_states(workspace) if not str(state["id"]).startswith(TRIAL)]
    when = sorted((str(state.get("last_activity") or ""), str(state.get("host") or "")) for state in states)
    return {host: at for at, host in when}


def newest_conversation(workspace: Workspace) -> Session | None:
    """The one that was written last, but for the doctor's trials; None where none can be read."""
    paths = (path for path in session_paths(workspace) if not os.path.basename(path).startswith(TRIAL))
    newest_first = sorted(paths, key=lambda path: stamp(path) or (0, 0, 0), reverse=True)
    return next(filter(None, map(_read, newest_first)), None)


def find_conversation(workspace: Workspace, key: str) -> str:
    """Return the id for an id or its beginning. Raises LimpetError where none begins so, or several."""
    states = sorted(read_states(workspace), key=lambda state: str(state.get("last_activity")), reverse=True)

    def unknown() -> LimpetError:
        newest = newest_conversation(workspace)
        some = newest and f"The newest one is {newest['id']}. To list them, run: limpet sessions"
        return LimpetError("No conversation with this ID", key, some or "This project has no conversations yet.")

    return resolve_name(key, [str(state["id"]) for state in states], unknown)


def full_name(workspace: Workspace, key: str) -> str:
    """An unknown ``key`` is returned as it is: memories outlive the states of their conversations."""
    if not key:
        return key
    found = [state["id"] for state in read_states(workspace) if state["id"].startswith(key)]
    return key if key in found or len(found) != 1 else str(found[0])


def current_conversation(workspace: Workspace) -> str:
    newest = newest_conversation(workspace)
    if newest is None:
        raise LimpetError("No conversations yet", "", "Run your coding agent in this project first.")
    return str(newest["id"])


def note_title(workspace: Workspace, session: str, title: str) -> None:
    """Keep the title of a conversation that has none yet; a state that cannot be written costs the title."""
    if title and not read_state(workspace, session).get("title"):
        with suppress(LimpetError, OSError):
            change_session(workspace, session, {"title": title})


def last_activity(workspace: Workspace) -> dict[str, float]:
    """Return conversation -> its last event, in seconds since 1970."""
    return {state["id"]: seconds_of(state.get("last_activity")) for state in read_states(workspace)}


def ended_conversations(workspace: Workspace) -> frozenset[str]:
    """Return the ids of conversations that ended by the host's word and were not taken up again."""
    return frozenset(state["id"] for state in read_states(workspace) if state.get("ended"))


def read_metrics(workspace: Workspace, last: int, session: str = "") -> list[Line]:
    """The newest ``last`` lines, the oldest first; of all conversations but the doctor's where ``session`` is ""."""
    newest = (line for line in read_newest_first(metrics_path(workspace)) if line and _is_of(line, session))
    return list(islice(newest, last))[::-1]


def _is_of(line: Line, session: str) -> bool:
    own = str(line.get("session", ""))
    return own == session if session else not own.startswith(TRIAL)


def _read(path: str) -> Session | None:
    found = read_state_file(path)
    if not found:
        return None
    session = str(found.get("id") or os.path.basename(path).removesuffix(".json"))
    usage = found.get("usage")
    known = isinstance(usage, dict) and set(usage) == set(WindowUsage.fields)
    usable = {**found, "usage": usage if known else None}
    return complete(usable, session, "", str(found.get("cwd", "")), time.time())
