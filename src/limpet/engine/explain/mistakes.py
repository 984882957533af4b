"""Every mistake in a project's rules, also those that only the whole can tell: unknown agents, budgets too small,
keywords that fire on everything or on nothing."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from limpet.context.fitting import NO_ROOM
from limpet.context.pipeline import build_block
from limpet.engine.block.choose import choose
from limpet.engine.block.request import make_request
from limpet.engine.explain.draft import draft_event
from limpet.ground.clock import Clock, iso
from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.config.mirror import read_mirror
from limpet.ground.storage.files import read_text, stamp
from limpet.ground.workspace import Workspace
from limpet.operations.history import Line, read_metrics
from limpet.operations.rules.check import check_files
from limpet.rules.catalogue import read_catalogue
from limpet.rules.check.files import check_commands_agreed
from limpet.rules.check.finding import WARNING, Finding
from limpet.rules.check.usage import WINDOW, check_usage
from limpet.rules.layout import LIMPET

WIDEST_AND_TIGHTEST = ("FRESH", "CRITICAL")
EVENTS = 5000
"""So many lines of metrics are searched for prompts."""
ALWAYS_ONLY = "worker"
"""The executor for whom only what always holds is said."""


def find_mistakes(workspace: Workspace, clock: Clock) -> list[Finding]:
    """Return the findings in the order of file and line, those about keywords' use and about budgets last."""
    budgets = (_check_budget(workspace, bracket, clock) for bracket in WIDEST_AND_TIGHTEST)
    return [*check_files(workspace), *_check_commands(workspace), *_check_usage(workspace), *filter(None, budgets)]


def called_domains(workspace: Workspace) -> list[dict[str, tuple[str, ...]]]:
    """Of each of the last prompts since the manifest changed, the pieces that it called, sent anew or not, by name the
    keywords that called them; the doctor's trials aside."""
    mark = stamp(workspace.path("rules", LIMPET.manifest))
    since = iso(mark[0] / 1e9) if mark else ""
    lines = read_metrics(workspace, EVENTS)
    prompts = [
        line for line in lines if line.get("event") == "prompt" and "in" in line and line.get("time", "") > since
    ]
    return [_called(line) for line in prompts[-WINDOW:]]


def _called(line: Line) -> dict[str, tuple[str, ...]]:
    words = line.get("matched", {})
    names = [*line["in"], *(name for name, _ in line["out"])]
    return {name: tuple(words.get(name, ())) for name in names}


def _check_commands(workspace: Workspace) -> Iterator[Finding]:
    """Yield the checks of rules that run a command which nobody agreed to."""
    checks = read_mirror(workspace).settings["rules"]["checks"]
    for entry in read_catalogue(workspace):
        path = entry.file if "/" in entry.file else f"{LIMPET.folder}/{entry.file}"
        yield from check_commands_agreed(path, entry.text, (*checks, *checks.values()))


def _check_usage(workspace: Workspace) -> Iterator[Finding]:
    path = f"{LIMPET.folder}/{LIMPET.manifest}"
    text = read_text(workspace.path("rules", LIMPET.manifest), STATE_BYTES) or ""
    return check_usage(path, text, called_domains(workspace))


def _check_budget(workspace: Workspace, bracket: str, clock: Clock) -> Finding | None:
    """Return what of the rules that always hold does not fit although nothing else was asked for, tried with a real
    block."""
    context = draft_event(workspace, "", bracket=bracket, starting=True, clock=clock)
    seen = make_request(context, choose(context), starting=True)
    # What a block says of the moment takes room too, as memories do, and is not what always holds.
    rules = seen.rules.replace(squads=(), domains=(), workflow=())
    request = seen.replace(executor=ALWAYS_ONLY, notes=(), rules=rules, memory=None)
    choices = build_block(request, clock).choices
    cut = [one.piece.name for one in choices if one.why.startswith(("cut", NO_ROOM)) and not one.piece.ceiling]
    if not cut:
        return None
    budget = request.settings["budgets"][bracket]
    limits = {"budgets": {bracket: sys.maxsize}, "characters": sys.maxsize}
    needed = build_block(request.replace(settings={**request.settings, **limits}), clock).tokens
    what = f"always-on rules need {needed} tokens, {bracket} allows {budget}; cut: {', '.join(cut)}"
    return Finding(WARNING, LIMPET.folder, 0, what, "move rules to keyword domains, or shorten them")
