"""Notes in a conversation's state that something was recorded in it, so that its agent is not reminded to."""

from __future__ import annotations

from contextlib import suppress

from holdfast.ground.errors import HoldfastError
from holdfast.ground.workspace import Workspace
from holdfast.operations.caller import Caller
from holdfast.work.session import change_session, read_state


def note_recorded(workspace: Workspace, caller: Caller) -> None:
    """Note it for a call from inside a coding agent; a state that cannot be written costs a reminder and no more.

    What is typed in a prompt the hook notes itself: it holds the state's lock while a job writes the memory.
    """
    if caller.surroundings.host and caller.conversation:
        with suppress(HoldfastError, OSError):
            count = read_state(workspace, caller.conversation).get("prompt_count")
            change_session(workspace, caller.conversation, {"recorded": count})
