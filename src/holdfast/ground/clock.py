"""The clock that code is given instead of reading the time itself, so that a test can set it."""

from __future__ import annotations

import time

from holdfast.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Clock(Value):
    """The sources of time.

    ``now``: returns seconds since 1970.
    ``timer``: returns seconds that only grow, from an unknown start.
    """

    now: Callable[[], float] = time.time
    timer: Callable[[], float] = time.perf_counter


def iso(seconds: float) -> str:
    """Return the timestamp ``2026-11-21T12:00:00Z`` of seconds since 1970."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
