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
    index = open_index(workspace.shared)
    if index is None:
        return []
    seen = frozenset((read_text(_path(workspace)) or "").split())
    with closing(index):
        found = captured(index, Query(owners=None, digests=False, now=time.time()))
    return [name for name in found if name not in seen]


def look_at(workspace: Workspace, ids: Iterable[str]) -> None:
    """Note that these were looked at. Raise OSError."""
    new = "".join(f"{name}\n" for name in ids)
    write_atomic(_path(workspace), (read_text(_path(workspace)) or "") + new, follow=False)


def _path(workspace: Workspace) -> str:
    return os.path.join(project_state(workspace.shared), LOOKED_AT)
