"""Before and after the host compacts the conversation; only a confirmed compaction counts."""

from __future__ import annotations

from holdfast.engine.event_context import Outcome, Turn
from holdfast.engine.steps.capturing import keep_before_compaction
from holdfast.engine.steps.recovery import last_score
from holdfast.ground.clock import iso
from holdfast.transcripts.tail import size_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.work.session import Session


def answer(turn: Turn) -> Outcome:
    """Set the marker before; afterwards confirm, unless the session start that follows a compaction did so already."""
    if turn.event.kind == "pre_compact":
        marker = {
            "at": iso(turn.clock.now()),
            "trigger": turn.event.source,
            "size": size_of(turn.event.transcript),
            "confirmed": False,
            "unseen": _is_told(turn.session["marker"]),
        }
        kept = keep_before_compaction(turn)
        return Outcome(session={**turn.session, **kept, "marker": marker, "score_before_compaction": last_score(turn)})
    marker = turn.session["marker"]
    if isinstance(marker, dict) and marker.get("confirmed"):
        return Outcome(session=turn.session)
    return Outcome(session=confirm(turn))


def confirm(turn: Turn) -> Session:
    """The state after a compaction: a new stretch begins, and every figure of usage so far is void."""
    session = turn.session
    return {
        **session,
        "compactions": session["compactions"] + 1,
        "marker": {"at": iso(turn.clock.now()), "confirmed": True},
        "void_before": size_of(turn.event.transcript),
        "stretch": {"began": session["prompt_count"]},
    }


def settle(turn: Turn, boundary: int | None) -> Session:
    """The state at the next prompt: a boundary in the transcript that no event told of is a compaction too.

    Where an event told of it, its boundary is seen here for the first time and set behind us, so that it counts
    once; a marker that no compaction followed is void.
    """
    marker = turn.session["marker"]
    if boundary is None:
        return {**turn.session, "marker": None} if marker else turn.session
    session = turn.session if _is_told(marker) else confirm(turn)
    return {**session, "void_before": boundary + 1, "marker": None}


def _is_told(marker: object) -> bool:
    """Whether an event told of a compaction whose boundary is ``unseen`` yet, be it that another one was begun
    since."""
    return isinstance(marker, dict) and bool(marker.get("confirmed") or marker.get("unseen"))
