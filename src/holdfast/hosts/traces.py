"""Takes away what a throw-away session left in a project, and nothing of anybody else's."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from holdfast.ground.files import read_bytes, write_atomic
from holdfast.ground.workspace import Workspace

FOLDERS = ("sessions", "continuation", "cache", "events")


@contextmanager
def without_traces(workspace: Workspace, session: str) -> Iterator[None]:
    """After the ``with`` block files named after ``session`` are gone, with the blocks it alone was sent; ``latest.md``
    is as it was. Its lines of metrics stay: they are times, marked with the session."""
    latest = workspace.path("continuation", "latest.md")
    before = read_bytes(latest)
    blocks = os.path.join(workspace.shared, "events", "blocks")
    known = set(os.listdir(blocks)) if os.path.isdir(blocks) else set()
    try:
        yield
    finally:
        for name in _blocks_of(workspace, session) - known:
            _unlink(os.path.join(blocks, name))
        for home in {workspace.home, workspace.shared}:
            _remove_named(home, session)
        if session.encode() in (read_bytes(latest) or b""):
            _restore(latest, before)


def _blocks_of(workspace: Workspace, session: str) -> set[str]:
    names = set()
    for line in (read_bytes(os.path.join(workspace.shared, "events", f"{session}.jsonl")) or b"").splitlines():
        with suppress(ValueError, KeyError, TypeError):
            names.add(os.path.basename(json.loads(line)["data"]["block"]))
    return names


def _remove_named(home: str, session: str) -> None:
    for part in FOLDERS:
        for folder, _, names in os.walk(os.path.join(home, part)):
            for name in names:
                if session in name:
                    _unlink(os.path.join(folder, name))


def _restore(path: str, before: bytes | None) -> None:
    if before is None:
        _unlink(path)
    else:
        write_atomic(path, before)


def _unlink(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)
