"""Checks a handoff before it is written: what is missing or untrue, in the order in which people fix it."""

from __future__ import annotations

import os
from collections.abc import Iterator

from limpet.ground.values import Value
from limpet.work.handoffs.handoff import Handoff
from limpet.work.handoffs.text import SECTIONS
from limpet.work.outputs import is_gone, lies_inside, path_of
from limpet.work.reason import Reason

REQUIRED = ("from_agent", "from_phase", "to", "timestamp", "status")


class Bounds(Value):
    """The limits that a handoff is checked against.

    ``threshold``: the percent that score and met criteria of a complete one must reach (article II).
    ``first_lines``, ``second_lines``: the most lines of each layer, without frontmatter and blank edges (article VIII).
    """

    threshold: float
    first_lines: int
    second_lines: int


def check_handoff(handoff: Handoff, root: str, bounds: Bounds, where: str = "") -> tuple[Reason, ...]:
    """Return every reason against the handoff; the grave ones refuse it. ``root`` is the project's folder, from
    which outputs are named, ``where`` the file in the reasons."""
    found = (*_missing(handoff), *_outputs(handoff, root), *_score(handoff, bounds.threshold))
    problems = (Reason(what=problem, hint="correct it") for problem in handoff.problems)
    return (*problems, *(reason.replace(where=where) for reason in (*found, *_lengths(handoff, bounds))))


def is_refused(reasons: tuple[Reason, ...]) -> bool:
    """Return whether one of the reasons is grave."""
    return any(reason.grave for reason in reasons)


def _missing(handoff: Handoff) -> Iterator[Reason]:
    problems = " ".join(handoff.problems)
    for key in REQUIRED:
        if not getattr(handoff, key) and f" {key} " not in problems:
            yield Reason(what=f"{key} is missing", hint=f"add {key}: to the frontmatter")
    if not handoff.summary:
        yield Reason(
            what="the summary is empty", hint=f"write under ## {SECTIONS['summary'][0]} what the next agent must know"
        )


def _outputs(handoff: Handoff, root: str) -> Iterator[Reason]:
    for output in handoff.outputs:
        path = path_of(output)
        if path and not lies_inside(root, path):
            yield Reason(what=f"output {path} is outside the project", hint="name it from the project's root")
        elif path and not is_gone(output) and not os.path.exists(os.path.join(root, path)):
            yield Reason(what=f"output {path} does not exist", hint="create it, or remove it from the list")


def _score(handoff: Handoff, threshold: float) -> Iterator[Reason]:
    complete = handoff.status == "complete"
    if handoff.score is not None and not handoff.verified:
        what = f"score {handoff.score:g} is claimed: no check run by Limpet confirms it"
        yield Reason(what=what, hint="`limpet work finish -` counts it and runs the checks", grave=False)
    if complete and handoff.score is not None and handoff.score < threshold:
        yield Reason(what=f"score {handoff.score:g} is below {threshold:g}", hint="continue, or hand over as partial")
    criteria = len(handoff.met) + len(handoff.unmet)
    if complete and criteria and 100 * len(handoff.met) < threshold * criteria:
        what = f"status is complete, but {len(handoff.unmet)} of {criteria} criteria are unmet"
        yield Reason(what=what, hint="continue, or hand over as partial")


def _lengths(handoff: Handoff, bounds: Bounds) -> Iterator[Reason]:
    first = ("first", handoff.first_layer, bounds.first_lines)
    layers = (first, ("second", handoff.second_layer, bounds.second_lines))
    for name, lines, most in layers:
        if len(lines) > most:
            hint = "move details below # Layer 2" if name == "first" else "name files instead of quoting them"
            yield Reason(what=f"the {name} layer has {len(lines)} lines, the limit is {most}", hint=hint)
