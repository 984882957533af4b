"""Takes away what a throw-away session left in a project, and nothing of anybody else's."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from holdfast.ground.event_log.files import BLOCK, block_path, blocks_folder
from holdfast.ground.event_log.read import data_of, read_events
from holdfast.ground.storage.files import read_bytes, write_atomic
from holdfast.ground.workspace import Workspace

FOLDERS = ("sessions", "continuation", "cache", "events")


@contextmanager
def without_traces(workspace: Workspace, mark: str) -> Iterator[None]:
    """After the ``with`` block files of the sessions whose ids hold ``mark`` are gone, with the blocks that they alone
    were sent; ``latest.md`` is as it was. Their lines of metrics stay: they are times, and say whose."""
    latest = workspace.path("continuation", "latest.md")
    before = read_bytes(latest)
    blocks = blocks_folder(workspace.shared)
    known = set(os.listdir(blocks)) if os.path.isdir(blocks) else set()
    try:
        yield
    finally:
        for name in _blocks_of(workspace, mark) - known:
            _unlink(block_path(workspace.shared, name))
        for home in {workspace.home, workspace.shared}:
            _remove_named(home, mark)
        if mark.encode() in (read_bytes(latest) or b""):
            _restore(latest, before)


def _blocks_of(workspace: Workspace, mark: str) -> set[str]:
    names = (data_of(event).get("block") for event in read_events(workspace.shared, BLOCK, mark))
    return {os.path.basename(name) for name in names if isinstance(name, str) and name}


def _remove_named(home: str, mark: str) -> None:
    for part in FOLDERS:
        for path in _named(os.path.join(home, part), mark):
            _unlink(path)


def _named(top: str, mark: str) -> list[str]:
    return [os.path.join(folder, name) for folder, _, names in os.walk(top) for name in names if mark in name]


def _restore(path: str, before: bytes | None) -> None:
    if before is None:
        _unlink(path)
    else:
        write_atomic(path, before)


def _unlink(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)
