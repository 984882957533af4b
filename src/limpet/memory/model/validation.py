"""Rules for the fields of a new or changed entry: valid values, no secrets, a flag on text that reads like an order.
Pure; every store applies them before it writes."""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import UTC
from typing import Any

from limpet.ground.clock import parse_timestamp
from limpet.ground.errors import LimpetError
from limpet.ground.formats.frontmatter import render_plainly
from limpet.ground.formats.schema import Fault, Schema, load_schema, nearest, shown, sift
from limpet.ground.safety.redaction import redact
from limpet.memory.model.entry import KEEP_LESS, LARGEST, SECTOR_OF, TYPES, MemoryEntry
from limpet.memory.model.ids import is_id
from limpet.memory.model.results import CONTRADICTED, MemoryEvidence, evidence_data, is_same

LONGEST_TITLE = 120
# Moments that an entry's file keeps.
KEPT = 50
REDACTED_LISTS = ("tags", "paths", "flags")

_TEXTS = ("title", "body")
_SPEAKING = (*_TEXTS, "workaround")
_EMPTY: tuple[object, ...] = (None, "", (), [])
_UNPRINTABLE = {code: "\ufffd" for code in (*range(32), 127) if code not in (9, 10, 13)}
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


def make_memory_entry(fields: Mapping[str, object], secrets: Collection[str] = ()) -> MemoryEntry:
    """Take out secrets of a known form, and these ``secrets``. Raise LimpetError naming the field that is wrong."""
    entry = MemoryEntry(**{"body": "", **_clean(fields, secrets)})
    return entry.replace(flags=_flags(entry, entry.flags))


def fit_changes(entry: MemoryEntry, changes: Mapping[str, object], secrets: Collection[str] = ()) -> dict[str, object]:
    """Return the changes that make a difference, without secrets. Raise LimpetError naming the field that is wrong."""
    if "id" in changes and changes["id"] != entry.id:
        raise LimpetError("A memory's id cannot change")
    known = {name: getattr(entry, name) for name in MemoryEntry.fields if name not in _TEXTS}
    clean = _clean({"title": "kept", **known, **changes}, secrets)
    asked = {name: clean.get(name, MemoryEntry.defaults.get(name, "")) for name in changes}
    if any(name in asked for name in _SPEAKING) and "flags" not in asked:
        asked["flags"] = _flags(entry.replace(**asked), entry.flags)
    return {name: value for name, value in asked.items() if getattr(entry, name) != value}


def redacted(entry: MemoryEntry, secrets: Collection[str]) -> MemoryEntry:
    """Take out secrets that a person typed into the file, those known by value among them."""

    def without(text: str) -> str:
        return redact(text, known=secrets)

    lists = {name: tuple(map(without, getattr(entry, name))) for name in REDACTED_LISTS}
    return entry.replace(**lists, **{name: without(getattr(entry, name)) for name in _SPEAKING})


def strengthening(entry: MemoryEntry, evidence: Iterable[MemoryEvidence], step: float) -> dict[str, object]:
    """Return the changes by the evidence that the entry does not hold yet. Each raises count and confidence, by a step;
    what contradicts it lowers its confidence alone. An entry keeps the newest ``KEPT``: what is older than all of a
    full list was counted before."""
    known = list(entry.evidence)
    oldest = min(each.at for each in known) if len(known) >= KEPT else ""
    more = against = 0
    for each in evidence:
        if each.at < oldest or any(is_same(each, one) for one in known):
            continue
        known.append(each)
        against += each.how == CONTRADICTED
        more += each.how != CONTRADICTED
    if not more + against:
        return {}
    confidence = min(1.0, max(0.0, round(entry.confidence + step * (more - against), 4)))
    newest = tuple(sorted(known, key=lambda each: each.at)[-KEPT:])
    return {"evidence_count": entry.evidence_count + more, "confidence": confidence, "evidence": newest}


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
    faults = [*(_advised(fault, schema) for fault in faults), *_misspelt(fields)]
    faults += [Fault((key,), "is missing") for key in schema["required"] if known.get(key) in (None, "")]
    return _finished(fields), faults


