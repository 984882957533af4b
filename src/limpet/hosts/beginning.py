"""Begins a project at the first event that a client's plugin brings: nothing is written into the working tree, and what
is kept lies in the user's data folder."""

from __future__ import annotations

import os

from limpet.ground.errors import LimpetError
from limpet.ground.repository import find_layout
from limpet.ground.trust.giving import give_trust
from limpet.ground.workspace import workspace_at
from limpet.operations.trust_record import is_new, keep_rules

BEGUN = "Limpet: what you correct or have it remember here is kept from now on. To delete it: limpet uninstall --purge"


def begin_project(folder: str, now: float) -> bool:
    """Return whether it did: in a repository that is not the user's home, brought no ``.limpet`` along, and of which
    nothing is kept that the user may have taken the trust from."""
    layout = find_layout(folder)
    if layout is None or os.path.realpath(layout.top) == os.path.realpath(os.path.expanduser("~")):
        return False
    workspace = workspace_at(layout.top)
    if os.path.lexists(workspace.home) or os.path.lexists(workspace.data) or not is_new(workspace):
        return False
    try:
        keep_rules(give_trust(workspace, {}, now))
    except LimpetError:
        return False
    return True
