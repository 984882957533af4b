"""The record of a gate that refused, a story's or a step's, for what learns from it: nothing else keeps its reasons."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.ground.event_log.record import record
from holdfast.operations.project import Project
from holdfast.operations.work.gate.checks import Checked, why_failed

REFUSED = "work.refused"


def record_refusal(project: Project, gate: str, reasons: Sequence[str]) -> None:
    """Record that the gate, named by its story or its agent, refused for these reasons; nothing without any."""
    if reasons:
        actor = project.actor.replace(agent=project.in_force.agent)
        record(project.workspace, actor, REFUSED, {"gate": gate, "reasons": list(reasons)})


def failures(checks: Sequence[Checked]) -> list[str]:
    """Return a line for each check that failed, with its command and the error where its output tells one."""
    return [
        f"check {one.name} (`{one.command}`) {why_failed(one)}{f': {one.error}' if one.error else ''}"
        for one in checks
        if one.exit_code
    ]