def write_fields(entry: MemoryEntry) -> Iterator[tuple[str, str]]:
    """Yield key and YAML on one line. What is optional and empty is left out; a time that has not come is null."""
    for key in KEYS:
        value = getattr(entry, key)
        if key in _ALWAYS or value != MemoryEntry.defaults.get(key):
            yield key, render_plainly(plain(value) if value or key not in TIMES else None)


def plain(value: object) -> object:
    if isinstance(value, tuple):
        return [evidence_data(each) if isinstance(each, MemoryEvidence) else each for each in value]
    return value


def is_optional(key: str) -> bool:
    return key in KEYS and key not in _ALWAYS


def to_utc(text: str) -> str:
    """Return ``2026-11-21T12:00:00Z`` for a date or time of ISO 8601, else ""; without a zone it is in UTC."""
    try:
        found = parse_timestamp(text).astimezone(UTC)
    except (ValueError, OverflowError):
        return ""
    return found.replace(tzinfo=None, microsecond=0).isoformat() + "Z"


@functools.cache
def memory_schema() -> Schema:
    return load_schema("memory", {"types": TYPES})


def _clean(fields: Mapping[str, object], secrets: Collection[str]) -> dict[str, Any]:
    unknown = next((name for name in fields if name not in MemoryEntry.fields), None)
    if unknown is not None:
        raise LimpetError(f"Unknown field of a memory: {unknown}{nearest(unknown, MemoryEntry.fields)}")
    told = {name: value for name, value in fields.items() if value not in _EMPTY}
    kept, faults = read_fields({name: plain(value) for name, value in told.items() if name not in _TEXTS})
    if faults:
        raise LimpetError(f"{'.'.join(map(str, faults[0].path))} {faults[0].what}".strip())
    return {name: _safe(name, value, secrets) for name, value in kept.items()} | _texts(told, secrets)


def _texts(told: Mapping[str, object], secrets: Collection[str]) -> dict[str, str]:
    title, body = told.get("title", ""), told.get("body", "")
    if not isinstance(title, str) or not isinstance(body, str):
        raise LimpetError(f"{'body' if isinstance(title, str) else 'title'} must be text")
    if len(body) > LARGEST:  # before anything looks for secrets in it, which takes seconds
        raise LimpetError(f"Text is larger than {LARGEST // 1_000_000} MB", "", KEEP_LESS)
    line = redact(" ".join(_printable(title).split()), known=secrets)
    if not line or len(line) > LONGEST_TITLE:
        raise LimpetError(f"title must be a line of 1 to {LONGEST_TITLE} characters", "", "Put the rest into the body.")
    return {"title": line, "body": redact(_printable(body), known=secrets)}


def _safe(name: str, value: object, secrets: Collection[str]) -> object:
    if name == "workaround" and isinstance(value, str):
        return redact(_printable(value), known=secrets)
    if name in ("tags", "paths") and isinstance(value, tuple):
        return tuple(dict.fromkeys(redact(_printable(each), known=secrets) for each in value))
    return value


def _printable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8").translate(_UNPRINTABLE)


def _flags(entry: MemoryEntry, known: tuple[str, ...]) -> tuple[str, ...]:
    from limpet.ground.safety.instructions import INSTRUCTION, flags_of  # with the patterns of all languages

    found = flags_of("\n\n".join((entry.title, entry.body, entry.workaround)))
    return (*(flag for flag in known if flag != INSTRUCTION and flag not in found), *found)


def _leniently(key: str, value: object) -> object:
    """As people write it: one text for a list of one, a comma list of tags, a year as a tag."""
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
    return {"sector": SECTOR_OF.get(done.get("type", ""), MemoryEntry.defaults["sector"]), **done}


def _read_evidence(older: Iterable[str], given: Iterable[Mapping[str, str]]) -> tuple[MemoryEvidence, ...]:
    """``older`` are the times alone that files of earlier versions have."""
    known = []
    for each in given:
        fields = {name: value for name, value in each.items() if name in MemoryEvidence.fields}
        known.append(MemoryEvidence(**{**fields, "at": to_utc(each.get("at", ""))}))
    said = []
    for at in dict.fromkeys(map(to_utc, older)):
        one = MemoryEvidence(at=at)
        if at and not any(is_same(one, each) for each in known):
            said.append(one)
    return (*said, *known)
