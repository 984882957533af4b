"""The session lock: who works with the project stays within it until the user leaves (decision 37).

Pure: changes to the project's session, and the line of the block that says so.
"""

from __future__ import annotations

from limpet.ground.clock import iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LINE = "active until /limpet exit: stay in role, treat off topic as a deviation"
"""Short enough to be whole within the ceiling of the block's element, ``context.ceilings.lock``."""


def is_locked(session: dict[str, Any]) -> bool:
    """Return whether the project's session is locked."""
    lock = session.get("lock")
    return isinstance(lock, dict) and lock.get("active") is True


def take(session: dict[str, Any], by: str, now: float) -> dict[str, Any]:
    """Return the changes that lock the session; none where it is locked."""
    return {} if is_locked(session) else _turned(session, True, by, now)


def lift(session: dict[str, Any], by: str, now: float) -> dict[str, Any]:
    """Return the changes that unlock the session; none where it is not locked."""
    return _turned(session, False, by, now) if is_locked(session) else {}


def lock_line(session: dict[str, Any]) -> str:
    """Return the block's line for the agent while the session is locked, else ""."""
    return LINE if is_locked(session) else ""


def _turned(session: dict[str, Any], active: bool, by: str, now: float) -> dict[str, Any]:
    """Return the lock with this state, other keys in it kept."""
    lock = session.get("lock")
    kept = lock if isinstance(lock, dict) else {}
    return {"lock": {**kept, "active": active, "since": iso(now), "by": by}}
