"""Every mistake in a project's rules, also those that only the whole can tell: unknown agents, budgets too small,
keywords that fire on everything or on nothing; and the made-up event with which that is tried."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator

from limpet.context.fitting import NO_ROOM
from limpet.context.pipeline import build_block
from limpet.context.usage import NAMES, WindowUsage, measure
from limpet.engine.block.choose import choose, open_called_rules
from limpet.engine.block.request import make_request
from limpet.engine.commands.agent import find_named
from limpet.engine.event_context import PREVIEW, EventContext
from limpet.engine.steps.window import gather_figures, read_transcript
from limpet.ground.clock import Clock, iso
from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.config.mirror import Mirror, read_mirror
from limpet.ground.errors import LimpetError
from limpet.ground.event import Event
from limpet.ground.storage.files import read_text, stamp
from limpet.ground.workspace import Workspace
from limpet.operations.conversations import read_conversation, read_metrics
from limpet.operations.rules.transaction import check_files
from limpet.rules.check.domain import WARNING, Finding, check_commands_agreed
from limpet.rules.check.project import WINDOW, check_usage
from limpet.rules.layout import LIMPET
from limpet.rules.naming import read_catalogue
from limpet.rules.plan.store import open_all, plan_state
from limpet.work.conversation import read_private
from limpet.work.session import new_session

WIDEST_AND_TIGHTEST = ("FRESH", "CRITICAL")
# Lines of metrics that are searched for prompts, and for what hooks did.
EVENTS, NEWEST_EVENTS = 5000, 50
# The executor for whom only what always holds is said.
ALWAYS_ONLY = "worker"
# Sources of a figure that is a guess; what an earlier event measured is better.
GUESSES = ("start", "estimate")


def find_mistakes(workspace: Workspace, clock: Clock) -> list[Finding]:
    """In the order of file and line, those about keywords' use and about budgets last."""
    text = read_text(workspace.path("rules", LIMPET.manifest), STATE_BYTES) or ""
    usage = check_usage(f"{LIMPET.folder}/{LIMPET.manifest}", text, called_in_history(workspace))
    budgets = (_check_budget(workspace, bracket, clock) for bracket in WIDEST_AND_TIGHTEST)
    return [*check_files(workspace), *_check_commands(workspace), *usage, *filter(None, budgets)]


def called_in_history(workspace: Workspace) -> list[dict[str, tuple[str, ...]]]:
    """Per prompt since the manifest changed: piece -> the keywords that called it; the doctor's trials aside."""
    mark = stamp(workspace.path("rules", LIMPET.manifest))
    since = iso(mark[0] / 1e9) if mark else ""
    called = []
    for line in read_metrics(workspace, EVENTS):
        if line.get("event") == "prompt" and "in" in line and line.get("time", "") > since:
            words = line.get("matched", {})
            names = [*line["in"], *(name for name, _ in line["out"])]
            called.append({name: tuple(words.get(name, ())) for name in names})
    return called[-WINDOW:]


def diagnose(workspace: Workspace, mirror: Mirror, clock: Clock, most: int) -> tuple[str, ...]:
    findings = find_mistakes(workspace, clock)
    size, current = plan_state(workspace, str(mirror.settings["rules"]["match"]))
    plan = "current" if current else "recompiled for this prompt"
    counts = Counter(f"{finding.severity}s" for finding in findings)
    listed = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())) or "none"
    rest = ["all: limpet rules check"] if len(findings) > most else []
    return (
        f"mistakes in the rules: {listed}",
        *(str(finding) for finding in findings[:most]),
        *rest,
        f"configuration: {len(mirror.problems)} values are not used (limpet doctor)",
        f"recent hooks: {_hooks(workspace)} (test them: limpet doctor)",
        f"mirror: {mirror.note or 'current'}; plan: {size} bytes, {plan}",
    )


