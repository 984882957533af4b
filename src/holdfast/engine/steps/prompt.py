"""A prompt: what is new for it goes into the block, star-commands act, and the conversation's counters move."""

from __future__ import annotations

from holdfast.context.pipeline import build_block
from holdfast.context.usage import Usage, measure
from holdfast.engine.block.choose import Chosen, choose, is_devmode, open_rules
from holdfast.engine.block.figures import gather_figures, model_of, read_transcript
from holdfast.engine.block.gather import make_request
from holdfast.engine.block.recall import remember_sent
from holdfast.engine.event_context import Outcome, Turn
from holdfast.engine.steps.capturing import is_real, what_to_capture
from holdfast.engine.steps.compaction import settle
from holdfast.engine.steps.recovery import spawn_if_due
from holdfast.ground.clock import iso
from holdfast.rules.matching import EVERYWHERE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.context.values import Request, Result, Typed
    from holdfast.rules.plan.plan import Plan
    from holdfast.work.session import Session


def answer(turn: Turn) -> Outcome:
    """The block for this prompt."""
    reading = read_transcript(turn)
    session = settle(turn, reading.boundary)
    turn = turn.replace(session={**session, "prompt_count": session["prompt_count"] + 1})
    usage = measure(gather_figures(turn, reading), turn.mirror.settings["context"])
    turn, _, request = prepare(turn, usage)
    result = build_block(request, turn.clock)
    _continue_elsewhere(turn, request)
    after = _after(turn, usage, request, result, model_of(turn, reading))
    session, recalled = remember_sent(spawn_if_due(turn.replace(session=after)), result)
    return Outcome(session=session, result=result, recalled=recalled)


def _continue_elsewhere(turn: Turn, request: Request) -> None:
    """On entering CRITICAL, and when task or handoff change there, the continuation file is written (decision 6)."""
    last = turn.session.get("continued")
    if is_real(turn) and _occasion(request) and last != _occasion(request):
        from holdfast.engine.worker import start_job

        start_job(turn.workspace, "continuation", what_to_capture(turn) | {"text": turn.event.prompt[:2000]})


def _occasion(request: Request) -> str:
    """What the continuation file is written for, "" where none is needed: CRITICAL, with this task and handoff."""
    if request.bracket != "CRITICAL":
        return ""
    return f"{request.task.title if request.task else ''} {request.handoff.source if request.handoff else ''}."


def prepare(turn: Turn, usage: Usage) -> tuple[Turn, Chosen, Request]:
    """The turn after its star-commands, the domains it needs and the request for its block; nothing is written."""
    plan = open_rules(turn)
    turn = _with_fresh_task(turn)
    turn, spoken = _answer_user(turn)
    turn, typed = _act(turn, plan, usage)
    typed = (*spoken, *typed)
    chosen = choose(turn, plan)
    request = make_request(turn, chosen, usage, _with_rules(chosen, typed), starting=False)
    if is_devmode(turn, chosen):
        request = request.replace(debug=_debug(turn, chosen, request))
    return turn, chosen, request


def _with_fresh_task(turn: Turn) -> Turn:
    """The turn with what the story of its own task says now."""
    if not isinstance(turn.session.get("task"), dict):
        return turn
    from holdfast.engine.commands.task import with_fresh_task

    return with_fresh_task(turn)


def _answer_user(turn: Turn) -> tuple[Turn, tuple[Typed, ...]]:
    """Let the user take up the session or leave it; without a slash or a lock nothing is imported."""
    if turn.event.prompt.lstrip()[:1] != "/" and not turn.mirror.work.get("lock"):
        return turn, ()
    from holdfast.engine.commands.session import answer_user

    return answer_user(turn)


def _act(turn: Turn, plan: Plan, usage: Usage) -> tuple[Turn, tuple[Typed, ...]]:
    """Let typed commands act on the state; without a star nothing is imported."""
    if "*" not in turn.event.prompt:
        return turn, ()
    from holdfast.engine.commands.star import act

    return act(turn, plan, usage)


def _with_rules(chosen: Chosen, typed: tuple[Typed, ...]) -> tuple[Typed, ...]:
    """The commands that are a working mode get their rules."""
    rules = {name: texts for record in chosen.of_kind("commands") for name, texts in record["commands"].items()}
    return tuple(
        one if one.lines else one.replace(lines=tuple(rules[one.name]))
        for one in typed
        if one.lines or one.name in rules
    )


def _debug(turn: Turn, chosen: Chosen, request: Request) -> tuple[str, ...]:
    last = turn.session.get("last") or {}
    names = chosen.plan.matcher["names"]
    matched = ", ".join(rules.name for rules in request.domains) or "none"
    excluded = ", ".join(names[number] for number in chosen.excluded if number >= 0) or "none"
    everywhere = " (GLOBAL_EXCLUDE: all keywords)" if EVERYWHERE in chosen.excluded else ""
    return (
        f"bracket {request.bracket}, {request.remaining}% left by {request.source}; prompt {request.prompt_number}",
        f"domains: {len(names)} known, {sum(chosen.active)} active, matched {matched}",
        f"excluded: {excluded}{everywhere}",
        f"last block: {last.get('tokens', 0)} tokens, layers in ms {last.get('layers', {})}",
    )


def _after(turn: Turn, usage: Usage, request: Request, result: Result, model: str) -> Session:
    session = turn.session
    critical = session["critical_streak"] + 1 if request.bracket == "CRITICAL" else 0
    history = session["history"]
    commands = [one.name for one in request.typed]
    return {
        **{name: value for name, value in session.items() if name not in ("reload", "ended")},
        "last_activity": iso(turn.clock.now()),
        "transcript": turn.event.transcript,
        "usage": {
            "used": usage.used,
            "window": usage.window,
            "remaining": usage.remaining,
            "source": usage.source,
        },
        "model": model,
        "bracket": request.bracket,
        "critical_streak": critical,
        "continued": _occasion(request),
        "stretch": result.stretch,
        "last": {"tokens": result.tokens, "layers": result.timings},
        "history": {
            **history,
            "star_commands": list(dict.fromkeys([*history.get("star_commands", []), *commands])),
            "domains_last": [rules.name for rules in request.domains],
        },
    }
