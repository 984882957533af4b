"""Changes the agent that ``session.yaml`` names in a line of its own. Separate from ``project``, because importing what
reads YAML takes longer than all the rest of an activation."""

from __future__ import annotations

import os
import time

from holdfast.ground.config.defaults import STATE_BYTES
from holdfast.ground.config.sources import SESSION
from holdfast.ground.errors import HoldfastError
from holdfast.ground.storage.files import OWNER_ONLY, STAMP_GRAIN_NS, Lock, read_text, write_atomic
from holdfast.roles.roster import AGENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.ground.workspace import Workspace

# Seconds for which another writer is waited for; who finds it still there goes the long way.
PATIENCE = 1.0
_AGENT, _REVISION = "current_agent: ", "revision: "


def change_agent(workspace: Workspace, text: str, agent: str) -> bool:
    """Write the agent, a packaged one, in place of the one that ``text`` names, and the next revision.

    Returns False, with nothing written, where the file is not ``text`` any more or has no such lines. Raise
    HoldfastError where it cannot be written.
    """
    edited = edit_agent(text, agent)
    path = workspace.path(SESSION)
    if not edited:
        return False
    with Lock(workspace.path("cache", "locks", f"{SESSION}.lock"), PATIENCE) as held:
        if not held or os.path.islink(path) or read_text(path, STATE_BYTES) != text:
            return False
        try:
            write_atomic(path, edited, OWNER_ONLY, settle=_keep)
        except OSError as error:
            raise HoldfastError(f"Cannot write the file ({error.strerror})", path) from None
    return True


def edit_agent(text: str, agent: str) -> str:
    """Return the session's text with another packaged agent, "" where agent and revision do not stand in one line each,
    as commands write them."""
    lines = text.split("\n")
    places = [place for place, line in enumerate(lines) if line.startswith((_AGENT.rstrip(), _REVISION.rstrip()))]
    told = {lines[place].partition(" ")[0]: place for place in places}
    if len(places) != 2 or len(told) != 2 or agent not in AGENTS:
        return ""
    old, revision = (lines[told[key.rstrip()]].removeprefix(key) for key in (_AGENT, _REVISION))
    if old not in AGENTS or not (revision.isascii() and revision.isdecimal()):
        return ""
    lines[told[_AGENT.rstrip()]] = f"{_AGENT}{agent}"
    lines[told[_REVISION.rstrip()]] = f"{_REVISION}{int(revision) + 1}"
    return "\n".join(lines)


def _keep(handle: int) -> None:
    """See the file onto the disk, and date it back so far that a later edit must change its stamp: what is made of it
    is true at once."""
    os.fsync(handle)
    if os.utime in os.supports_fd:
        old = time.time_ns() - 2 * STAMP_GRAIN_NS
        os.utime(handle, ns=(old, old))
