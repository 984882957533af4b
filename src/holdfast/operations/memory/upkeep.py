"""The daily maintenance of memories: tiers, session memories filed, the archive, forgotten memories deleted."""

from __future__ import annotations

from holdfast.ground.errors import HoldfastError
from holdfast.ground.timestamps import seconds_of
from holdfast.ground.workspace import Workspace
from holdfast.memory.upkeep.actions import Cleaned, UpkeepContext
from holdfast.operations.caller import Caller
from holdfast.operations.conversations import ended_conversations, last_activity
from holdfast.operations.memory.catch_up import finish
from holdfast.operations.memory.library import open_library, update_index
from holdfast.work.pipeline.view import COMPLETED
from holdfast.work.project import read_project


def keep_up(workspace: Workspace, caller: Caller, dry_run: bool = False) -> Cleaned:
    """Do the maintenance, or with ``dry_run`` only plan it. Raises HoldfastError, for an agent always."""
    library = open_library(workspace, caller)

    def write_digest(session: str) -> None:
        if library.settings["capture"]:
            finish(workspace, session, caller.now)

    context = UpkeepContext(
        ended=ended_conversations(workspace),
        last_active=last_activity(workspace),
        passed=_passed_gates(workspace),
    )
    done = library.clean(dry_run, context, write_digest)
    if not dry_run:
        update_index(library)
    return done


def _passed_gates(workspace: Workspace) -> dict[str, float]:
    """Return by agent when its work passed the gate, in seconds since 1970; {} where the session cannot be read."""
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
