"""A conversation starts, resumes, or goes on after a compaction: the stable part goes out, once."""

from __future__ import annotations

from holdfast.context.brackets import bracket_of
from holdfast.context.pipeline import build_block
from holdfast.context.repetition import signature
from holdfast.context.usage import Usage, measure
from holdfast.engine.block.choose import choose, open_rules
from holdfast.engine.block.figures import gather_figures, read_transcript
from holdfast.engine.block.gather import make_request
from holdfast.engine.block.recall import remember_sent
from holdfast.engine.event_context import Outcome, Turn
from holdfast.engine.steps.compaction import confirm
from holdfast.engine.steps.freshness import freshen
from holdfast.engine.steps.tidying import tidy
from holdfast.ground.clock import iso
from holdfast.transcripts.registry import usage_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.context.values import Request
    from holdfast.transcripts.reading import Reading
    from holdfast.work.session import Session

CONTINUES = ("resume", "fork")


def answer(turn: Turn) -> Outcome:
    """The stable part after a start, a clear or a compaction; on resume only what changed since."""
    if turn.event.source == "startup":
        tidy(turn.workspace, turn.mirror.settings["retention"]["days"], turn.clock.now())
    turn = _told_of_losses(freshen(turn)).replace(session=_session_after(turn))
    reading = read_transcript(turn)
    usage = _usage(turn, reading)
    request = make_request(turn, choose(turn, open_rules(turn)), usage, (), starting=True)
    if turn.fresh and turn.event.source in CONTINUES and _is_in_transcript(turn, request):
        request = request.replace(stretch={**request.stretch, "stable": signature(request), "bracket": request.bracket})
    result = build_block(request, turn.clock)
    session = {
        **{name: value for name, value in turn.session.items() if name not in ("ended", "uncaptured", "continuation")},
        "stretch": result.stretch or request.stretch,
        "model": turn.event.model or turn.session.get("model"),
        "last_activity": iso(turn.clock.now()),
        "transcript": turn.event.transcript,
        "usage": dict(usage.__dict__),
        "bracket": bracket_of(usage.remaining, request.settings),
    }
    session, recalled = remember_sent(session, result)
    return Outcome(session=session, result=result, recalled=recalled)


def _told_of_losses(turn: Turn) -> Turn:
    """The turn with a note, if what was said before the compaction could not be kept."""
    note = turn.session.get("uncaptured") if turn.event.source == "compact" else ""
    return turn.replace(notes=(*turn.notes, note)) if isinstance(note, str) and note else turn


def _session_after(turn: Turn) -> Session:
    if turn.event.source == "compact":
        return confirm(turn)
    if turn.event.source in CONTINUES:
        return turn.session
    return {
        **turn.session,
        "stretch": {"began": turn.session["prompt_count"]},
        "void_before": 0,
        "marker": None,
    }


def _usage(turn: Turn, reading: Reading) -> Usage:
    """Nothing is used yet, unless an older conversation goes on."""
    settings = turn.mirror.settings["context"]
    figures = gather_figures(turn, reading)
    if turn.event.source in CONTINUES:
        return measure(figures, settings)
    blank = figures.replace(status_used=None, payload_used=None, transcript_used=None, begun=True)
    return measure(blank, settings)


def _is_in_transcript(turn: Turn, request: Request) -> bool:
    """A forked conversation has a new id and its parent's words: the stable part may be among them."""
    event, usage = turn.event, usage_of(turn.event.host)
    if usage is None:
        return False
    path = event.transcript
    if event.source == "fork" and event.context_tokens:
        path = usage.find_parent(path, event.context_tokens)
    return usage.holds(path, signature(request).encode())
