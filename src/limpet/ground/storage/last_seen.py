"""Marks of when something was last done, so that what ends by time does not end by a clock that jumped."""

from __future__ import annotations

import os

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.storage.files import read_text, write_atomic
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
