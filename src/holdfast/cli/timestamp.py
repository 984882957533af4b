"""Moments as people type them: a day, a time, or how long ago."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime, timedelta

import click

_AGO = re.compile(r"([0-9]{1,5})\s*([hdw])")
_HOURS = {"h": 1, "d": 24, "w": 24 * 7}
_DAY = timedelta(days=1)


def moment(text: str) -> float:
    """Seconds since 1970 of ``2026-11-21``, ``2026-11-21T12:00`` (UTC where no zone is said), or ``12h``, ``7d``,
    ``2w`` ago. Raises click.BadParameter."""
    ago = _AGO.fullmatch(text.strip())
    return time.time() - int(ago[1]) * _HOURS[ago[2]] * 3600 if ago else _read(text.strip()).timestamp()


def end_moment(text: str) -> float:
    """The same, but of a day its last second."""
    is_day = len(text.strip()) == len("2026-11-21")
    return moment(text) + (_DAY.total_seconds() - 1 if is_day else 0)


def _read(text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text)
        return found if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        known = "2026-11-21, 2026-11-21T12:00, 12h, 7d or 2w"
        raise click.BadParameter(f"{text!r} is no moment: write {known}") from None
