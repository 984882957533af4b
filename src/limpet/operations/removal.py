"""Deleting a project's ``.limpet`` with a way back: what it holds, its archive, and restoring it."""

from __future__ import annotations

import os
from tempfile import TemporaryDirectory

from limpet.ground.config.settings import load_settings
from limpet.ground.errors import LimpetError
from limpet.ground.git import root_commit
from limpet.ground.storage.archives import PRIVATE, archive_folder, archives_of, remove_old_archives, unpack_archive
from limpet.ground.storage.files import names_in
from limpet.ground.trust.giving import give_trust
from limpet.ground.workspace import FOLDER, SHARED, Workspace
from limpet.memory.files.store import scan_files
from limpet.work.stories.store import STORIES

RULES = "rules"


def restore_project(workspace: Workspace, now: float, dry_run: bool = False) -> tuple[str, dict[str, int]]:
    """The archive is trusted again, since it lay where nobody else writes; settings that act have to be agreed to anew.
    Return its path, and how many there are of what in it."""
    found = archives_of(workspace.home)
    if not found:
        raise LimpetError("No archive of this project", workspace.root, "uninstall --purge makes one")
    if os.path.lexists(workspace.home):
        raise LimpetError("exists already", workspace.home, "move it away first")
    if dry_run:
        with TemporaryDirectory(dir=archive_folder()) as folder:
            home = os.path.join(folder, FOLDER)
            private = os.path.join(folder, PRIVATE)
            unpack_archive(found[0], home, private)
            return found[0], count_contents(home, os.path.join(private, SHARED))
    workspace = give_trust(workspace, {}, now, root_commit(workspace.root))
    unpack_archive(found[0], workspace.home, workspace.data)
    return found[0], count_contents(workspace.home, workspace.shared)


def remove_archives_past(now: float) -> None:
    remove_old_archives(archive_days(), now)


def archive_days() -> int:
    """0 for ever."""
    return int(load_settings(None)[0]["retention"]["archive_days"])


def count_contents(home: str, shared: str) -> dict[str, int]:
    """Only what there is."""
    counts = {
        "memories": sum(1 for _ in scan_files(shared)),
        "rule files": _count_entries(os.path.join(home, RULES)),
        "stories": _count_entries(os.path.join(home, STORIES)),
    }
    return {name: number for name, number in counts.items() if number}


def _count_entries(folder: str) -> int:
    return sum(not name.startswith(".") for name in names_in(folder))
