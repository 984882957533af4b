"""Rules for the fields of a new or changed entry: valid values, no secrets, a flag on text that reads like an order.

Pure; every store applies them before it writes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.formats.schema import nearest
from limpet.ground.safety.instructions.find import INSTRUCTION, flags_of
from limpet.ground.safety.redaction import redact
from limpet.memory.model.entry import KEEP_LESS, LARGEST, Entry
from limpet.memory.model.evidence import CONTRADICTED, Evidence, is_same
from limpet.memory.model.fields import plain, read_fields

LONGEST_TITLE = 120
# Moments that an entry's file keeps.
KEPT = 50
REDACTED_LISTS = ("tags", "paths", "flags")

_TEXTS = ("title", "body")
_SPEAKING = (*_TEXTS, "workaround")
_EMPTY: tuple[object, ...] = (None, "", (), [])
_UNPRINTABLE = {code: "\ufffd" for code in (*range(32), 127) if code not in (9, 10, 13)}


def make_entry(fields: Mapping[str, object], secrets: Collection[str] = ()) -> Entry:
    """Return a new entry of these fields without secrets: those of a known form, and these ``secrets``.

    Raises LimpetError naming the field that is wrong.
    """
    entry = Entry(**{"body": "", **_clean(fields, secrets)})
    return entry.replace(flags=_flags(entry, entry.flags))


def fit_changes(entry: Entry, changes: Mapping[str, object], secrets: Collection[str] = ()) -> dict[str, object]:
    """Return the changes that make a difference, without secrets. Raise LimpetError naming the field that is
    wrong."""
    if "id" in changes and changes["id"] != entry.id:
        raise LimpetError("A memory's id cannot change")
    known = {name: getattr(entry, name) for name in Entry.fields if name not in _TEXTS}
    clean = _clean({"title": "kept", **known, **changes}, secrets)
    asked = {name: clean.get(name, Entry.defaults.get(name, "")) for name in changes}
    if any(name in asked for name in _SPEAKING) and "flags" not in asked:
        asked["flags"] = _flags(entry.replace(**asked), entry.flags)
    return {name: value for name, value in asked.items() if getattr(entry, name) != value}


def redacted(entry: Entry, secrets: Collection[str]) -> Entry:
    """Return the entry without secrets that a person typed into its file, those known by value among them."""
    lists = {name: tuple(redact(each, known=secrets) for each in getattr(entry, name)) for name in REDACTED_LISTS}
    return entry.replace(**lists, **{name: redact(getattr(entry, name), known=secrets) for name in _SPEAKING})


def strengthening(entry: Entry, evidence: Iterable[Evidence], step: float) -> dict[str, object]:
    """Return the changes by the evidence that the entry does not hold yet.

    Each raises count and confidence, by a step; what contradicts it lowers its confidence alone. An entry keeps the
    newest ``KEPT``: what is older than all of a full list was counted before.
    """
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


def _clean(fields: Mapping[str, object], secrets: Collection[str]) -> dict[str, Any]:
    unknown = next((name for name in fields if name not in Entry.fields), None)
    if unknown is not None:
        raise LimpetError(f"Unknown field of a memory: {unknown}{nearest(unknown, Entry.fields)}")
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


def _flags(entry: Entry, known: tuple[str, ...]) -> tuple[str, ...]:
    """Return the flags that others gave, and those that the text gives now."""
    found = flags_of("\n\n".join((entry.title, entry.body, entry.workaround)))
    return (*(flag for flag in known if flag != INSTRUCTION and flag not in found), *found)
