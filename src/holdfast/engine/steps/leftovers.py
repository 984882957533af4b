"""Removes what conversations leave behind and nobody comes back for, once a day, when a session starts."""

from __future__ import annotations

import os

from holdfast.ground.event_log.files import blocks_folder, events_folder
from holdfast.ground.storage.files import remove_file, write_atomic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.engine.event_context import EventContext
    from holdfast.ground.workspace import Workspace

DAY = 86_400
DOUBTFUL = 30 * DAY
MOST = 500
NEWEST = "latest.md"


def remove(context: EventContext) -> EventContext:
    """Remove what is old when a conversation starts anew."""
    if context.event.source == "startup":
        remove_leftovers(context.workspace, context.mirror.settings["retention"]["days"], context.clock.now())
    return context


def remove_leftovers(workspace: Workspace, days: int, now: float) -> None:
    """Remove what conversations that nobody touched for ``days`` left: state, figures, locks, continuation, the log of
    one that was spawned, events, kept blocks. The newest continuation stays.

    At most once a day, and 500 files at once; 0 days keeps all. What cannot be removed stays. When the last time lies
    in the future or long ago, one of the two clocks may be wrong: then nothing goes yet.
    """
    mark = workspace.path("cache", "tidied")
    passed = now - _modified(mark)
    if not days or 0 <= passed < DAY:
        return
    if 0 < passed < DOUBTFUL:
        _remove_old(workspace, now - days * DAY)
    try:
        write_atomic(mark, "", follow=False)
        os.utime(mark, (now, now))
    except OSError:
        return


def _remove_old(workspace: Workspace, before: float) -> None:
    for count, path in enumerate(_old_files(workspace, before)):
        if count == MOST:
            return
        remove_file(path)


def _old_files(workspace: Workspace, before: float) -> Iterator[str]:
    for path in _old_in(workspace.path("sessions"), before):
        name = os.path.splitext(os.path.basename(path))[0]
        yield from (
            path,
            workspace.path("cache", "status", f"{name}.json"),
            workspace.path("cache", "locks", f"{name}.lock"),
            os.path.join(workspace.shared, "cache", "locks", f"capture-{name}.lock"),
        )
    yield from (path for path in _old_in(workspace.path("continuation"), before) if not path.endswith(NEWEST))
    yield from _old_in(workspace.path("cache", "spawned"), before)
    yield from _old_in(events_folder(workspace.shared), before)
    yield from _old_in(blocks_folder(workspace.shared), before)


def _old_in(folder: str, before: float) -> list[str]:
    try:
        paths = [entry.path for entry in os.scandir(folder) if entry.is_file(follow_symlinks=False)]
    except OSError:
        return []
    return [path for path in paths if 0 < _modified(path) < before]


def _modified(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0
