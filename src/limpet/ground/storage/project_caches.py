"""Removes the caches of projects: of one that is given up, and of those that were moved or deleted, whose name nobody
looks for again."""

from __future__ import annotations

import os
import shutil

from limpet.ground.storage.files import read_text
from limpet.ground.storage.last_seen import DAY
from limpet.ground.storage.user_folders import PROJECTS, ROOT, cache_folder, is_own, project_cache, project_key

# Bytes of the longest path that is read.
_LONGEST = 65_536


def remove_caches(home: str) -> None:
    """Remove what was made of the files of the project whose ``.limpet`` is ``home``."""
    shutil.rmtree(project_cache(home), ignore_errors=True)


def gone_caches(days: float, now: float) -> tuple[str, ...]:
    """Return the cache folders whose project is not where it was, and in which nothing was written for ``days``.

    A folder is one of Limpet where it says of which project it is, and has that project's name. With 0 days all stay.
    """
    place = os.path.join(cache_folder(), PROJECTS)
    try:
        with os.scandir(place) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError:
        return ()
    folders = [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
    return tuple(path for path in folders if days and _is_gone(path) and now - _last_written(path) > days * DAY)


def remove_gone_caches(days: float, now: float) -> int:
    """Remove these folders; return how many are gone."""
    folders = gone_caches(days, now)
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
    return sum(not os.path.lexists(folder) for folder in folders)


def _is_gone(folder: str) -> bool:
    root = read_text(os.path.join(folder, ROOT), _LONGEST) or ""
    is_ours = os.path.isabs(root) and project_key(root) == os.path.basename(folder) and is_own(folder)
    return is_ours and not os.path.lexists(root)


def _last_written(folder: str) -> float:
    with os.scandir(folder) as found:
        return max([os.stat(folder).st_mtime, *(entry.stat(follow_symlinks=False).st_mtime for entry in found)])
