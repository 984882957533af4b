"""Says in a few lines for a block what is wrong, and how the hook's own files are."""

from __future__ import annotations

from collections import Counter

from limpet.engine.explain.mistakes import find_mistakes
from limpet.ground.clock import Clock
from limpet.ground.config.mirror import Mirror
from limpet.ground.workspace import Workspace
from limpet.operations.history import read_metrics
from limpet.rules.plan.store import plan_state

EVENTS = 50


def diagnose(workspace: Workspace, mirror: Mirror, clock: Clock, most: int) -> tuple[str, ...]:
    """Counts of mistakes, the first ``most`` of them with their places, and how hooks, mirror and plan do."""
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
        f"configuration: {len(mirror.problems)} values are not used (limpet config check)",
        f"recent hooks: {_hooks(workspace)} (test them: limpet doctor)",
        f"mirror: {mirror.note or 'current'}; plan: {size} bytes, {plan}",
    )


def _hooks(workspace: Workspace) -> str:
    """Return how often which event came among the last ones, and how many of them failed."""
    lines = read_metrics(workspace, EVENTS)
    events = Counter(str(line["event"]) for line in lines if "event" in line)
    failed = sum("crash" in line for line in lines)
    return (
        ", ".join(f"{event} {count}x" for event, count in events.most_common())
        + (f"; {failed} failed (limpet debug)" if failed else "")
        if events
        else "none seen before this one"
    )
