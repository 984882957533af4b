"""Removes the files of a throw-away session from a project, and no others."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from limpet.ground.event_log.files import BLOCK, block_path, blocks_folder
from limpet.ground.event_log.read import data_of, read_events
from limpet.ground.storage.durable import write_durably
from limpet.ground.storage.files import read_bytes
from limpet.ground.workspace import Workspace
from limpet.work.conversation import conversations_folder

FOLDERS = ("sessions", "continuation", "cache", "events")


@contextmanager
def without_traces(workspace: Workspace, mark: str) -> Iterator[None]:
    """Remove at the end of the ``with`` block the files of sessions whose ids hold ``mark``, and their blocks.

    A block that was there before stays, and ``latest.md`` is restored. Lines of metrics stay: they hold times only, and
    the session's id.
    """
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
            for part in FOLDERS:
                _remove_named(os.path.join(home, part), mark)
        _remove_named(workspace.cache, mark)
        _remove_named(conversations_folder(), mark)
        if mark.encode() in (read_bytes(latest) or b""):
            if before is None:
                _unlink(latest)
            else:
                write_durably(latest, before, follow=False)


def _blocks_of(workspace: Workspace, mark: str) -> set[str]:
    names = (data_of(event).get("block") for event in read_events(workspace.shared, BLOCK, mark))
    return {os.path.basename(name) for name in names if isinstance(name, str) and name}


def _remove_named(place: str, mark: str) -> None:
    for folder, _, names in os.walk(place):
        for name in names:
            if mark in name:
                _unlink(os.path.join(folder, name))


def _unlink(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)
