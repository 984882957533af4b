"""The session lock: who works with the project stays within it until the user leaves (decision 37).

Pure: changes to the project's session, and the line of the block that says so.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from limpet.ground.clock import iso
from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.errors import LimpetError
from limpet.ground.formats.marked_block import has_block, put_block, take_block
from limpet.ground.storage.confinement import LEADS_OUT, leads_out
from limpet.ground.storage.durable import write_durably
from limpet.ground.storage.files import read_bytes
from limpet.work.in_force import find_in_force

LINE = "active until /limpet exit: stay in role, treat off topic as a deviation"
"""Short enough to be whole within the ceiling of the block's element, ``context.ceilings.lock``."""
FIRST = "CLAUDE.md"
FILES = (FIRST, ".claude/CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md", ".github/copilot-instructions.md")
"""From the project's root; a block is made in the first, and kept up to date in each that has one."""
ACTIVE = """\
## Session Lock - ACTIVE

The Limpet session of this project is ACTIVE. For EVERY message:

1. Follow the newest `<limpet-context>` block. If there is none, run `limpet context` and follow its output.
2. Route ALL messages through the current agent: `{agent}`.
3. NEVER respond outside the session or as a generic assistant.
4. An off-topic request is a deviation: note it with `limpet work deviate`, do NOT leave the session.
5. ONLY the user can end it: /limpet exit, /limpet stop, /limpet quit, or words that name Limpet, such as
   "exit limpet". If nothing confirms the exit, run `limpet exit`.
"""
INACTIVE = """\
## Session Lock

Status: INACTIVE

The Limpet session of this project is saved. If the user types /limpet or asks to resume and nothing confirms it,
run `limpet resume` and follow its output.
"""
# From the file's bytes, None for no file, and its path to the new ones.
Change = Callable[[bytes | None, str], bytes | None]
# Who receives messages while no agent is active.
WITHOUT_AGENT = "orchestrator"


def is_locked(session: Mapping[str, Any]) -> bool:
    lock = session.get("lock")
    return isinstance(lock, dict) and lock.get("active") is True


def take(session: dict[str, Any], by: str, now: float) -> dict[str, Any]:
    """Return the changes that lock the session; none where it is locked."""
    return {} if is_locked(session) else _turned(session, True, by, now)


def lift(session: dict[str, Any], by: str, now: float) -> dict[str, Any]:
    """Return the changes that unlock the session; none where it is not locked."""
    return _turned(session, False, by, now) if is_locked(session) else {}


def lock_line(session: Mapping[str, Any]) -> str:
    """Return the block's line for the agent while the session is locked, else ""."""
    return LINE if is_locked(session) else ""


def render_lock_block(session: Mapping[str, Any]) -> str:
    """Return the block's text for this state of the project's session."""
    agent = find_in_force(session).agent or WITHOUT_AGENT
    return ACTIVE.format(agent=agent) if is_locked(dict(session)) else INACTIVE


def update_blocks(root: str, session: Mapping[str, Any], wanted: bool) -> tuple[str, ...]:
    """Bring every block of the project at ``root`` up to date; return the files that changed.

    ``wanted``: whether to make a block where there is none. Raise LimpetError for the first file that cannot be read
    or written, after the others.
    """
    files = marked_files(root)
    if not files and wanted:
        files = (os.path.realpath(_first(root)),)
    body = render_lock_block(session)
    return _update_all(files, lambda before, path: put_block(before, body, path))


def remove_blocks(root: str) -> tuple[str, ...]:
    """Take every block of the project at ``root`` out, and a file that was made for one; return the files. Raise
    LimpetError as ``update_blocks`` does."""
    return _update_all(marked_files(root), take_block)


def marked_files(root: str) -> tuple[str, ...]:
    """Return the files of the project that hold a block of Limpet, links resolved."""
    return tuple(path for path in instruction_files(root) if has_block(read_bytes(path, STATE_BYTES)))


def instruction_files(root: str) -> tuple[str, ...]:
    """Return the files of the project that may hold one, links resolved; one that leads out of it is no file of the
    project's."""
    places = (os.path.join(root, name) for name in FILES)
    return tuple(dict.fromkeys(os.path.realpath(place) for place in places if not leads_out(place, root)))


def _turned(session: dict[str, Any], active: bool, by: str, now: float) -> dict[str, Any]:
    lock = session.get("lock")
    kept = lock if isinstance(lock, dict) else {}
    return {"lock": {**kept, "active": active, "since": iso(now), "by": by}}


def _first(root: str) -> str:
    path = os.path.join(root, FIRST)
    if leads_out(path, root):
        raise LimpetError(LEADS_OUT, path, "Replace it with a file, or set work.lock.instruction_file to false.")
    return path


def _update_all(files: Iterable[str], change: Change) -> tuple[str, ...]:
    changed, problems = [], []
    for path in files:
        try:
            changed += [path] if _update(path, change) else []
        except LimpetError as error:
            problems.append(error)
    if problems:
        raise problems[0]
    return tuple(changed)


def _update(path: str, change: Change) -> bool:
    before = read_bytes(path, STATE_BYTES)
    if before is None and os.path.lexists(path):
        raise LimpetError("Cannot read the file", path, f"Make it a readable file of at most {STATE_BYTES // 1024} KB.")
    after = change(before, path)
    if after == before:
        return False
    try:
        if after is None:
            os.unlink(path)
        else:
            write_durably(path, after, mode=0o644)
    except OSError as error:
        raise LimpetError(f"Cannot write the file ({error.strerror})", path) from None
    return True
