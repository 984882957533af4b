"""The user's folders of a run: empty ones, so that no figure depends on whose machine it is and nothing is left."""

from __future__ import annotations

import os

from limpet.ground.config.settings import offered_settings
from limpet.ground.trust.giving import give_trust
from limpet.ground.workspace import Workspace, workspace_at


def become_nobody(folder: str) -> None:
    """Let configuration, state, caches and data of this process and of those it starts lie below ``folder``."""
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        os.environ[name] = os.path.join(folder, "nobody", name)
    for name in ("LIMPET_STATE", "LIMPET_CACHE", "LIMPET_DATA"):
        os.environ.pop(name, None)


def trusted_project(root: str, now: float) -> Workspace:
    """The project at ``root``, made where it is none, which its user trusts with its settings as they are."""
    os.makedirs(os.path.join(root, ".limpet"), exist_ok=True)
    workspace = workspace_at(root)
    workspace = give_trust(workspace, offered_settings(workspace), now)
    for folder in (workspace.shared, workspace.state):
        os.makedirs(folder, exist_ok=True)
    return workspace
