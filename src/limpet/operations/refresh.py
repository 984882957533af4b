"""Brings the memories' index and the mirror up to date when a conversation starts. The mirror has no stamps of the
sources that the project's documents describe, so it is made anew wherever there are documents."""

from __future__ import annotations

import os

from limpet.ground.config.mirror import SPECS
from limpet.ground.config.settings import load_settings
from limpet.ground.trust.in_place import specs_home
from limpet.ground.workspace import Workspace
from limpet.memory.index.sync import refresh_index
from limpet.memory.model.layout import has_entries
from limpet.memory.model.results import Refreshed
from limpet.operations.mirror import refresh_mirror


def refresh_all(workspace: Workspace, now: float) -> Refreshed:
    """Return how many memories were read again, how many are gone, and for how many there was no time. Raises
    LimpetError."""
    if os.path.isfile(os.path.join(specs_home(workspace), SPECS)):
        refresh_mirror(workspace)
    if not has_entries(workspace):
        return Refreshed(changed=0, removed=0, total=0, problems=())
    settings = load_settings(workspace)[0]["memory"]
    return refresh_index(workspace.shared, settings, now, seconds=settings["refresh"]["background_s"])
