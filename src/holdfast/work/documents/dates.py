"""The moments of evaluations: a day that people read, and beside it the time of day, so that a change of the same day
can be told from one before it."""

from __future__ import annotations

import re
from datetime import UTC, datetime

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_TIME = re.compile(r"[Tt ]?(\d\d:\d\d:\d\d(?:\.\d+)?)Z?")


def read_moment(day: object, time: object = None) -> tuple[str, str]:
    """(day, time in UTC) of what a file holds: a day, a full ISO moment, or dates as a YAML 1.1 reader gives them; the
    time may stand apart. ("", "") for what is no moment."""
    text = "" if day is None else str(day).strip()
    given = text[10:] or (str(time).strip() if time else "")
    if not _DAY.fullmatch(text[:10]) or not _is_moment(text[:10]):
        return "", ""
    if text[10:] and not _TIME.fullmatch(text[10:]):
        return _with_zone(text)
    found = _TIME.fullmatch(given)
    clock = found[1] if found and _is_moment(f"{text[:10]}T{found[1]}") else ""
    return text[:10], f"{clock}Z" if clock else ""


def write_moment(now: float) -> tuple[str, str]:
    """(``2026-02-20``, ``12:00:05.931Z``) of seconds since 1970."""
    found = datetime.fromtimestamp(int(now * 1000) / 1000, UTC)
    return found.strftime("%Y-%m-%d"), found.strftime("%H:%M:%S.") + f"{found.microsecond // 1000:03d}Z"


def seconds_of(day: str, time: str = "") -> float:
    """Seconds since 1970; without a time the day's first moment, so that nothing of that day is missed. 0.0 for no
    day."""
    if not day:
        return 0.0
    return datetime.fromisoformat(f"{day}T{time.removesuffix('Z') or '00:00:00'}+00:00").timestamp()


def _with_zone(text: str) -> tuple[str, str]:
    try:
        found = datetime.fromisoformat(text)
        return write_moment(found.replace(tzinfo=found.tzinfo or UTC).timestamp())
    except (ValueError, OverflowError):  # no moment, or one before the year 1 in UTC
        return "", ""


def _is_moment(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
