"""Whether the conversation should go on in a fresh one: advice in the block, and a spawn where the user allowed it
(decision 8)."""

from __future__ import annotations

import os

from holdfast.engine.steps.capturing import is_real
from holdfast.ground.clock import iso
from holdfast.work.recovery.criteria import advise, is_spawned, read_figures, should_spawn, tell_spawned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.engine.event_context import Turn
    from holdfast.work.session import Session

ON = "on"
STARTING = "a fresh conversation is being started to go on from here ({}): start no other"


def last_score(turn: Turn) -> float | None:
    """The active agent's last gate score in percent."""
    agents = turn.mirror.session.get("agents")
    record = agents.get(turn.in_force.agent) if isinstance(agents, dict) else None
    score = record.get("score") if isinstance(record, dict) else None
    return score if isinstance(score, (int, float)) and not isinstance(score, bool) else None


def advice(turn: Turn) -> tuple[str, ...]:
    """The note for the block, none where nothing speaks for a fresh conversation, or this one may start none."""
    if is_spawned(os.environ):
        return ()
    spawned = turn.session.get("spawned")
    if isinstance(spawned, dict):
        return (tell_spawned(spawned),)
    reasons = _reasons(turn)
    if not reasons:
        return ()
    return (STARTING.format("; ".join(reasons)) if _may_spawn(turn) else advise(reasons),)


def spawn_if_due(turn: Turn) -> Session:
    """The state, with a mark once a fresh conversation was started: only where ``recovery.spawn`` is on, at most once,
    and never by one that was spawned itself."""
    session = turn.session
    begun = session.get("spawn_begun") or session.get("spawned")
    reasons = _reasons(turn) if _may_spawn(turn) and not begun else ()
    if not reasons:
        return session
    from holdfast.engine.worker import start_module

    start_module(turn.workspace, "holdfast.hosts.spawn", turn.workspace.home, turn.event.session, *reasons)
    return {**session, "spawn_begun": iso(turn.clock.now())}


def _may_spawn(turn: Turn) -> bool:
    return turn.mirror.settings["recovery"]["spawn"] == ON and is_real(turn) and not is_spawned(os.environ)


def _reasons(turn: Turn) -> tuple[str, ...]:
    limits = {name: value for name, value in turn.mirror.settings["recovery"].items() if name != "spawn"}
    pending = turn.mirror.work.get("handoff_pending") is True
    return should_spawn(read_figures(turn.session, last_score(turn), pending), **limits)
