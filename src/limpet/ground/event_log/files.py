"""Paths of the event log and of the hook's metrics. The prompt hook imports this module."""

from __future__ import annotations

import os

from limpet.ground.storage.files import names_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.ground.workspace import Workspace

SUFFIX = ".jsonl"
BLOCK = "block"
"""The kind of the events that record a block that was sent."""


def log_path(shared: str, name: str) -> str:
    """Return the path of the log ``name``."""
    return os.path.join(events_folder(shared), name + SUFFIX)


def log_paths(shared: str) -> list[str]:
    """Return the paths of all logs, rotated ones included, in order of name."""
    folder = events_folder(shared)
    return [os.path.join(folder, name) for name in names_in(folder) if SUFFIX in name]


def block_path(shared: str, name: str) -> str:
    """Return the path under which a block that was sent is kept; ``name`` is its content hash."""
    return os.path.join(blocks_folder(shared), name)


def blocks_folder(shared: str) -> str:
    """Return the folder of the blocks that were sent."""
    return os.path.join(events_folder(shared), "blocks")


def events_folder(shared: str) -> str:
    """Return the folder of the logs."""
    return os.path.join(shared, "events")


def metrics_path(workspace: Workspace) -> str:
    """Return the path of the hook's metrics, which are rotated as the logs are."""
    return workspace.path("metrics", "hook.jsonl")
