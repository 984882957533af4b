"""The parts of a transcript's records, whatever a line holds in their place."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Record = Mapping[str, object]


def text_of(record: Record, key: str) -> str:
    """Return the text under a key, "" for anything else."""
    value = record.get(key)
    return value if isinstance(value, str) else ""


def mapping_of(value: object) -> Record:
    """Return the value, empty where it is no mapping."""
    return value if isinstance(value, dict) else {}


def records_of(record: Record, key: str) -> list[Record]:
    """Return the mappings in the list under a key."""
    found = record.get(key)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []
