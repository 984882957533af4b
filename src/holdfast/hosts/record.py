"""The record of what was installed, by which it is removed without a trace: ``install.json`` of a project or a user."""

from __future__ import annotations

import os

from holdfast.ground.config.defaults import STATE_BYTES
from holdfast.ground.config.sources import user_config_path
from holdfast.ground.formats.json_text import dumps, loads
from holdfast.ground.storage.files import read_text
from holdfast.hosts.scope import USER

TYPE_CHECKING = False
if TYPE_CHECKING:
    Entry = dict[str, object]
    Record = dict[str, Entry]

NAME = "install.json"
SCHEMA = 1


def project_record(home: str) -> str:
    """Return the path of the record of a project whose ``.holdfast`` is ``home``."""
    return os.path.join(home, NAME)


def user_record() -> str:
    """Return the path of the user's record, which is beside the user's configuration."""
    return os.path.join(os.path.dirname(user_config_path()), NAME)


def record_path(home: str, scope: str) -> str:
    """Return the path of the record for a scope."""
    return user_record() if scope == USER else project_record(home)


def read_record(path: str) -> Record:
    """Return the entry of each changed file (absolute path); empty where nothing is recorded.

    ``host`` and ``scope``: whose settings the file holds.
    ``after``: the sha256 of the bytes that we wrote.
    ``original``: the bytes from before in base64, None where there was no file.
    ``folders``: how many folders were made for it.
    ``status_line``: the one that ours replaced.
    """
    try:
        data = loads(read_text(path, STATE_BYTES) or "")
    except ValueError:
        return {}
    files = data.get("files") if isinstance(data, dict) else None
    if not isinstance(files, dict):
        return {}
    root = _root(path)
    return {canonical(os.path.join(root, name)): entry for name, entry in files.items() if isinstance(entry, dict)}


def recorded_scopes(home: str, host: str) -> tuple[str, ...]:
    """Return the scopes of this host that the record of a project names."""
    entries = read_record(project_record(home)).values()
    return tuple(str(entry.get("scope")) for entry in entries if entry.get("host") == host)


def render_record(path: str, record: Record, product: str) -> bytes | None:
    """Return the bytes of ``install.json``, None where nothing is recorded; the project's files go by relative path."""
    if not record:
        return None
    files = {_relative(path, name): entry for name, entry in sorted(record.items())}
    return (dumps({"schema": SCHEMA, "product": product, "files": files}, indent=2) + "\n").encode()


def canonical(path: str) -> str:
    """Return the absolute path without links in its folder, so that a file has one name whichever way one came."""
    folder, name = os.path.split(os.path.abspath(path))
    return os.path.join(os.path.realpath(folder), name)


def _relative(record: str, path: str) -> str:
    root = _root(record) + os.sep
    return path[len(root) :].replace(os.sep, "/") if path.startswith(root) else path


def _root(record: str) -> str:
    return os.path.realpath(os.path.dirname(os.path.dirname(os.path.abspath(record))))
