"""A handoff as a value (chati.dev article VIII): a first layer that the next agent gets, a second that it may read."""

from __future__ import annotations

from limpet.ground.values import Value

SCHEMA_VERSION = 1
COMPLETE = "complete"
STATUSES = (COMPLETE, "partial")


class Handoff(Value):
    """The handoff of one agent to the next.

    ``score``: in percent, None where none was given.
    ``verified``: whether checks that Limpet ran back the score.
    ``run``: the id of the run of a workflow in which it was written, "" outside of one.
    ``outputs``: paths, as written.
    ``decisions``: (what, how), the first "" where the item names none.
    ``met``, ``unmet``: criteria.
    ``first_layer``, ``second_layer``: their lines, without blank edges.
    ``problems``: lines, with ``file:line``, on what in the frontmatter does not count.
    """

    from_agent: str = ""
    from_task: str = ""
    from_phase: str = ""
    to: str = ""
    timestamp: str = ""
    status: str = ""
    score: float | None = None
    verified: bool = False
    run: str = ""
    summary: str = ""
    outputs: tuple[str, ...] = ()
    decisions: tuple[tuple[str, str], ...] = ()
    blockers: tuple[str, ...] = ()
    met: tuple[str, ...] = ()
    unmet: tuple[str, ...] = ()
    first_layer: tuple[str, ...] = ()
    second_layer: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


def score_text(handoff: Handoff) -> str:
    """``95`` for a verified one, ``95 (claimed)``, or "" without a score."""
    if handoff.score is None:
        return ""
    return f"{whole(handoff.score)}" + ("" if handoff.verified else " (claimed)")


def block_lines(handoff: Handoff) -> tuple[str, ...]:
    """Return the handoff's first layer for the next agent's context, the most important first, because lines are cut
    from the end: summary, blockers, unmet criteria, decisions, outputs."""
    lines = [" ".join(line.split()).removeprefix("- ") for line in handoff.summary.splitlines() if line.strip()]
    lines += [f"Blocker: {text}" for text in handoff.blockers]
    lines += [f"Unmet: {text}" for text in handoff.unmet]
    lines += [f"Decision: {what}: {how}" if what else f"Decision: {how}" for what, how in handoff.decisions]
    lines += [f"Output: {text}" for text in handoff.outputs]
    if handoff.second_layer:
        lines.append(f"More: limpet handoff show {handoff.from_agent} --layer 2")
    return tuple(lines)


def whole(score: float) -> int | float:
    """Return the score as an int where it is one."""
    return int(score) if float(score).is_integer() else score
