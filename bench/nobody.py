"""The user's folders of a run: empty ones, so that no figure depends on whose machine it is and nothing is left."""

from __future__ import annotations

import os


def become_nobody(folder: str) -> None:
    """Let configuration, state, data and caches of this process and of those it starts lie below ``folder``."""
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        os.environ[name] = os.path.join(folder, "nobody", name)
    for name in ("LIMPET_STATE", "LIMPET_DATA", "LIMPET_CACHE"):
        os.environ.pop(name, None)
