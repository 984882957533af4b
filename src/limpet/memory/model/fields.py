"""The fields of an entry as its frontmatter has them: read leniently from people's spellings, and written.

Pure; ``files.codec`` finds them in a file.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC
from typing import Any

from limpet.ground.formats.frontmatter import render_plainly
from limpet.ground.formats.schema import Fault, Schema, load_schema, nearest, shown, sift
from limpet.ground.timestamps import parse_timestamp
from limpet.memory.model.entry import Entry
from limpet.memory.model.evidence import Evidence, evidence_data, is_same
from limpet.memory.model.ids import is_id
from limpet.memory.model.types import SECTOR_OF, TYPES

TIMES = ("created_at", "last_accessed", "expires_at", "valid_from", "valid_until", "shared_at")
LISTS = ("tags", "evidence", "seen", "paths", "supersedes", "flags")
ALIASES = {"storage_tier": "storage"}
KEYS = (
    *("id", "type", "agent", "tags", "confidence", "sector", "tier", "access_count", "last_accessed", "created_at"),
    *("evidence_count", "storage", "scope", "pinned", "source", "session", "evidence", "paths", "expires_at"),
    *("valid_from", "valid_until", "supersedes", "superseded_by", "flags"),
    *("category", "severity", "workaround", "resolved", "shared_by", "shared_at"),
)
"""The keys in the order in which a new entry has them: chati.dev's ten first."""

_ALWAYS = frozenset(KEYS[: KEYS.index("scope") + 1])


def read_fields(data: object) -> tuple[dict[str, Any], list[Fault]]:
    """Return (the good fields, as ``Entry`` takes them; every fault of the frontmatter's data)."""
    if not isinstance(data, dict):
        return {}, [Fault((), f"Frontmatter must be a mapping (got {shown(data)})")]
    schema = memory_schema()
    given = {key: value for key, value in data.items() if value is not None and key in schema["properties"]}
    known = {key: _leniently(key, value) for key, value in given.items()}
    kept, faults = sift(known, schema)
    # Other names of a key first, so that the key itself has the last word.
    by_rank = sorted(kept.items(), key=lambda pair: pair[0] not in ALIASES)
    fields = {ALIASES.get(key, key): value for key, value in by_rank}
    faults = [_advised(fault, schema) for fault in faults]
    faults += _misspelt(fields)
    faults += [Fault((key,), "is missing") for key in schema["required"] if known.get(key) in (None, "")]
    return _finished(fields), faults


def write_fields(entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield the frontmatter's keys with their values as YAML on one line.

    What is optional and empty is left out. A time that has not come is null.
    """
    for key in KEYS:
        value = getattr(entry, key)
        if key in _ALWAYS or value != Entry.defaults.get(key):
            yield key, render_plainly(plain(value) if value or key not in TIMES else None)


def plain(value: object) -> object:
    """Return a field's value as YAML and JSON hold it."""
    if isinstance(value, tuple):
        return [evidence_data(each) if isinstance(each, Evidence) else each for each in value]
    return value


def is_optional(key: str) -> bool:
    """Return whether a new entry has the key only where it says something."""
    return key in KEYS and key not in _ALWAYS


def to_utc(text: str) -> str:
    """Return a date or time of ISO 8601 as ``2026-11-21T12:00:00Z``, "" for anything else; without a zone it is in
    UTC."""
    try:
        found = parse_timestamp(text).astimezone(UTC)
    except (ValueError, OverflowError):
        return ""
    return found.replace(tzinfo=None, microsecond=0).isoformat() + "Z"


@functools.cache
def memory_schema() -> Schema:
    """Return the shipped schema of the frontmatter."""
    return load_schema("memory", {"types": TYPES})


def _leniently(key: str, value: object) -> object:
    """Return a value as people write it: one text for a list of one, a comma list of tags, a year as a tag."""
    if key not in LISTS:
        return value
    if isinstance(value, str) and key == "tags":
        value = value.split(",")
    elif isinstance(value, (str, dict)):
        value = [value]
    if isinstance(value, list) and key == "tags":
        return [_tag(item) for item in value if item not in (None, "")]
    return value


def _tag(item: object) -> object:
    if isinstance(item, int) and not isinstance(item, bool):
        return str(item)
    return item.strip() if isinstance(item, str) else item


def _advised(fault: Fault, schema: Schema) -> Fault:
    words = schema["properties"].get(fault.path[0], {}).get("enum")
    got = fault.what.rpartition("(got ")[2].rstrip(")").strip("'")
    return fault.replace(what=fault.what + nearest(got, [word for word in words if word])) if words else fault


def _misspelt(fields: Mapping[str, Any]) -> Iterator[Fault]:
    if "id" in fields and not is_id(fields["id"]):
        yield Fault(("id",), f"must be like mem-2026-11-21-k7q2m9xa (got {shown(fields['id'])})")
    if not all(to_utc(each.get("at", "")) for each in fields.get("evidence", ())):
        yield Fault(("evidence",), "must have a time in each `at`, like 2026-11-21T12:00:00Z")
    for key in TIMES:
        if fields.get(key) and not to_utc(fields[key]):
            yield Fault((key,), f"must be a time like 2026-11-21T12:00:00Z (got {shown(fields[key])})")


def _finished(fields: dict[str, Any]) -> dict[str, Any]:
    done: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in fields.items()}
    done |= {key: to_utc(done[key]) for key in TIMES if key in done}
    older, evidence = done.pop("seen", ()), done.get("evidence", ())
    if older or evidence:
        done["evidence"] = _read_evidence(older, evidence)
    if "confidence" in done:
        done["confidence"] = float(done["confidence"])
    return {"sector": SECTOR_OF.get(done.get("type", ""), Entry.defaults["sector"]), **done}


def _read_evidence(older: Iterable[str], given: Iterable[Mapping[str, str]]) -> tuple[Evidence, ...]:
    """Return the evidence of a file; ``older`` are the times alone that files of earlier versions have."""
    fields = ({name: each[name] for name in Evidence.fields if name in each} for each in given)
    known = [Evidence(**{**each, "at": to_utc(each.get("at", ""))}) for each in fields]
    said = [Evidence(at=at) for at in dict.fromkeys(map(to_utc, older)) if at]
    return (*(each for each in said if not any(is_same(each, one) for one in known)), *known)
