"""Going on in a fresh conversation: continuations, and when one is due."""

from __future__ import annotations

from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

# In the environment of a conversation that was spawned: the id of the one that it goes on from.
SPAWNED = "LIMPET_SPAWNED"


class RecoveryFigures(Value):
    """``score_before``, ``score``: the last gate's, in percent, before the newest compaction and since.
    ``critical_streak``: consecutive prompts in the bracket CRITICAL."""

    compactions: int = 0
    score_before: float | None = None
    score: float | None = None
    critical_streak: int = 0
    handoff_pending: bool = False


def read_figures(
    session: Mapping[str, Any], score: float | None = None, handoff_pending: bool = False
) -> RecoveryFigures:
    """``score`` is the newest of a gate since the conversation's compaction."""
    before = session.get("score_before_compaction")
    return RecoveryFigures(
        compactions=_count(session.get("compactions")),
        score_before=before if isinstance(before, (int, float)) and not isinstance(before, bool) else None,
        score=score,
        critical_streak=_count(session.get("critical_streak")),
        handoff_pending=handoff_pending,
    )


def should_spawn(
    figures: RecoveryFigures, compactions: int = 3, score_drop: float = 15.0, critical_streak: int = 3
) -> tuple[str, ...]:
    """Return the reasons for a fresh conversation, in the order of the specification's table. ``compactions``,
    ``critical_streak``: so many compactions, or consecutive prompts in CRITICAL, are a reason. ``score_drop``: a drop
    of the score by more than this percent of its earlier value is one. A threshold of 0 switches its criterion off."""
    reasons = []
    if 0 < compactions <= figures.compactions:
        reasons.append(f"{figures.compactions} compactions in this conversation")
    before, after = figures.score_before, figures.score
    if score_drop > 0 and before is not None and after is not None and before > 0:
        # Rounded, so that a drop of exactly the threshold is none of more.
        drop, most = round((before - after) * 100, 6), round(score_drop * before, 6)
        if drop > most:
            reasons.append(f"the score fell from {before:g}% to {after:g}% over the compaction")
    if 0 < critical_streak <= figures.critical_streak:
        reasons.append(f"{critical_streak} prompts in a row in CRITICAL")
    if figures.handoff_pending:
        reasons.append("a handoff is pending")
    return tuple(reasons)


def advise(reasons: Sequence[str]) -> str:
    """Return the line for the block, "" without a reason. An agent may start no conversation, so the user is told."""
    how = "tell the user to open a new conversation with `limpet resume`, which also locks the work"
    return f"{how}: {'; '.join(reasons)}" if reasons else ""


def tell_spawned(spawned: Mapping[str, Any]) -> str:
    """Return the block's line for a conversation from which another one was ``spawned``, as its state says."""
    problem = spawned.get("problem")
    if problem:
        return f"a new conversation would work better, but could not be started ({problem}): tell the user"
    join = spawned.get("join") or spawned.get("session")
    return f"a new conversation continues this work, do not start another: `{join}`"


def is_spawned(environment: Mapping[str, str]) -> bool:
    """This process belongs to a spawned conversation: such a one spawns no other."""
    return bool(environment.get(SPAWNED))


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
