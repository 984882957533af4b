"""The clock that code is given instead of reading the time itself, so that a test can set it."""

from __future__ import annotations

import time

from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime


class Clock(Value):
    """``now``: seconds since 1970.
    ``timer``: seconds that only grow, from an unknown start.
    ``deadline``: when all waiting is over, by the timer; a host gives an event so much time and no more.
    """

    now: Callable[[], float] = time.time
    timer: Callable[[], float] = time.perf_counter
    deadline: float = float("inf")

    def left(self, wanted: float = float("inf")) -> float:
        return max(0.0, min(wanted, self.deadline - self.timer()))


def iso(seconds: float) -> str:
    """Such as ``2026-11-21T12:00:00Z``."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def parse_timestamp(text: str) -> datetime:
    """In UTC where it names no zone. Raise ValueError for what is no date or time."""
    from datetime import UTC, datetime  # which no prompt needs

    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def seconds_of(timestamp: object) -> float:
    """Since 1970, 0 for what is no date or time."""
    try:
        return parse_timestamp(timestamp).timestamp() if isinstance(timestamp, str) else 0.0
    except (ValueError, OverflowError, OSError):
        return 0.0
