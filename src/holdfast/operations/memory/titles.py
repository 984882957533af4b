"""Titles of memories by their ids, as far as a caller may see them."""

from __future__ import annotations

from collections.abc import Iterable

from holdfast.ground.errors import HoldfastError
from holdfast.ground.workspace import Workspace
from holdfast.operations.caller import Caller
from holdfast.operations.memory.library import open_library

# Letters of an id by which commands know a memory.
SHORT = 8
UNSEEN = "(gone, or another agent's)"


def titles_of(workspace: Workspace, caller: Caller, ids: Iterable[str]) -> dict[str, str]:
    """Return the end of each id, by which commands know it, and the memory's title. Raises HoldfastError."""
    library = open_library(workspace, caller)
    titles = {}
    for key in ids:
        try:
            titles[key[-SHORT:]] = library.show(key, count=False).entry.title
        except HoldfastError:
            titles[key[-SHORT:]] = UNSEEN
    return titles
