"""Tells whether anything that a person watches has changed, by the files' stamps alone."""

from __future__ import annotations

import os

from limpet.ground.event_log import events_folder, metrics_path
from limpet.ground.storage.files import stamp
from limpet.ground.workspace import Workspace
from limpet.work.session import session_paths

Stamps = tuple[object, ...]


def look_at_stamps(workspace: Workspace) -> Stamps:
    """Return what differs after every event, memory, move of the work and change of the settings; a few files and
    folders are looked at, none is read."""
    paths = [metrics_path(workspace), workspace.path("session.yaml"), workspace.path("config.yaml")]
    paths += [events_folder(workspace.shared), workspace.path("rules"), *sorted(session_paths(workspace))[-1:]]
    return tuple(map(stamp, paths))
