"""The conversations of a project, read for people and for maintenance: nothing is written, not even repairs."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from holdfast.context.usage import Usage
from holdfast.ground.errors import HoldfastError
from holdfast.ground.storage.files import stamp
from holdfast.ground.timestamps import seconds_of
from holdfast.ground.workspace import Workspace
from holdfast.work.session import complete, read_state_file, session_path, session_paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.work.session import Session


def read_states(workspace: Workspace) -> Iterator[Session]:
    """Yield each conversation's state as it is stored; a file that cannot be read or names no id is left out."""
    states = map(read_state_file, session_paths(workspace))
    return (state for state in states if isinstance(state.get("id"), str))


def read_conversation(workspace: Workspace, session: str) -> Session:
    """Return the state of a conversation with every field. Raises HoldfastError where there is none."""
    state = _read(session_path(workspace, session))
    if state is None:
        newest = newest_conversation(workspace)
        advice = f"the newest one is {newest['id']}" if newest else "none has been seen in this project"
        raise HoldfastError(f"there is no conversation {session}", "", advice)
    return state


def newest_conversation(workspace: Workspace) -> Session | None:
    """Return the state, with every field, of the conversation that was written last; None where none can be read."""
    newest_first = sorted(session_paths(workspace), key=lambda path: stamp(path) or (0, 0, 0), reverse=True)
    return next(filter(None, map(_read, newest_first)), None)


def last_activity(workspace: Workspace) -> dict[str, float]:
    """Return conversation -> its last event, in seconds since 1970."""
    return {state["id"]: seconds_of(state.get("last_activity")) for state in read_states(workspace)}


def ended_conversations(workspace: Workspace) -> frozenset[str]:
    """Return the ids of conversations that ended by the host's word and were not taken up again."""
    return frozenset(state["id"] for state in read_states(workspace) if state.get("ended"))


def _read(path: str) -> Session | None:
    found = read_state_file(path)
    if not found:
        return None
    session = str(found.get("id") or os.path.basename(path).removesuffix(".json"))
    usage = found.get("usage")
    known = isinstance(usage, dict) and set(usage) == set(Usage.fields)
    usable = {**found, "usage": usage if known else None}
    return complete(usable, session, "", str(found.get("cwd", "")), time.time())
