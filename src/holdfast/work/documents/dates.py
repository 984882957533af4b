"""The timestamps of evaluations: a day for people, and a time of day beside it.

The time tells a change after an evaluation from one before it on the same day.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

from holdfast.ground.timestamps import parse_timestamp, seconds_of

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_TIME = re.compile(r"[Tt ]?(\d\d:\d\d:\d\d(?:\.\d+)?)Z?")


def read_timestamp(day: object, time: object = None) -> tuple[str, str]:
    """Return (day, time in UTC) of what a file holds: a day, a full ISO timestamp, or dates as a YAML 1.1 reader gives
    them; the time may stand apart. ("", "") for what is no timestamp."""
    text = "" if day is None else str(day).strip()
    given = text[10:] or (str(time).strip() if time else "")
    if not _DAY.fullmatch(text[:10]) or not _is_timestamp(text[:10]):
        return "", ""
    if text[10:] and not _TIME.fullmatch(text[10:]):
        return _with_zone(text)
    found = _TIME.fullmatch(given)
    clock = found[1] if found and _is_timestamp(f"{text[:10]}T{found[1]}") else ""
    return text[:10], f"{clock}Z" if clock else ""


def write_timestamp(now: float) -> tuple[str, str]:
    """Return (``2026-02-20``, ``12:00:05.931Z``) of seconds since 1970."""
    found = datetime.fromtimestamp(int(now * 1000) / 1000, UTC)
    return found.strftime("%Y-%m-%d"), found.strftime("%H:%M:%S.") + f"{found.microsecond // 1000:03d}Z"


def seconds_of_day(day: str, time: str = "") -> float:
    """Return seconds since 1970; without a time those of the day's begin, so that nothing of that day is missed. 0.0
    for no day."""
    return seconds_of(f"{day}T{time}" if time else day)


def _with_zone(text: str) -> tuple[str, str]:
    try:
        return write_timestamp(parse_timestamp(text).timestamp())
    except (ValueError, OverflowError):  # no timestamp, or one before the year 1 in UTC
        return "", ""


def _is_timestamp(text: str) -> bool:
    try:
        parse_timestamp(text)
    except ValueError:
        return False
    return True
