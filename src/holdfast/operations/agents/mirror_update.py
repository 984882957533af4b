"""Brings the mirror up to date where nothing but the project's agent changed: making it anew takes longer than all the
rest of an activation."""

from __future__ import annotations

import os
import time

from holdfast import __version__
from holdfast.ground.config.defaults import CACHE_BYTES, STATE_BYTES
from holdfast.ground.config.mirror import mirror_path
from holdfast.ground.config.sources import SESSION
from holdfast.ground.formats.json_text import dumps, loads
from holdfast.ground.storage.files import STAMP_GRAIN_NS, is_reliable, read_text, stamp, write_atomic
from holdfast.ground.values import Value
from holdfast.roles.roster import ALIASES, resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from holdfast.ground.workspace import Workspace

AGENT, REVISION = "current_agent", "revision"


class Before(Value):
    """A mirror that was true, the session's text that it was made of, and whether it has no more of the agent than its
    name."""

    mirror: dict[str, Any]
    text: str
    is_simple: bool


def read_before(workspace: Workspace) -> Before | None:
    """Return the mirror and its session, to be read before the agent changes; None where the mirror is not true."""
    try:
        mirror: Any = loads(read_text(mirror_path(workspace), CACHE_BYTES) or "")
        sources, session, work = mirror["sources"], mirror["session"], mirror["work"]
        is_simple = not (work["unknown_agent"] or session.get("lock") or os.path.isdir(workspace.path("handoffs")))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    if mirror.get("product") != __version__ or not _is_true(sources):
        return None
    text = read_text(workspace.path(SESSION), STATE_BYTES)
    return None if text is None else Before(mirror, text, is_simple)


def update_mirror(workspace: Workspace, before: Before | None, agent: str) -> bool:
    """Write the mirror for the new agent; return False, with nothing written, where it has to be made anew."""
    path = workspace.path(SESSION)
    if before is None or not before.is_simple or agent in ALIASES or not resolve(agent):
        return False
    mark = _wait_for(path)
    text = read_text(path, STATE_BYTES)
    revision = _revision(text or "")
    others = {name: mark for name, mark in before.mirror["sources"].items() if name != path}
    if mark is None or revision is None or _rest(text or "") != _rest(before.text) or not _is_true(others):
        return False
    session = {**before.mirror["session"], AGENT: agent, REVISION: revision}
    sources = {**before.mirror["sources"], path: [*mark]}
    updated = {**before.mirror, "session": session, "sources": sources}
    try:
        write_atomic(mirror_path(workspace), dumps(updated), follow=False)
    except (OSError, ValueError):
        return False
    return True


def _is_true(sources: dict[str, Any]) -> bool:
    found = ((stamp(path), mark) for path, mark in sources.items())
    return all(mark is None if now is None else mark == [*now] for now, mark in found)


def _wait_for(path: str) -> tuple[int, int, int] | None:
    """Return the file's stamp once no later edit can leave it as it is; None for no file, and for one that goes on
    changing."""
    mark = stamp(path)
    if mark and not is_reliable(mark, time.time_ns()):
        age = min(STAMP_GRAIN_NS, max(0, time.time_ns() - mark[0]))
        time.sleep((STAMP_GRAIN_NS - age + 1_000_000) / 1e9)
    again = stamp(path)
    return mark if mark == again and is_reliable(mark, time.time_ns()) else None


def _rest(text: str) -> list[str]:
    """Return the lines that say anything else."""
    return [line for line in text.splitlines() if not line.startswith((f"{AGENT}:", f"{REVISION}:"))]


def _revision(text: str) -> int | None:
    found = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith(f"{REVISION}:")]
    return int(found[0]) if len(found) == 1 and found[0].isdecimal() else None