def draft_event(
    workspace: Workspace,
    prompt: str,
    *,
    bracket: str = "",
    agent: str = "",
    session: str = "",
    starting: bool = False,
    clock: Clock,
) -> EventContext:
    """Return the context of a prompt, or of a session's start, in a new conversation or as the next of ``session``.
    ``bracket`` puts the window's remainder into the middle of it; ``agent`` is an id or alias. Raises LimpetError for
    an unknown agent or session."""
    state = read_conversation(workspace, session) if session else new_session("", PREVIEW, workspace.root, clock.now())
    kind, prompt = ("session_start", "") if starting else ("prompt", prompt)
    private = read_private(str(state["id"])) if session else None
    context = EventContext(
        event=Event(kind=kind, host=PREVIEW, session=str(state["id"]), cwd=workspace.root, prompt=prompt),
        workspace=workspace,
        clock=clock,
        mirror=read_mirror(workspace),
        session={**state, "prompt_count": state["prompt_count"] + (not starting)},
        fresh=not session,
        notes=("Limpet is paused for this conversation: none of this is sent",) if private and private.paused else (),
    )
    if agent:
        found = find_named(context.replace(plan=open_called_rules(context)), agent)
        if not found:
            raise LimpetError(f"Unknown agent: {agent}", "", "Run: limpet work agent show")
        context = context.with_session(active_agent=found)
    return context.replace(usage=_usage(context, bracket), plan=open_called_rules(context))


def _check_commands(workspace: Workspace) -> Iterator[Finding]:
    settings = read_mirror(workspace).settings["rules"]
    checks, matcher = settings["checks"], open_all(workspace, str(settings["match"])).matcher
    checked = {matcher["names"][number] for number in matcher["checked"]}
    for entry in read_catalogue(workspace, lambda domain: domain.name in checked):
        path = entry.file if "/" in entry.file else f"{LIMPET.folder}/{entry.file}"
        yield from check_commands_agreed(path, entry.text, (*checks, *checks.values()))


def _check_budget(workspace: Workspace, bracket: str, clock: Clock) -> Finding | None:
    """What of the rules that always hold does not fit although nothing else was asked for, tried with a real block."""
    context = draft_event(workspace, "", bracket=bracket, starting=True, clock=clock)
    seen = make_request(context, choose(context), starting=True)
    # What a block says of the moment takes room too, as memories do, and is not what always holds.
    rules = seen.rules.replace(squads=(), domains=(), workflow=())
    request = seen.replace(executor=ALWAYS_ONLY, notes=(), rules=rules, memory=None, wishes=None, contents=())
    choices = build_block(request, clock).choices
    cut = [one.piece.name for one in choices if one.why.startswith(("cut", NO_ROOM)) and not one.piece.ceiling]
    if not cut:
        return None
    budget = request.settings["budgets"][bracket]
    limits = {"budgets": {bracket: sys.maxsize}, "characters": sys.maxsize}
    needed = build_block(request.replace(settings={**request.settings, **limits}), clock).tokens
    what = f"always-on rules need {needed} tokens, {bracket} allows {budget}; cut: {', '.join(cut)}"
    return Finding(WARNING, LIMPET.folder, 0, what, "move rules to keyword domains, or shorten them")


def _hooks(workspace: Workspace) -> str:
    lines = read_metrics(workspace, NEWEST_EVENTS)
    events = Counter(str(line["event"]) for line in lines if "event" in line)
    if not events:
        return "none seen before this one"
    seen = ", ".join(f"{event} {count}x" for event, count in events.most_common())
    failed = sum("crash" in line for line in lines)
    return f"{seen}; {failed} failed (limpet log --hook)" if failed else seen


def _usage(context: EventContext, bracket: str) -> WindowUsage:
    """The forced bracket's middle; else what is measured now; where that is a guess, what the last event measured."""
    settings = context.mirror.settings["context"]
    measured = measure(gather_figures(context, read_transcript(context)), settings)
    last = context.session["usage"]
    if bracket:
        bounds = [100.0, *(settings["brackets"][name] for name in NAMES[:3]), 0.0]
        place = NAMES.index(bracket)
        remaining = (bounds[place] + bounds[place + 1]) / 2
        used = round(measured.window * (100 - remaining) / 100)
        return WindowUsage(used=used, window=measured.window, remaining=remaining, source="assumed")
    known = WindowUsage(**last) if last else measured
    return known if measured.source in GUESSES and known.source not in GUESSES else measured
