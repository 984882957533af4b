"""The daily maintenance of memories: tiers, session memories filed, the archive, forgotten memories deleted."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from limpet.ground.clock import seconds_of
from limpet.ground.errors import LimpetError
from limpet.ground.safety.dotenv import without_secrets
from limpet.ground.storage.drafts import old_drafts
from limpet.ground.storage.files import remove_file
from limpet.ground.storage.last_seen import DAY, DOUBTFUL, note_seen, read_last_seen, steady_since
from limpet.ground.workspace import Workspace
from limpet.memory.files.store import maintained_path
from limpet.memory.model.entry import DURABLE
from limpet.memory.model.layout import personal_home
from limpet.memory.model.results import Refreshed
from limpet.memory.model.rights import PERSONAL, refuse_agents
from limpet.memory.personal import has_personal_memories
from limpet.memory.upkeep import Cleaned, UpkeepContext
from limpet.operations.caller import Caller
from limpet.operations.conversations import ended_conversations, last_activity
from limpet.operations.memory.change import KeptMemory, remember_memory
from limpet.operations.memory.library import open_library, personal_workspace, update_index
from limpet.operations.project import Project, open_as
from limpet.work.pipeline.state import COMPLETED

# Fields that tie a memory to a project, an agent or a conversation.
_TIES = ("paths", "agent", "session")


def maintain(
    project: Project,
    rebuild: bool = False,
    dry_run: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Refreshed | None, Cleaned | None]:
    """Bring the index up to date with the files, or with ``rebuild`` make it again, then do the daily maintenance.
    Return what changed in the index, None with ``dry_run``; and the maintenance that was done or planned, None for an
    agent, who may only bring the index up to date."""
    if dry_run:
        return None, keep_up(project, dry_run=True)
    library = open_library(project)
    index = library.refresh(True, rebuild, progress)
    return index, keep_up(project) if project.caller.reader.person else None


def keep_up(project: Project, dry_run: bool = False) -> Cleaned:
    """For people only."""
    library, workspace, now = open_library(project), project.workspace, project.caller.now
    mark = maintained_path(workspace.shared)
    last = read_last_seen(mark)
    undo_days = library.settings["undo_days"]
    # A jump of the clock must not end the time to undo.
    steady = steady_since(last, now, min(DOUBTFUL, undo_days * DAY or DOUBTFUL))
    context = UpkeepContext(
        ended=ended_conversations(workspace),
        last_active=last_activity(workspace),
        passed=_passed_gates(project),
        steady=steady,
        jumped=steady if last.at else 0.0,
    )
    done = library.clean(dry_run, context)
    folders = () if workspace.home == workspace.shared else (workspace.home, workspace.state)
    left = [path for folder in folders for path in old_drafts(folder, now)]
    if not dry_run:
        from limpet.operations.memory.copies import keep_todays_copy  # with the capture, which a refresh has no use for

        keep_todays_copy(library)
        for path in left:
            remove_file(path)
        note_seen(mark, now, steady)
        update_index(library)
    return done.replace(drafts=(*done.drafts, *left))


def remember_personal(
    project: Project, around: Workspace | None, fields: Mapping[str, Any], text: str = "", why: str = ""
) -> KeptMemory:
    """The secrets of the project ``around`` stay out of it. For people only; no field may tie it to a project."""
    refuse_agents(project.caller.reader, PERSONAL)
    tied = next((name for name in _TIES if fields.get(name)), "")
    if tied or fields.get("scope") == "private" or fields.get("storage", DURABLE) != DURABLE:
        what = "A personal memory is durable and applies to all projects and agents"
        raise LimpetError(what, "", "Omit --path, --agent, --private, --daily and --session.")
    if around is not None:
        fields = {name: _clean(around, value) for name, value in fields.items()}
        text = without_secrets(around, text)
    return remember_memory(project, fields, text, why)


def refresh_personal(caller: Caller) -> None:
    if has_personal_memories():
        update_index(open_library(open_as(personal_workspace(), caller)))


def keep_up_personal(caller: Caller) -> None:
    """For people only."""
    if os.path.isdir(personal_home()):
        keep_up(open_as(personal_workspace(), caller))


def _passed_gates(project: Project) -> dict[str, float]:
    with suppress(LimpetError):
        records = (project.session.get("agents") or {}).items()
        passed = ((agent, one) for agent, one in records if isinstance(one, dict) and one.get("status") == COMPLETED)
        return {agent: seconds_of(one.get("completed_at")) for agent, one in passed}
    return {}


def _clean(around: Workspace, value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_clean(around, each) for each in value)
    return without_secrets(around, value) if isinstance(value, str) else value
