"""Removes the drafts that killed writers left, wherever a project's commands, hooks and hosts write.

Separate from the maintenance of memories, which knows the project's ``.limpet`` and no host's files.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress

from limpet.ground.config.sources import user_config_path
from limpet.ground.errors import LimpetError
from limpet.ground.storage.drafts import old_drafts, old_drafts_beside
from limpet.ground.storage.files import remove_file
from limpet.ground.storage.user_folders import cache_folder, state_folder
from limpet.ground.workspace import Workspace
from limpet.hosts.git_hook.installation import hook_path
from limpet.hosts.registry import all_hosts
from limpet.rules.layout import LIMPET
from limpet.work.lock.instruction_file import instruction_files


def remove_old_drafts(workspace: Workspace, now: float) -> tuple[str, ...]:
    """Remove the drafts that nobody has written to for an hour; return their paths."""
    found = tuple(dict.fromkeys(_find(workspace, now)))
    for path in found:
        remove_file(path)
    return found


def _find(workspace: Workspace, now: float) -> Iterator[str]:
    squads = os.path.join(workspace.root, LIMPET.squads)
    for folder in (workspace.home, workspace.shared, squads, state_folder(), cache_folder()):
        yield from old_drafts(folder, now)
    for folder in _folders_beside(workspace.root):
        yield from old_drafts_beside(folder, now)


def _folders_beside(root: str) -> Iterator[str]:
    """Yield the folders in which we write a file beside those of other people."""
    yield root
    yield os.path.dirname(user_config_path())
    for path in instruction_files(root):
        yield os.path.dirname(path)
    with suppress(LimpetError):  # outside a repository
        yield os.path.dirname(hook_path(root))
    for host in all_hosts():
        yield from map(os.path.dirname, host.written_files(root))
