"""The daily maintenance of memories: tiers, filing, archive, what was forgotten long ago."""

from __future__ import annotations

from typing import Any

from holdfast.ground.errors import HoldfastError
from holdfast.ground.timestamps import seconds_of
from holdfast.ground.workspace import Workspace
from holdfast.memory.library import Library
from holdfast.memory.model.access import PERSON
from holdfast.memory.upkeep.actions import Cleaned, UpkeepContext
from holdfast.operations.conversations import ended_conversations, last_activity
from holdfast.operations.memory.catch_up import finish
from holdfast.operations.memory.library import open_library
from holdfast.work.pipeline.view import COMPLETED
from holdfast.work.project import read_project


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

    return library.clean(dry_run, _circumstances(workspace), write_digest)


def _circumstances(workspace: Workspace) -> UpkeepContext:
    return UpkeepContext(
        ended=ended_conversations(workspace),
        last_active=last_activity(workspace),
        passed=_passed_gates(workspace),
    )


def _passed_gates(workspace: Workspace) -> dict[str, float]:
    """Agent -> when its work passed the gate, in seconds since 1970; none where the session cannot be read."""
    try:
        agents = read_project(workspace)[0].get("agents") or {}
    except HoldfastError:
        return {}
    records = {agent: record for agent, record in agents.items() if isinstance(record, dict)}
    return {
        agent: seconds_of(record.get("completed_at"))
        for agent, record in records.items()
        if record.get("status") == COMPLETED
    }
