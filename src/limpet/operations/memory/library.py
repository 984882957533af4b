"""Opens the memory library for a caller. Separate, so that every operation opens it with the same rights and clock."""

from __future__ import annotations

import re

from limpet.ground.clock import Clock
from limpet.ground.config.mirror import read_last_mirror
from limpet.ground.errors import LimpetError
from limpet.ground.repository import find_repository, read_branch
from limpet.ground.storage.confinement import lies_in
from limpet.ground.storage.user_folders import data_folder
from limpet.ground.workspace import Workspace
from limpet.memory.library import Library
from limpet.memory.model.layout import personal_home
from limpet.memory.model.results import Imported, MemoryProblem
from limpet.memory.personal import personal_workspace as personal_workspace
from limpet.operations.memory.conversations.conversation import refuse_paused
from limpet.operations.project import Project
from limpet.roles.roster import resolve_id
from limpet.work.pipeline.state import IN_PROGRESS

# To which all work comes: what is said on one holds on all.
MAIN_BRANCHES = ("", "main", "master", "trunk", "develop", "dev")
_DETACHED = re.compile("[0-9a-f]{8}")


def open_library(project: Project) -> Library:
    """Raises LimpetError for the agent of a paused conversation too."""
    caller = project.caller
    refuse_paused(caller)
    return Library(
        project.workspace.shared,
        project.settings["memory"],
        caller.reader,
        Clock(now=lambda: caller.now),
        project.actor,
        lambda: _step_under_way(project.workspace),
        lambda: _side_branch(project.workspace),
    )


def _step_under_way(workspace: Workspace) -> str:
    last = read_last_mirror(workspace)
    agents = last.session.get("agents") if last else None
    records = agents.items() if isinstance(agents, dict) else ()
    return next((agent for agent, one in records if isinstance(one, dict) and one.get("status") == IN_PROGRESS), "")


def _side_branch(workspace: Workspace) -> str:
    repository = find_repository(workspace.root)
    branch = read_branch(repository) if repository and not lies_in(data_folder(), workspace.root) else ""
    return "" if branch in MAIN_BRANCHES or _DETACHED.fullmatch(branch) else branch


def is_personal(project: Project) -> bool:
    return project.workspace.shared == personal_home()


def update_index(library: Library) -> str:
    """Return a line where that cannot be done: the next reader does it, so a busy index is no failure of the change."""
    try:
        library.refresh()
    except LimpetError as error:
        return f"Saved. It is searchable with the next prompt, for the index cannot be written from here: {error}"
    return ""


def owner_of(name: str) -> str:
    """Return an agent's id or ``shared``."""
    return resolve_id(name) or name.strip().lower().lstrip("@")


def export_memories(
    project: Project, target: str, form: str = "", with_index: bool = False
) -> tuple[str, int, tuple[MemoryProblem, ...]]:
    """Return the format, which follows from the ending of ``target`` without ``form``, the number of entries, and the
    files that could not be read."""
    library = open_library(project)
    form = form or ("md-tar" if target.endswith(".tar") else "json")
    count = library.export(target, form, with_index)
    try:
        return form, count, library.refresh().problems
    except LimpetError:  # the index is out of reach, the files were not
        return form, count, ()


def import_memories(project: Project, source: str, why: str = "") -> Imported:
    """For people only."""
    library = open_library(project)
    done = library.import_(source, why)
    update_index(library)
    return done
