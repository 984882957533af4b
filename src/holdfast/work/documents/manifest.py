"""The manifest file ``manifest.yaml``, read every time: what is tracked, how good it is, what is left to do.

Text to value, and changes to the text; both variants of the form are read, and what is not changed keeps its bytes.
"""

from __future__ import annotations

import math
import posixpath
import re
from collections.abc import Mapping, Sequence
from typing import Any

from holdfast.ground.errors import HoldfastError
from holdfast.ground.formats.schema import load_schema, sift
from holdfast.ground.formats.yaml_edit import render_value
from holdfast.ground.formats.yaml_list import insert_item, remove_item
from holdfast.ground.formats.yaml_text import key_lines, load_yaml
from holdfast.ground.storage.text_file import refuse_conflict
from holdfast.ground.values import Value
from holdfast.work.documents.backlog import BacklogItem, is_same, place_for, read_items, shorten, surplus
from holdfast.work.documents.dates import read_timestamp
from holdfast.work.documents.edit import render_item, set_fields

NAME = ".holdfast/manifest.yaml"
VERSION = 1
PROTOCOL = "0.1"
DIRECTORY = "specs"
LOG_BYTES = 84
STATUSES = ("current", "stale", "missing", "wip", "draft")
KEY = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_HEADER = "# Scores of the documents, written by `holdfast spec`; you can edit it. The answers are in artifacts/.\n"


class Artifact(Value):
    """A tracked document.

    ``path``: from the project's root, "" where none is written yet.
    ``score``: its level, 0 where it was never evaluated.
    ``day``, ``time``: of its last evaluation (UTC); the time may be "".
    ``reachable``: the best level that its n/a answers leave it, 0 where they do not limit it.
    """

    key: str
    path: str = ""
    score: int = 0
    max_score: int = 5
    status: str = "missing"
    day: str = ""
    time: str = ""
    type: str = ""
    reachable: int = 0


class Manifest(Value):
    """The content of ``manifest.yaml``.

    ``version``: the file's schema; one of a newer version is read only.
    ``problems``: lines on values that do not count.
    """

    name: str
    protocol: str
    version: int
    directory: str
    auto_evaluate: bool
    scaled: bool
    artifacts: tuple[Artifact, ...]
    backlog: tuple[BacklogItem, ...]
    log: tuple[str, ...]
    problems: tuple[str, ...]

    @property
    def newer(self) -> bool:
        """True where a newer Holdfast wrote it."""
        return self.version > VERSION

    def artifact(self, key: str) -> Artifact | None:
        """Return the tracked document of this key."""
        return next((artifact for artifact in self.artifacts if artifact.key == key), None)


def read_manifest_text(text: str) -> Manifest:
    """Return the manifest that the text holds. Raise HoldfastError with ``file:line`` where it is no YAML mapping."""
    refuse_conflict(text, NAME)
    data = load_yaml(text, NAME)
    if data is not None and not isinstance(data, dict):
        raise HoldfastError("Must be a mapping of keys to values", NAME, "Fix the file by hand.")
    return _manifest(data or {}, _problems(data or {}, text))


def new_manifest_text(name: str, day: str) -> str:
    """Return a manifest that tracks nothing yet."""
    lines = [
        f"version: {VERSION}",
        "project:",
        f"  name: {render_value(name)}",
        f'  protocol_version: "{PROTOCOL}"',
        f"  created: {day}",
        "config:",
        f"  artifact_directory: {DIRECTORY}",
        "  auto_evaluate: true",
        "artifacts:",
        "backlog: []",
        "log: []",
    ]
    return _HEADER + "".join(f"{line}\n" for line in lines)


def set_artifact(text: str, before: Artifact | None, after: Artifact) -> str:
    """Return the text with one artifact changed from ``before``, or added as one line. Raise HoldfastError."""
    fields = _fields(after)
    if before is None:
        return set_fields(text, [(("artifacts", after.key), fields)], NAME)
    known = _fields(before)
    changes = [
        (("artifacts", after.key, name), fields.get(name))
        for name in {**known, **fields}
        if known.get(name) != fields.get(name)
    ]
    return set_fields(text, changes, NAME)


def show_item(text: str, shown: Sequence[BacklogItem], item: BacklogItem, most: int) -> tuple[str, list[BacklogItem]]:
    """Return (the text with ``item`` in its backlog of at most ``most``, the items that had to leave it). Raises
    HoldfastError."""
    place = place_for(item, shown)
    line = {"artifact": item.artifact, "item": shorten(item.item), "priority": item.priority}
    edited = insert_item(text, ("backlog",), place, render_item(line), NAME)
    now = [*shown[:place], item, *shown[place:]]
    gone = surplus(now, most)
    for index in gone:
        edited = remove_item(edited, ("backlog",), index, NAME)
    return edited, [now[index] for index in gone]


