"""The memories' index brought up to date when a conversation starts, and once a day their maintenance: both by a second
process, so that the prompt path only ever reads."""

from __future__ import annotations

import os

from holdfast.engine.event_context import PREVIEW
from holdfast.engine.worker import run_job, start_job
from holdfast.ground.config.mirror import SPECS, read_mirror
from holdfast.ground.storage.files import write_atomic
from holdfast.memory.model.layout import memories
from holdfast.work.session import TRIAL, session_paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.engine.event_context import Turn

DAY = 86_400
BEGINNINGS = ("startup", "resume", "clear")


def freshen(turn: Turn) -> Turn:
    """The turn after entries that people edited were read again, and the specs were held against their sources, within
    ``hosts.refresh_deadline_ms``; what takes longer goes on by itself, and is there at the next prompt. Where there is
    neither, nothing is started."""
    event = turn.event
    if event.host == PREVIEW or event.session.startswith(TRIAL) or event.source not in BEGINNINGS:
        return turn
    given = {"now": turn.clock.now(), "session": event.session}
    if event.source == "startup" and turn.mirror.settings["memory"]["capture"] and session_paths(turn.workspace):
        start_job(turn.workspace, "catch_up", given)
    specs = turn.workspace.path(SPECS)
    if not os.path.isdir(memories(turn.workspace.shared)) and not os.path.isfile(specs):
        return turn
    run_job(turn.workspace, "refresh", given, turn.mirror.settings["hosts"]["refresh_deadline_ms"] / 1000)
    if _is_due(turn):
        start_job(turn.workspace, "upkeep", given)
    return turn.replace(mirror=read_mirror(turn.workspace)) if os.path.isfile(specs) else turn


def _is_due(turn: Turn) -> bool:
    """Whether a day has passed since the last maintenance was begun; notes that this one is."""
    mark = os.path.join(turn.workspace.shared, "cache", "kept")
    now = turn.clock.now()
    if 0 <= now - _modified(mark) < DAY:
        return False
    try:
        write_atomic(mark, "", follow=False)
        os.utime(mark, (now, now))
    except OSError:
        return False
    return True


def _modified(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0
