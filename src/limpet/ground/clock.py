"""The clock that code is given instead of reading the time itself, so that a test can set it, and how long things may
take by it: own computing by the processor's time, so that a busy machine cuts nothing short."""

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
    ``worked``: seconds of the processor that this thread took.
    ``deadline``: when all waiting is over, by the timer; a host gives an event so much time and no more.
    ``end``: when what can be left out is, by the timer.
    """

    now: Callable[[], float] = time.time
    timer: Callable[[], float] = time.perf_counter
    worked: Callable[[], float] = time.thread_time
    deadline: float = float("inf")
    end: float = float("inf")

    def left(self, wanted: float = float("inf")) -> float:
        return max(0.0, min(wanted, self.deadline - self.timer()))

    def alarm(self, seconds: float) -> Callable[[], bool]:
        """Return what tells whether this thread worked for so many seconds since now, or the end came."""
        until = self.worked() + seconds
        return lambda: self.worked() >= until or self.timer() >= self.end


UNHURRIED = Clock()


class Patience(Value):
    """With a child: ``seconds`` of the processor, within what the ``clock`` leaves; see ``processes.waits``."""

    seconds: float
    clock: Clock = UNHURRIED


def lasting(seconds: float) -> Clock:
    """Whose deadline is so many seconds from now."""
    return Clock(deadline=time.perf_counter() + seconds)


def iso(seconds: float) -> str:
    """Such as ``2026-11-21T12:00:00Z``."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def local_minute(seconds: float) -> str:
    """As people read it, where they are; programs and files get ``iso``."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


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
