"""Moments as files write them, read into seconds. Apart from ``clock``, because the prompt hook never needs it and does
without ``datetime``."""

from __future__ import annotations

from datetime import UTC, datetime


def seconds_of(moment: object) -> float:
    """A date or time of ISO 8601 in seconds since 1970, without a zone in UTC; 0 for what is none."""
    try:
        found = datetime.fromisoformat(moment) if isinstance(moment, str) else None
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp() if found else 0.0
    except (ValueError, OverflowError, OSError):
        return 0.0
