"""The state of a project's repository as a value, how long what git said of it holds, and how it is said in a line."""

from __future__ import annotations

from holdfast.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST_FILES = 5
MOST_COMMITS = 2
# Seconds for which changes to files hold, which leave no mark in git's folder.
HOLDS = 15.0


class ProjectStatus(Value):
    """The state of the repository around a project.

    ``branch``: its name, the beginning of the commit's id where none is checked out.
    ``files``: the names of at most ``MOST_FILES`` files that differ from the last commit or are new.
    ``changed``: how many there are, None where git did not say.
    ``commits``: the subjects of the newest commits, None where git did not say.
    ``worktree``: the name of the linked worktree, "" in the main one.
    """

    branch: str = ""
    files: tuple[str, ...] = ()
    changed: int | None = None
    commits: tuple[str, ...] | None = None
    worktree: str = ""


class Kept(Value):
    """What was kept of a status.

    ``mark``: the fingerprint of git's folder then.
    ``taken``: when its files were listed, in seconds since 1970.
    """

    status: ProjectStatus
    mark: list[Any]
    taken: float


def read_kept(data: object) -> Kept | None:
    """Return what a cache file's JSON says, None where it is not ours."""
    try:
        fields: dict[str, Any] = dict(data["status"])  # type: ignore[index]
        commits = fields["commits"]
        status = ProjectStatus(
            branch=str(fields["branch"]),
            files=tuple(map(str, fields["files"])),
            changed=None if fields["changed"] is None else int(fields["changed"]),
            commits=None if commits is None else tuple(map(str, commits)),
            worktree=str(fields["worktree"]),
        )
        return Kept(status, list(data["mark"]), float(data["taken"]))  # type: ignore[index]
    except (KeyError, TypeError, ValueError):
        return None


def still_holds(kept: Kept | None, mark: list[Any], now: float) -> tuple[bool, bool]:
    """Return whether what was kept of (the commits, the changed files) is true still.

    Commits hold as long as the fingerprint does, changed files no longer than ``HOLDS`` too.
    """
    if kept is None or kept.mark != mark:
        return False, False
    fresh = 0 <= now - kept.taken < HOLDS
    return kept.status.commits is not None, kept.status.changed is not None and fresh
