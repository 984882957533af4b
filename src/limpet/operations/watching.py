"""Tells whether anything that a person watches has changed, by the files' stamps alone."""

from __future__ import annotations

from limpet.ground.event_log import log_paths, metrics_path
from limpet.ground.storage.files import stamp
from limpet.ground.workspace import Workspace

Stamps = tuple[object, ...]


def look_at_stamps(workspace: Workspace) -> Stamps:
    """Return what differs after every event, memory, move of the work and change of the settings; nothing is read."""
    paths = [metrics_path(workspace), workspace.kept("sessions"), workspace.path("rules")]
    paths += [workspace.path(name) for name in ("session.yaml", "config.yaml")]
    return tuple(map(stamp, (*paths, *log_paths(workspace.shared))))
