"""The manifest file ``manifest.yaml``, read every time: what is tracked, how good it is, what is left to do. Text to
value, and the change of a value into the text; both variants of the form are read, and what is not changed keeps its
bytes."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.formats.schema import KeyPath
from limpet.ground.formats.yaml_edit import Path, render_value, set_values
from limpet.ground.values import Value
from limpet.work.documents.form import (
    VERSION,
    BacklogItem,
    dated_timestamp,
    read_backlog_item,
    read_form,
    read_timestamp,
    read_version,
    set_rows,
    shorten_text,
)

NAME = ".limpet/manifest.yaml"
PROTOCOL = "0.1"
DIRECTORY = "specs"
LOG_BYTES = 84
KEY = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_NEW = """\
# Scores of the documents, written by `limpet work spec`; you can edit it. The answers are in artifacts/.
version: {version}
project:
  name: {name}
  protocol_version: "{protocol}"
  created: {day}
config:
  artifact_directory: {directory}
  auto_evaluate: true
artifacts:
backlog: []
log: []
"""


class Artifact(Value):
    """A tracked document. ``path``: from the project's root, "" where none is written yet. ``score``: its level, 0
    where it was never evaluated. ``last_evaluated``, ``time``: in UTC; the time may be "". ``reachable``: the best
    level that its n/a answers leave it, 0 where they do not limit it."""

    key: str
    path: str = ""
    score: int = 0
    max_score: int = 5
    status: str = "missing"
    last_evaluated: str = ""
    time: str = ""
    type: str = ""
    reachable: int = 0


class DocumentsManifest(Value):
    """``version``: the file's schema. ``problems``: lines on values that do not count."""

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
        return self.version > VERSION

    def artifact(self, key: str) -> Artifact | None:
        return next((artifact for artifact in self.artifacts if artifact.key == key), None)

    def with_artifact(self, artifact: Artifact) -> DocumentsManifest:
        changed = {one.key: one for one in self.artifacts} | {artifact.key: artifact}
        return self.replace(artifacts=tuple(changed.values()))

    def logged(self, day: str, what: str, most: int) -> DocumentsManifest:
        return self.replace(log=(shorten_text(f"{day}: {' '.join(what.split())}", LOG_BYTES), *self.log)[:most])


@cache
def read_manifest_text(text: str) -> DocumentsManifest:
    """Raise LimpetError with ``file:line`` where the text is no YAML mapping."""
    data, problems = read_form(text, NAME, "manifest", _faults)
    project, config = data.get("project") or {}, data.get("config") or {}
    artifacts = {str(key): about or {} for key, about in (data.get("artifacts") or {}).items()}
    return DocumentsManifest(
        name=str(project.get("name") or ""),
        protocol=str(project.get("protocol_version") or project.get("protocol") or PROTOCOL),
        version=read_version(data),
        directory=str(config.get("artifact_directory") or DIRECTORY),
        auto_evaluate=config.get("auto_evaluate") is not False,
        scaled=config.get("scale_levels") is True,
        artifacts=tuple(_artifact(key, about) for key, about in artifacts.items() if KEY.fullmatch(key)),
        backlog=tuple(item for row in data.get("backlog") or () if (item := read_backlog_item(row))),
        log=tuple(line for row in data.get("log") or () if (line := _log_line(row))),
        problems=problems,
    )


def new_manifest_text(name: str, day: str) -> str:
    return _NEW.format(version=VERSION, name=render_value(name), protocol=PROTOCOL, day=day, directory=DIRECTORY)


def edit_manifest(text: str, after: DocumentsManifest) -> str:
    """Put in artifacts, backlog and log as in ``after``; a new artifact is one line. Raise LimpetError."""
    before = read_manifest_text(text)
    changes: list[tuple[Path, object]] = []
    for artifact in after.artifacts:
        old = before.artifact(artifact.key)
        fields, known = _fields(artifact), _fields(old) if old else {}
        names = [name for name in {**known, **fields} if known.get(name) != fields.get(name)]
        changed = [(("artifacts", artifact.key, name), fields.get(name)) for name in names]
        changes += changed if old else [(("artifacts", artifact.key), fields)]
    text = set_values(text, changes, NAME)
    if after.backlog != before.backlog:

        def row(item: BacklogItem) -> dict[str, object]:
            return {"artifact": item.artifact, "item": item.item, "priority": item.priority}

        text = set_rows(text, "backlog", after.backlog, read_backlog_item, row, NAME)
    return set_rows(text, "log", after.log, _log_line, str, NAME) if after.log != before.log else text


def check_key(key: str) -> str:
    """Raise LimpetError for a key that cannot name a file."""
    if not KEY.fullmatch(key):
        raise LimpetError(f"Invalid artifact key {key!r}", NAME, "Use lower-case letters, digits and hyphens.")
    return key


def _artifact(key: str, about: dict[str, Any]) -> Artifact:
    day, time = read_timestamp(about.get("last_evaluated"), about.get("time"))
    most = about.get("max_score") or 5
    path = about.get("path")
    return Artifact(
        key=key,
        path=posixpath.normpath(path) if path else "",
        score=min(most, about.get("score") or 0),
        max_score=most,
        status=about.get("status") or ("draft" if path else "missing"),
        last_evaluated=day,
        time=time,
        type=about.get("type") or "",
        reachable=min(most, about.get("reachable") or 0),
    )


def _fields(artifact: Artifact) -> dict[str, object]:
    fields = {
        "path": artifact.path or None,
        "score": artifact.score,
        "max_score": artifact.max_score,
        "status": artifact.status,
        "last_evaluated": artifact.last_evaluated or None,
    }
    kind = artifact.type if artifact.type != artifact.key else ""
    more = {"time": artifact.time, "type": kind, "reachable": artifact.reachable}
    return dated_timestamp(fields | {name: value for name, value in more.items() if value})


def _log_line(row: object) -> str | None:
    return None if row is None else str(row)


def _faults(data: dict[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    for key, about in (data.get("artifacts") or {}).items():
        day = (about or {}).get("last_evaluated")
        if not KEY.fullmatch(str(key)):
            yield ("artifacts", str(key)), "is not a valid artifact key"
        elif day and not read_timestamp(day)[0]:
            yield ("artifacts", str(key), "last_evaluated"), f"must be a date, not {day!r}"
