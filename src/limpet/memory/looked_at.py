"""Which memories a person decided on, or wants to be asked about no more. Apart, because the hook asks."""

from __future__ import annotations

import os

from limpet.ground.clock import iso
from limpet.ground.storage.files import read_text, stamp, write_atomic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from limpet.ground.workspace import Workspace

# The ids, one a line, in the project's state of this user.
LOOKED_AT = "looked-at"


def looked_at(workspace: Workspace) -> frozenset[str]:
    return frozenset((read_text(_path(workspace)) or "").split())


def look_at(workspace: Workspace, ids: Iterable[str]) -> None:
    """Raise OSError."""
    new = "".join(f"{name}\n" for name in ids)
    write_atomic(_path(workspace), (read_text(_path(workspace)) or "") + new, follow=False)


def last_look(workspace: Workspace) -> str:
    """In ISO 8601, "" where nobody looked."""
    found = stamp(_path(workspace))
    return iso(found[0] / 1e9) if found else ""


def _path(workspace: Workspace) -> str:
    return os.path.join(workspace.shared, LOOKED_AT)
