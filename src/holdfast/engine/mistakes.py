"""Every mistake in a project's rules, also those that only the whole can tell: unknown agents, budgets too small."""

from __future__ import annotations

import sys

from holdfast.context.fitting import NO_ROOM
from holdfast.context.pipeline import build_block
from holdfast.engine.preview import preview
from holdfast.ground.clock import Clock
from holdfast.ground.workspace import Workspace
from holdfast.roles.roster import resolve
from holdfast.rules.check import check_rules
from holdfast.rules.finding import WARNING, Finding
from holdfast.rules.layout import HOLDFAST
from holdfast.rules.store import read_files, shipped_constitution

WIDEST_AND_TIGHTEST = ("FRESH", "CRITICAL")
ALWAYS_ONLY = "worker"
"""The executor for whom only what always holds is said."""


def find_mistakes(workspace: Workspace, clock: Clock) -> list[Finding]:
    """The findings in the order of file and line, those about budgets last."""
    findings = check_rules(read_files(workspace), shipped_constitution(), lambda name: resolve(name) is not None)
    budgets = (_check_budget(workspace, bracket, clock) for bracket in WIDEST_AND_TIGHTEST)
    return [*findings, *filter(None, budgets)]


def _check_budget(workspace: Workspace, bracket: str, clock: Clock) -> Finding | None:
    """What of the rules that always hold does not fit although nothing else was asked for, tried with a real block."""
    request = preview(workspace, "", bracket=bracket, starting=True, clock=clock).request.replace(executor=ALWAYS_ONLY)
    choices = build_block(request, clock).choices
    cut = [one.piece.name for one in choices if one.why.startswith(("cut", NO_ROOM)) and not one.piece.ceiling]
    if not cut:
        return None
    budget = request.settings["budgets"][bracket]
    limits = {"budgets": {bracket: sys.maxsize}, "characters": sys.maxsize}
    needed = build_block(request.replace(settings={**request.settings, **limits}), clock).tokens
    what = f"what always holds needs {needed} tokens, {bracket} has {budget}; cut: {', '.join(cut)}"
    return Finding(WARNING, HOLDFAST.folder, 0, what, "give rules to keyword domains, or shorten them")
