"""Marks of when something was last done, so that what ends by time does not end by a clock that jumped."""

from __future__ import annotations

import os
import shutil

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.storage.files import read_text, write_atomic
from limpet.ground.storage.user_folders import PROJECTS, ROOT, cache_folder, is_own, project_cache, project_key
from limpet.ground.values import Value

DAY = 86_400
# Longer than this nobody is away for sure: one of the two clocks may have been wrong.
DOUBTFUL = 30 * DAY


class LastSeen(Value):
    """The last time that something was done, in seconds since 1970; 0 for never.

    ``since``: the moment from which the clock has run without a jump, as far as is known.
    """

    at: float = 0.0
    since: float = 0.0


def read_last_seen(path: str) -> LastSeen:
    """Return what the mark tells."""
    try:
        at = os.stat(path).st_mtime
        return LastSeen(at, float(read_text(path, STATE_BYTES) or 0.0))
    except OSError:
        return LastSeen()
    except ValueError:
        return LastSeen(at, at)


def note_seen(path: str, now: float, since: float) -> bool:
    """Write the mark; return whether that was possible."""
    try:
        write_atomic(path, f"{since:.0f}" if since else "", follow=False)
        os.utime(path, (now, now))
    except OSError:
        return False
    return True


def steady_since(last: LastSeen, now: float, longest: float = DOUBTFUL) -> float:
    """Return from when on the clock has run without a jump: ``now`` after ``longest`` seconds that nobody saw pass.

    A clock that was set back after it had run ahead is believed as before that. A jump that is shorter, and several of
    them, look like absences and count as time: who comes every other week would else never see anything end.
    """
    if now - last.at >= longest:
        return now
    return last.since if last.since <= now else 0.0


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
