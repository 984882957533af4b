"""Deleting a project's ``.holdfast`` with a way back: what it holds, its archive, and restoring it."""

from __future__ import annotations

import os

from holdfast.ground.config.settings import load_settings
from holdfast.ground.errors import HoldfastError
from holdfast.ground.git import root_commit
from holdfast.ground.storage.archives import archives_of, remove_old_archives, unpack_archive
from holdfast.ground.trust.giving import give_trust
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.operations.contents import count_contents


class Restored(Value):
    """A folder that was restored, or would be.

    ``archive``: where it came from.
    ``contents``: how many there are of what, once it is restored.
    """

    archive: str
    contents: dict[str, int]


def restore_project(workspace: Workspace, now: float, dry_run: bool = False) -> Restored:
    """Unpack the newest archive of the project's ``.holdfast``, and trust it again: it was the user's own, and lay
    where nobody else writes. Settings that act have to be agreed to anew.

    Raise HoldfastError where there is no archive, or something stands in its place.
    """
    found = archives_of(workspace.home)
    if not found:
        raise HoldfastError("No archive of this project", workspace.root, "uninstall --purge makes one")
    if os.path.lexists(workspace.home):
        raise HoldfastError("exists already", workspace.home, "move it away first")
    if dry_run:
        return Restored(found[0], {})
    unpack_archive(found[0], workspace.home)
    give_trust(workspace, {}, now, root_commit(workspace.root))
    return Restored(found[0], count_contents(workspace.home))


def remove_archives_past(now: float) -> None:
    """Remove the archives that were kept for ``retention.archive_days``, by the user's own setting."""
    remove_old_archives(archive_days(), now)


def archive_days() -> int:
    """Return for how many days an archive is kept; 0 for ever."""
    return int(load_settings(None)[0]["retention"]["archive_days"])
