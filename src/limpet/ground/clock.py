"""The clock that code is given instead of reading the time itself, so that a test can set it."""

from __future__ import annotations

import time

from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Clock(Value):
    """The sources of time.

    ``now``: returns seconds since 1970.
    ``timer``: returns seconds that only grow, from an unknown start.
    ``deadline``: when all waiting is over, by the timer; a host gives an event so much time and no more.
    """

    now: Callable[[], float] = time.time
    timer: Callable[[], float] = time.perf_counter
    deadline: float = float("inf")

    def left(self, wanted: float = float("inf")) -> float:
        """Return the seconds that may be waited: the wanted number, at most those left until the deadline."""
        return max(0.0, min(wanted, self.deadline - self.timer()))


def iso(seconds: float) -> str:
    """Return the timestamp ``2026-11-21T12:00:00Z`` of seconds since 1970."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
