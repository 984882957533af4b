"""The one parser of ISO 8601 timestamps, as files and people write them.

Separate from ``clock``, because the prompt hook parses none and does without ``datetime``.
"""

from __future__ import annotations

from datetime import UTC, datetime


def parse_timestamp(text: str) -> datetime:
    """Return the date or time, in UTC where it names no zone. Raise ValueError for what is none."""
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def seconds_of(timestamp: object) -> float:
    """Return the date or time in seconds since 1970, 0 for what is none."""
    try:
        return parse_timestamp(timestamp).timestamp() if isinstance(timestamp, str) else 0.0
    except (ValueError, OverflowError, OSError):
        return 0.0
