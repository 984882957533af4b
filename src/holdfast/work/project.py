"""The project's ``session.yaml``: active agent, workflow, task, squad and modes, written by commands and by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdfast.ground.errors import HoldfastError
from holdfast.ground.files import read_text
from holdfast.ground.schema import load_schema, sift
from holdfast.ground.settings import explain
from holdfast.ground.sources import SESSION
from holdfast.ground.textfile import read_strictly, refuse_conflict, replace_text, sole_writer
from holdfast.ground.workspace import FOLDER, Workspace
from holdfast.ground.yamledit import set_value
from holdfast.ground.yamltext import key_lines, load_yaml
from holdfast.work.modes import ALIASES

NAME = f"{FOLDER}/{SESSION}"
SCHEMA_VERSION = 1
_HEADER = "# Where the project's work stands: written by `holdfast agent` and `holdfast work`, and by you.\n"
_OURS = ("schema_version", "revision")


def read_project(workspace: Workspace) -> tuple[dict[str, Any], list[str]]:
    """The session without its empty keys, aliases resolved, and a line for each value that does not count.

    Raises HoldfastError with ``file:line`` where the file is no YAML mapping.
    """
    text = read_text(workspace.path(SESSION)) or ""
    refuse_conflict(text, NAME)
    session = _mapping(text)
    schema = load_schema("session")
    good, faults = sift(session, schema)
    lines = key_lines(text, NAME) if faults else {}
    problems = [f"{NAME}:{lines.get(fault.path, 1)}: {explain(fault, schema)}" for fault in faults]
    return _tidy(good), problems


def update_project(workspace: Workspace, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Write ``changes`` (None clears a key) into the session, all else kept, and return the new session.

    Without a difference nothing is written. Raises HoldfastError, with nothing written, for an unknown key, a bad
    value, an unreadable file, one of a newer version, and a lock that cannot be had.
    """
    wanted = accept_changes(changes)
    with sole_writer(workspace.path("cache", f"{SESSION}.lock"), NAME):
        text = read_strictly(workspace.path(SESSION), NAME)
        session = _mapping(text)
        _refuse_newer(session)
        different = {key: value for key, value in wanted.items() if session.get(key) != value}
        if different:
            replace_text(workspace.path(SESSION), _edited(text, session, different), NAME, mode=0o600)
    return _tidy({**session, **_numbered(session, different)})


def accept_changes(changes: Mapping[str, Any]) -> dict[str, Any]:
    """The changes with aliases resolved. Raises HoldfastError for a key that is no command's to set, or a bad value."""
    schema = load_schema("session")
    for key in changes:
        if key not in schema["properties"] or key in _OURS:
            known = ", ".join(name for name in schema["properties"] if name not in _OURS)
            raise HoldfastError(f"{key} is no key of the session", NAME, f"known are {known}")
    _, faults = sift(dict(changes), schema)
    if faults:
        raise HoldfastError(explain(faults[0], schema), NAME, "nothing was changed")
    return _proper(changes)


def _mapping(text: str) -> dict[str, Any]:
    data = load_yaml(text, NAME)
    if data is not None and not isinstance(data, dict):
        raise HoldfastError("must be a mapping of keys to values", NAME, "mend the file by hand")
    return data or {}


def _refuse_newer(session: Mapping[str, Any]) -> None:
    version = session.get("schema_version", SCHEMA_VERSION)
    if not isinstance(version, int) or version > SCHEMA_VERSION:
        what = f"has schema_version {version}, and this holdfast writes up to {SCHEMA_VERSION}"
        raise HoldfastError(what, NAME, "update holdfast; until then the file is read only")


def _edited(text: str, session: Mapping[str, Any], different: Mapping[str, Any]) -> str:
    edited = text or _HEADER
    for key, value in _numbered(session, different).items():
        edited = set_value(edited, (key,), value, NAME)
    return edited


def _numbered(session: Mapping[str, Any], different: Mapping[str, Any]) -> dict[str, Any]:
    if not different:
        return {}
    revision = session.get("revision")
    known = revision if isinstance(revision, int) else 0
    return {"schema_version": SCHEMA_VERSION, "revision": known + 1, **different}


def _tidy(session: Mapping[str, Any] | None) -> dict[str, Any]:
    return {key: value for key, value in _proper(session or {}).items() if value is not None}


def _proper(session: Mapping[str, Any]) -> dict[str, Any]:
    """The same keys with aliases replaced by the names that they stand for."""
    return {key: _unaliased(key, value) for key, value in session.items()}


def _unaliased(key: str, value: Any) -> Any:
    return ALIASES.get(key, {}).get(value, value) if isinstance(value, str) else value
