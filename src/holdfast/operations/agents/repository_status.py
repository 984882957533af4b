"""The state of the repository around a project: what is known of it from the user's cache, else from git."""

from __future__ import annotations

from holdfast.agents.project_status import MOST_COMMITS, MOST_FILES, Kept, ProjectStatus, read_kept, still_holds
from holdfast.ground.config.defaults import STATE_BYTES
from holdfast.ground.formats.json_text import dumps, loads
from holdfast.ground.repository import find_repository, fingerprint, read_branch
from holdfast.ground.storage.files import read_text, write_atomic
from holdfast.ground.workspace import FOLDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.ground.clock import Clock
    from holdfast.ground.workspace import Workspace

NAME = "project-status.json"


def read_branch_status(workspace: Workspace) -> ProjectStatus:
    """Return the branch and the worktree, without git; nothing in them where there is no repository."""
    found = find_repository(workspace.root)
    return ProjectStatus(branch=read_branch(found), worktree=found.worktree) if found else ProjectStatus()


def read_status(workspace: Workspace, clock: Clock, patience: float) -> ProjectStatus:
    """Return the whole status. Git gets ``patience`` seconds together; what it does not say in that time is unknown,
    and asked for the next time."""
    repository = find_repository(workspace.root)
    if repository is None:
        return ProjectStatus()
    mark = [None if one is None else [*one] for one in fingerprint(repository)]
    kept = _read(workspace)
    has_commits, has_files = still_holds(kept, mark, clock.now())
    known = kept.status if kept else ProjectStatus()
    fresh = ProjectStatus(branch=read_branch(repository), worktree=repository.worktree)
    if kept and has_commits and has_files:
        return fresh.replace(files=known.files, changed=known.changed, commits=known.commits)
    asked, end = clock.now(), clock.timer() + patience
    commits = known.commits if has_commits else _subjects(workspace, patience)
    files = _changed(workspace, max(0.0, end - clock.timer()))
    first = () if files is None else files[:MOST_FILES]
    status = fresh.replace(commits=commits, files=first, changed=None if files is None else len(files))
    _write(workspace, Kept(status, mark, asked))
    return status


def _subjects(workspace: Workspace, patience: float) -> tuple[str, ...] | None:
    """Return the newest commits' subjects, without secrets and without what reads like an instruction."""
    from holdfast.ground.git import newest_subjects
    from holdfast.ground.safety.instructions.find import flags_of
    from holdfast.ground.safety.redaction import redact

    found = newest_subjects(workspace.root, MOST_COMMITS, patience)
    return None if found is None else tuple(redact(line) for line in found if not flags_of(line))


def _changed(workspace: Workspace, patience: float) -> tuple[str, ...] | None:
    """Return the changed files, ours last."""
    from holdfast.ground.git import changed_files

    found = changed_files(workspace.root, patience)
    return None if found is None else tuple(sorted(found, key=lambda name: name.startswith(f"{FOLDER}/")))


def _read(workspace: Workspace) -> Kept | None:
    try:
        return read_kept(loads(read_text(workspace.cached(NAME), STATE_BYTES) or ""))
    except ValueError:
        return None


def _write(workspace: Workspace, kept: Kept) -> None:
    data = {**kept.__dict__, "status": kept.status.__dict__}
    try:
        write_atomic(workspace.cached(NAME), dumps(data), follow=False)
    except (OSError, ValueError):
        return
