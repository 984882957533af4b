"""A context epoch begins: with a start, a clear, or a compaction that was confirmed (decision 8).

An epoch is what the model's window holds without a break. What was sent in it stays in it, and is not sent again.
"""

from __future__ import annotations

from limpet.engine.block.recovery import last_score
from limpet.ground.clock import iso
from limpet.transcripts.tail import size_of
from limpet.work.session import EPOCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.engine.event_context import EventContext

# What begins a conversation, or a part of it; and one that goes on: it holds what it was sent before.
BEGINNINGS = ("startup", "resume", "clear")
CONTINUES = ("resume", "fork")


def begin(context: EventContext) -> EventContext:
    """Return the context as the conversation goes on from here; after a compaction with a note of what was lost."""
    source = context.event.source
    if source == "compact":
        lost = context.session.get("uncaptured")
        notes = (lost,) if isinstance(lost, str) and lost else ()
        return confirm_compaction(context.replace(notes=(*context.notes, *notes), told=_told(context)))
    if source in CONTINUES:
        return context
    return context.with_session(**{EPOCH: {"began": context.session["prompt_count"]}}, void_before=0, marker=None)


def _told(context: EventContext) -> tuple[str, ...]:
    """Return what the person is told after a compaction: what was kept before it."""
    kept = context.session.get("kept")
    if not kept:
        return ()
    from limpet.engine.messages import describe_kept

    return describe_kept(kept)


def mark_compaction(context: EventContext) -> EventContext:
    """Set the marker of a compaction that is about to be made; only a confirmed one counts."""
    return context.with_session(
        marker={
            "at": iso(context.clock.now()),
            "trigger": context.event.source,
            "size": size_of(context.event.transcript),
            "confirmed": False,
            "unseen": _is_told(context.session["marker"]),
        },
        score_before_compaction=last_score(context),
    )


def confirm_compaction(context: EventContext) -> EventContext:
    """Confirm the compaction, unless another event did so already: hosts differ in which comes first, its end or the
    session start that follows it."""
    marker = context.session["marker"]
    return context if isinstance(marker, dict) and marker.get("confirmed") else _confirm(context)


def settle(context: EventContext, boundary: int | None) -> EventContext:
    """Return the context at the next prompt: a boundary in the transcript that no event told of is a compaction too.

    Where an event told of it, its boundary is seen here for the first time and set behind us, so that it counts
    once; a marker that no compaction followed is void.
    """
    marker = context.session["marker"]
    if boundary is None:
        return _void(context, marker) if marker else context
    return (context if _is_told(marker) else _confirm(context)).with_session(void_before=boundary + 1, marker=None)


def _confirm(context: EventContext) -> EventContext:
    """Begin a new epoch: every figure of usage so far is void."""
    session = context.session
    return context.with_session(
        compactions=session["compactions"] + 1,
        marker={"at": iso(context.clock.now()), "confirmed": True},
        void_before=size_of(context.event.transcript),
        **{EPOCH: {"began": session["prompt_count"]}},
    )


def _void(context: EventContext, marker: object) -> EventContext:
    """Return the context without a marker, and without what would be told of a compaction that was not made."""
    gone = () if _is_told(marker) else ("continuation",)
    kept = {name: value for name, value in context.session.items() if name not in gone}
    return context.replace(session={**kept, "marker": None})


def _is_told(marker: object) -> bool:
    """Return whether an event told of a compaction whose boundary is ``unseen`` yet, even if another one was begun
    since."""
    return isinstance(marker, dict) and bool(marker.get("confirmed") or marker.get("unseen"))
