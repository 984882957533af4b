"""The daily maintenance of memories: tiers, filing, archive, what was forgotten long ago."""

from __future__ import annotations

from typing import Any

from holdfast.engine.conversations import ended_conversations, last_activity
from holdfast.engine.jobs.catch_up import finish
from holdfast.engine.jobs.library import open_library
from holdfast.ground.workspace import Workspace
from holdfast.memory.access import PERSON
from holdfast.memory.library import Cleaned, Library


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """How many actions were taken."""
    library = open_library(workspace, orders, PERSON, "upkeep")
    done = keep_up(workspace, library)
    library.refresh()
    return {"actions": len(done.done)}


def keep_up(workspace: Workspace, library: Library, dry_run: bool = False) -> Cleaned:
    """The maintenance with what the project knows of its conversations. Raises HoldfastError for an agent."""

    def write_digest(session: str) -> None:
        if library.settings["capture"]:
            finish(workspace, session, library.clock.now())

    return library.clean(dry_run, ended_conversations(workspace), last_activity(workspace), write_digest)
