"""The daily maintenance of memories: tiers, session memories filed, the archive, forgotten memories deleted."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from limpet.ground.errors import LimpetError
from limpet.ground.storage.drafts import old_drafts
from limpet.ground.storage.files import remove_file
from limpet.ground.storage.last_seen import DAY, DOUBTFUL, note_seen, read_last_seen, steady_since
from limpet.ground.timestamps import seconds_of
from limpet.memory.files.store import maintained_path
from limpet.memory.model.results import Refreshed
from limpet.memory.upkeep.planning import Cleaned, UpkeepContext
from limpet.operations.conversations import ended_conversations, last_activity
from limpet.operations.memory.library import open_library, update_index
from limpet.operations.project import Project
from limpet.work.pipeline.view import COMPLETED


def maintain(
    project: Project,
    rebuild: bool = False,
    dry_run: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Refreshed | None, Cleaned | None]:
    """Bring the index up to date with the files, or with ``rebuild`` make it again, then do the daily maintenance.

    Return what changed in the index, None for a plan; and the maintenance that was done, or with ``dry_run`` planned,
    None for an agent, who may only bring the index up to date. Raises LimpetError.
    """
    if dry_run:
        return None, keep_up(project, dry_run=True)
    library = open_library(project)
    index = library.refresh(True, rebuild, progress)
    return index, keep_up(project) if project.caller.reader.person else None


def keep_up(project: Project, dry_run: bool = False) -> Cleaned:
    """Do the maintenance, or with ``dry_run`` only plan it. Raises LimpetError, for an agent always."""
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
    left = () if workspace.home == workspace.shared else tuple(old_drafts(workspace.home, now))
    if not dry_run:
        for path in left:
            remove_file(path)
        note_seen(mark, now, steady)
        update_index(library)
    return done.replace(drafts=(*done.drafts, *left))


def _passed_gates(project: Project) -> dict[str, float]:
    """Return by agent when its work passed the gate, in seconds since 1970; {} where the session cannot be read."""
    with suppress(LimpetError):
        records = (project.session.get("agents") or {}).items()
        passed = ((agent, one) for agent, one in records if isinstance(one, dict) and one.get("status") == COMPLETED)
        return {agent: seconds_of(one.get("completed_at")) for agent, one in passed}
    return {}
