"""Parses timestamps as people type them: a day, a time, or a time span ago."""

from __future__ import annotations

import re
import time

import click

from limpet.ground.timestamps import parse_timestamp

_AGO = re.compile(r"([0-9]{1,5})\s*([hdw])")
_HOURS = {"h": 1, "d": 24, "w": 24 * 7}
_DAY = 86_400


def timestamp(text: str) -> float:
    """Return the seconds since 1970 of ``2026-11-21``, ``2026-11-21T12:00`` (UTC where no zone is said), or ``12h``,
    ``7d``, ``2w`` ago. Raise click.BadParameter."""
    ago = _AGO.fullmatch(text.strip())
    if ago:
        return time.time() - int(ago[1]) * _HOURS[ago[2]] * 3600
    try:
        return parse_timestamp(text.strip()).timestamp()
    except (ValueError, OverflowError):
        known = "2026-11-21, 2026-11-21T12:00, 12h, 7d or 2w"
        raise click.BadParameter(f"{text.strip()!r} is not a date or time. Use {known}") from None


def end_timestamp(text: str) -> float:
    """Return the same as ``timestamp``, but for a day its last second."""
    is_day = len(text.strip()) == len("2026-11-21")
    return timestamp(text) + (_DAY - 1 if is_day else 0)
