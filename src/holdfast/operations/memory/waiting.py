"""What was captured since a person's last look at it. Separate from ``review``, so that a hook may ask how many wait:
it opens the index as it is, and no entry's file."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from contextlib import closing

from holdfast.ground.storage.files import read_text, write_atomic
from holdfast.ground.storage.user_folders import project_state
from holdfast.ground.workspace import Workspace
from holdfast.memory.index.reading import captured, open_index
from holdfast.memory.model.card import Query

# The ids that were looked at, one a line, in the project's state of this user.
LOOKED_AT = "looked-at"


def waiting(workspace: Workspace) -> int:
    """Return how many captured memories nobody looked at yet."""
    return len(waiting_ids(workspace))


def waiting_ids(workspace: Workspace) -> list[str]:
    """Return their ids, newest first."""
    seen = _looked_at(workspace)
    return [name for name in _captured(workspace) if name not in seen]


def look_at(workspace: Workspace, ids: Iterable[str]) -> None:
    """Note that these were looked at; what is captured no more is forgotten. Raise OSError."""
    seen = {*_looked_at(workspace), *ids}
    kept = [name for name in _captured(workspace) if name in seen]
    write_atomic(_path(workspace), "".join(f"{name}\n" for name in kept), follow=False)


def _captured(workspace: Workspace) -> list[str]:
    index = open_index(workspace.shared)
    if index is None:
        return []
    with closing(index):
        return captured(index, Query(owners=None, digests=False, now=time.time()))


def _looked_at(workspace: Workspace) -> frozenset[str]:
    return frozenset((read_text(_path(workspace)) or "").split())


def _path(workspace: Workspace) -> str:
    return os.path.join(project_state(workspace.shared), LOOKED_AT)