def hide_item(text: str, item: BacklogItem) -> str:
    """Return the text without this problem in its backlog. Raise HoldfastError."""
    for index, one in reversed(list(enumerate(_backlog_rows(text)))):
        if one and is_same(one, item):
            text = remove_item(text, ("backlog",), index, NAME)
    return text


def add_log_line(text: str, day: str, what: str, most: int) -> str:
    """Return the text with a line at the top of its log, of which the newest ``most`` stay. Raise HoldfastError."""
    line = shorten(f"{day}: {' '.join(what.split())}", LOG_BYTES)
    edited = insert_item(text, ("log",), 0, render_value(line), NAME)
    data = load_yaml(edited, NAME)
    assert isinstance(data, dict)
    for index in range(len(data["log"]) - 1, most - 1, -1):
        edited = remove_item(edited, ("log",), index, NAME)
    return edited


def refuse_newer(manifest: Manifest) -> None:
    """Raise HoldfastError where a newer version wrote the file."""
    if manifest.newer:
        what = f"Version {manifest.version} is newer than this Holdfast supports ({VERSION})"
        raise HoldfastError(what, NAME, "Update Holdfast; until then the file is read-only.")


def check_key(key: str) -> str:
    """Return the key, if it can name a file. Raise HoldfastError."""
    if not KEY.fullmatch(key):
        raise HoldfastError(f"Invalid artifact key {key!r}", NAME, "Use lower-case letters, digits and hyphens.")
    return key


def read_integer(value: object, fallback: int) -> int:
    """Return the whole number that a file holds, as a number or as text."""
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 10:
        return int(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
        return int(value)
    return fallback


def _fields(artifact: Artifact) -> dict[str, object]:
    """Return the artifact's fields in the manifest; the type only where the key does not name it."""
    fields: dict[str, object] = {
        "path": artifact.path or None,
        "score": artifact.score,
        "max_score": artifact.max_score,
        "status": artifact.status,
        "last_evaluated": artifact.day or None,
    }
    more = {
        "time": artifact.time,
        "type": artifact.type if artifact.type != artifact.key else "",
        "reachable": artifact.reachable,
    }
    return fields | {name: value for name, value in more.items() if value}


def _manifest(data: Mapping[str, Any], problems: tuple[str, ...]) -> Manifest:
    project, config = _mapping(data.get("project")), _mapping(data.get("config"))
    artifacts = _mapping(data.get("artifacts"))
    log = data.get("log")
    return Manifest(
        name=str(project.get("name") or ""),
        protocol=str(project.get("protocol_version") or project.get("protocol") or PROTOCOL),
        version=max(read_integer(data.get(key), VERSION) for key in ("version", "schema_version")),
        directory=str(config.get("artifact_directory") or DIRECTORY),
        auto_evaluate=config.get("auto_evaluate") is not False,
        scaled=config.get("scale_levels") is True,
        artifacts=tuple(_artifact(str(key), about) for key, about in artifacts.items() if KEY.fullmatch(str(key))),
        backlog=read_items(data.get("backlog")),
        log=tuple(str(line) for line in log if line is not None) if isinstance(log, list) else (),
        problems=problems,
    )


def _artifact(key: str, data: object) -> Artifact:
    about = _mapping(data)
    day, time = read_timestamp(about.get("last_evaluated"), about.get("time"))
    most = max(1, read_integer(about.get("max_score"), 5))
    status = about.get("status")
    return Artifact(
        key=key,
        path=posixpath.normpath(str(about["path"])) if about.get("path") else "",
        score=min(most, max(0, read_integer(about.get("score"), 0))),
        max_score=most,
        status=status if status in STATUSES else "missing" if not about.get("path") else "draft",
        day=day,
        time=time,
        type=str(about.get("type") or ""),
        reachable=min(most, max(0, read_integer(about.get("reachable"), 0))),
    )


def _problems(data: Mapping[str, Any], text: str) -> tuple[str, ...]:
    _, faults = sift(data, load_schema("manifest"))
    artifacts = _mapping(data.get("artifacts"))
    found: list[tuple[tuple[str, ...], str]] = [(fault.path, fault.what) for fault in faults]
    for key, about in artifacts.items():
        day = _mapping(about).get("last_evaluated")
        if not KEY.fullmatch(str(key)):
            found.append((("artifacts", str(key)), "is not a valid artifact key"))
        elif day and not read_timestamp(day)[0]:
            found.append((("artifacts", str(key), "last_evaluated"), f"must be a date, not {day!r}"))
    lines = key_lines(text, NAME) if found else {}
    return tuple(f"{NAME}:{lines.get(path, 1)}: {'.'.join(path)} {what}" for path, what in found)


def _backlog_rows(text: str) -> list[BacklogItem | None]:
    """Return an item for each row of the file, None for a row that is none."""
    data = load_yaml(text, NAME)
    rows = data.get("backlog") if isinstance(data, dict) else None
    return [next(iter(read_items([row])), None) for row in rows] if isinstance(rows, list) else []


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
