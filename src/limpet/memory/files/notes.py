"""Notes of other tools as entries that nobody looked at yet: those of Claude Code's own memory, of basic-memory and of
claude-mem, and plain Markdown."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from limpet.ground.digest import blake2b
from limpet.ground.errors import LimpetError
from limpet.ground.formats.frontmatter import split_frontmatter
from limpet.ground.formats.markdown import one_line
from limpet.ground.formats.yaml_text import load_yaml
from limpet.memory.files.codec import read_body
from limpet.memory.model.entry import DURABLE, IMPORTED, TYPES, UNREVIEWED
from limpet.memory.model.ids import ALPHABET
from limpet.memory.model.validation import to_utc

# The file in which Claude Code lists its notes, which is none.
NOTES_LIST = "MEMORY.md"
# A key of a note -> the tool that writes it.
_TOOLS = {"originSessionId": "claude-code", "node_type": "claude-code", "permalink": "basic-memory"}
# What notes call their types -> ours.
KINDS = {"feedback": "user_correction", **{name: name for name in TYPES}}
# How ids of notes begin: with one day, since what a note tells of its time may change while its words do not.
DAY = "mem-2000-01-01-"
# Keys of our own entries.
OURS = ("id:", "scope:")


def read_note(text: str, where: str, now: str, origin: str) -> dict[str, Any] | None:
    """Return the fields of the entry that a note becomes, by an id made of its words; None for an entry of ours.
    ``origin``: the file that it came from."""
    yaml, rest = "", text.removeprefix("\ufeff")
    with suppress(LimpetError):
        parts = split_frontmatter(text, where)
        yaml, rest = parts.yaml, parts.rest[parts.body :]
    if text.lstrip("\ufeff").startswith("---") and any(line.startswith(OURS) for line in (yaml or text).splitlines()):
        return None
    told = _told(yaml, where)
    heading, below = read_body(rest)
    title = str(next(filter(None, map(told.get, ("description", "title", "name"))), heading))
    body = below if title == heading else rest.strip()
    tool = next((tool for key, tool in _TOOLS.items() if key in told), "notes")
    return _fields(told, title, body, now, f"{tool} {origin}")


def read_observation(row: Mapping[str, Any], now: str, origin: str) -> dict[str, Any]:
    """The same of an observation that claude-mem exported."""
    try:
        facts = json.loads(str(row.get("facts") or "[]"))
    except ValueError:
        facts = [row["facts"]]
    listed = [f"- {one_line(str(fact))}" for fact in facts] if isinstance(facts, list) else []
    said = [str(row[key]) for key in ("title", "subtitle", "narrative", "text") if row.get(key)]
    body = "\n\n".join(filter(None, (*said[1:], "\n".join(listed))))
    return _fields({**row, "tags": None}, one_line(said[0]) if said else "", body, now, f"claude-mem {origin}")


def _fields(told: Mapping[str, Any], title: str, body: str, now: str, origin: str) -> dict[str, Any]:
    days = (told.get(key) for key in ("created", "created_at", "date", "modified"))
    at = next(filter(None, (to_utc(str(day)) for day in days)), "")
    tags = told.get("tags")
    given = tags if isinstance(tags, list) else str(tags or "").split(",")
    drawn = blake2b(f"{title}\n{body}".encode("utf-8", "replace"), digest_size=8).digest()
    return {
        "id": DAY + "".join(ALPHABET[byte % 32] for byte in drawn),
        "type": KINDS.get(str(told.get("type")), "semantic"),
        "tags": [*filter(None, (str(tag).strip() for tag in given)), UNREVIEWED],
        **{"title": title, "body": body, "created_at": at or now, "storage": DURABLE, "source": f"{IMPORTED}{origin}"},
    }


def _told(yaml: str, where: str) -> dict[str, Any]:
    """With what stands below ``metadata``. Texts with colons, which are no YAML, are read line by line."""
    try:
        told = load_yaml(yaml, where)
    except LimpetError:
        pairs = (line.strip().partition(": ") for line in yaml.splitlines())
        told = {key: value.strip("\"'") for key, _, value in pairs}
    inner = told.get("metadata") if isinstance(told, dict) else None
    found = [each for each in (inner, told) if isinstance(each, dict)]
    return {str(key): value for each in found for key, value in each.items()}
