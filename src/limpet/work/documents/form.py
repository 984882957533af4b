"""The form that manifest and details share: read by their schemas, lists changed row by row, days and times."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from difflib import SequenceMatcher
from functools import cache
from typing import Any, TypeVar

from limpet.ground.clock import parse_timestamp
from limpet.ground.errors import LimpetError
from limpet.ground.formats.schema import KeyPath, Schema, load_schema, sift
from limpet.ground.formats.yaml_edit import Day, render_value
from limpet.ground.formats.yaml_items import insert_item, items_at, remove_item
from limpet.ground.formats.yaml_text import key_lines, load_yaml
from limpet.ground.storage.text_file import refuse_conflict
from limpet.ground.values import Value

VERSION = 1
Row = TypeVar("Row", bound=object)
_READ_HERE = ("checklist", "custom_rubric", "backlog", "log")
"""Lists whose rows this room reads one by one: a bad one costs itself, not its list."""
PRIORITIES = ("high", "medium", "low")
LONGEST = 52
"""Bytes of an item's text in the manifest, so that it stays small; the detail file has it in full."""


def read_form(
    text: str, where: str, schema: str, check: Callable[[dict[str, Any]], Iterable[tuple[KeyPath, str]]]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return (the parts of a state file that are as its schema says, lists as they are; a line on each that is not).
    ``check``: yields what else is wrong with the parts, with its key path. Raise LimpetError with ``file:line`` where
    it is no YAML mapping."""
    refuse_conflict(text, where)
    data = load_yaml(text, where)
    if data is not None and not isinstance(data, dict):
        raise LimpetError("Must be a mapping of keys to values", where, "Fix the file by hand.")
    whole, by_row = _schemas(schema)
    good, faults = sift(data or {}, whole)
    for name, rows in by_row.items():
        for row in good.get(name) or ():
            faults += sift(row, rows, (name,))[1]
    found = [*((fault.path, fault.what) for fault in faults), *check(good)]
    lines = key_lines(text, where) if found else {}
    places = [lines.get(path) or lines.get(path[:1], 1) for path, _ in found]
    told = zip(places, found, strict=True)
    return good, tuple(f"{where}:{line}: {'.'.join(path)} {what}" for line, (path, what) in told)


def read_version(data: Mapping[str, Any]) -> int:
    given = [str(data.get(name) or VERSION).partition(".")[0] for name in ("version", "schema_version")]
    return max(int(one) if one.isdecimal() and len(one) < 10 else VERSION for one in given)


def refuse_newer_form(version: int, where: str) -> None:
    if version > VERSION:
        what = f"Version {version} is newer than this Limpet supports ({VERSION})"
        raise LimpetError(what, where, "Update Limpet; until then the file is read-only.")


def set_rows(
    text: str,
    name: str,
    after: Sequence[Row],
    read: Callable[[object], Row | None],
    write: Callable[[Row], object],
    where: str,
) -> str:
    """Rows that stay keep their bytes, as do rows that ``read`` makes nothing of. Raise LimpetError."""
    before = [read(row) for row in items_at(text, (name,), where)]
    for tag, start, end, first, last in reversed(SequenceMatcher(None, before, after, False).get_opcodes()):
        for place in reversed(range(start, end) if tag != "equal" else ()):
            if before[place] is not None:
                text = remove_item(text, (name,), place, where)
        for row in reversed(after[first:last] if tag != "equal" else ()):
            text = insert_item(text, (name,), start, render_value(write(row)), where)
    return text


def read_timestamp(day: object, time: object = None) -> tuple[str, str]:
    """Return (day, time in UTC) of what a file holds: a day, a full ISO timestamp, or dates as a YAML 1.1 reader gives
    them; the time may stand apart. ("", "") for what is no timestamp."""
    text = str(day or "").strip()
    try:
        if len(text) != len("2026-02-20"):
            return _in_two(parse_timestamp(text).astimezone(UTC))
        parse_timestamp(text)
    except (ValueError, OverflowError):  # no timestamp, or one before the year 1 in UTC
        return "", ""
    return read_timestamp(f"{text}T{time}") if time and read_timestamp(f"{text}T{time}")[0] else (text, "")


def write_timestamp(now: float) -> tuple[str, str]:
    """Return (``2026-02-20``, ``12:00:05.931Z``) of seconds since 1970."""
    return _in_two(datetime.fromtimestamp(now, UTC))


def dated_timestamp(fields: Mapping[str, object]) -> dict[str, object]:
    days = {name: Day(fields[name]) for name in ("last_evaluated", "found") if fields.get(name)}
    return {**fields, **days}


class BacklogItem(Value):
    """A problem of the document with the key ``artifact``. ``found``: the day on which it was noted, "" for unknown."""

    artifact: str
    item: str
    priority: str = "medium"
    found: str = ""


def read_backlog_item(row: object, artifact: str = "") -> BacklogItem | None:
    """Return None for no problem; ``artifact`` is whose it is where the row does not say."""
    if not isinstance(row, dict) or not isinstance(row.get("item"), str) or not row["item"].strip():
        return None
    priority = str(row.get("priority")).lower()
    return BacklogItem(
        artifact=str(row.get("artifact") or artifact),
        item=" ".join(row["item"].split()),
        priority=priority if priority in PRIORITIES else "medium",
        found=str(row.get("found") or ""),
    )


def is_same_form(one: BacklogItem, other: BacklogItem) -> bool:
    """Both describe the same problem, one of them perhaps shortened."""
    texts = {one.item, other.item}
    is_shortened = shorten_text(one.item) in texts and shorten_text(other.item) == shorten_text(one.item)
    return one.artifact == other.artifact and (len(texts) == 1 or is_shortened)


def without(items: Iterable[BacklogItem], item: BacklogItem) -> tuple[BacklogItem, ...]:
    return tuple(one for one in items if not is_same_form(one, item))


def rank(item: BacklogItem) -> int:
    return PRIORITIES.index(item.priority)


def union(*lists: Iterable[BacklogItem]) -> tuple[BacklogItem, ...]:
    """Each item once, the most urgent first; of equal ones the first list's."""
    found: list[BacklogItem] = []
    for items in lists:
        known = {(one.artifact, shorten_text(one.item)): one for one in found}
        for item in items:
            twin = known.get((item.artifact, shorten_text(item.item)))
            if twin is None or not is_same_form(twin, item):
                found.append(item)
    return tuple(sorted(found, key=rank))


def show_form(
    shown: Sequence[BacklogItem], item: BacklogItem, most: int
) -> tuple[tuple[BacklogItem, ...], tuple[BacklogItem, ...]]:
    """Return (the manifest's list with this item, shortened, behind the last that is as urgent; those that must leave
    it so that ``most`` stay: the least urgent, of those the lowest). The others keep their order."""
    place = max((place + 1 for place, one in enumerate(shown) if rank(one) <= rank(item)), default=0)
    listed = [*shown[:place], item.replace(item=shorten_text(item.item), found=""), *shown[place:]]
    by_need = sorted(range(len(listed)), key=lambda place: rank(listed[place]))
    gone = set(by_need[most:])
    kept = tuple(one for place, one in enumerate(listed) if place not in gone)
    return kept, tuple(listed[place] for place in sorted(gone))


def shorten_text(text: str, most: int = LONGEST) -> str:
    """Keep within ``most`` bytes of UTF-8, with an ellipsis where something was cut."""
    raw = text.encode()
    return text if len(raw) <= most else raw[: most - 3].decode("utf-8", "ignore").rstrip() + "..."


def _in_two(moment: datetime) -> tuple[str, str]:
    text = moment.isoformat(timespec="milliseconds")
    return text[:10], f"{text[11:23]}Z"


@cache
def _schemas(name: str) -> tuple[Schema, Schema]:
    """Return a shipped schema without the rows of its lists, and those rows' own schemas by the lists' names."""
    schema = load_schema(name)
    rows = {key: schema["properties"][key].pop("items") for key in _READ_HERE if key in schema["properties"]}
    return schema, {key: rows[key] for key in ("backlog", "log") if key in rows}
