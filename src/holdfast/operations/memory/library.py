"""The memories as a caller may use them: the one place that opens them, for every door."""

from __future__ import annotations

from holdfast.ground.clock import Clock
from holdfast.ground.config.settings import load_settings
from holdfast.ground.errors import HoldfastError
from holdfast.ground.workspace import Workspace
from holdfast.memory.library import Library
from holdfast.operations.caller import Caller
from holdfast.roles.roster import resolve


def open_library(workspace: Workspace, caller: Caller) -> Library:
    """Return the library at the moment of the call, for the caller's conversation. Raises HoldfastError."""
    settings, _ = load_settings(workspace)
    return Library(
        workspace.shared,
        settings["memory"],
        settings["retention"],
        caller.reader,
        caller.writer,
        Clock(now=lambda: caller.now),
        caller.conversation,
    )


def update_index(library: Library) -> str:
    """Bring the index up to date after a change; return a line for the person where that cannot be done, else "".

    The change is on the disk already: an index that is busy is no failure of it, and the next reading brings it up to
    date.
    """
    try:
        library.refresh()
    except HoldfastError as error:
        return f"it is kept, and found once the index can be written: {error}"
    return ""


def owner_of(name: str) -> str:
    """Return the owner, an agent's id or ``shared``, that a name or an alias stands for."""
    return resolve(name) or name.strip().lower().lstrip("@")
