"""Takes stamps of files that are about to be read, so that an edit in between is noticed later."""

from __future__ import annotations

import time

from limpet.ground.storage.files import STAMP_GRAIN_NS, UNRELIABLE, is_reliable, stamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.ground.storage.files import Stamp


def reliable_stamps(paths: tuple[str, ...]) -> dict[str, Stamp | None]:
    """Return the files' stamps, ``UNRELIABLE`` for one that may change unseen.

    Waits for less than ``STAMP_GRAIN_NS`` where a file was just edited: a second edit could leave its stamp as it is.
    """
    newest = max((mark[0] for mark in map(stamp, paths) if mark), default=0)
    wait = newest + STAMP_GRAIN_NS - time.time_ns()
    if 0 <= wait <= STAMP_GRAIN_NS:
        time.sleep((wait + 1_000_000) / 1e9)
    now = time.time_ns()
    return {path: mark if is_reliable(mark, now) else UNRELIABLE for path, mark in ((p, stamp(p)) for p in paths)}
