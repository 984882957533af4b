"""The gate of a step: what keeps it shut, the rounds of correction, and who decides when they are used up."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.text.escaping import clip
from limpet.ground.text.folding import fold
from limpet.ground.values import Value
from limpet.work.pipeline.state import (
    UNCHANGED,
    UNMENDED,
    WORD,
    Limits,
    Seals,
    Session,
    finish_of,
    gate_of,
    percent,
    record_of,
    require_step,
    unproven,
)
from limpet.work.pipeline.workflow import Criterion, Workflow, WorkflowStep

OVERRIDE = "limpet work approve --override --reason TEXT"
FINISH = "limpet work finish -"
NOT_FINISHED = "it is not finished"
# Modes whose steps pass on the configured checks only.
CHECKED = ("build", "deploy")
# The state of the steps that have to build something, and to finish the stories.
BUILD = "build"
# That of the steps that find out whether what was built is right.
VALIDATE = "validate"
SHOWN = 60
# A dot before a word, behind a blank, begins the name of a file: ".github/workflows/ci.yml".
_NUMBER = re.compile(
    r"(?:criterion\s+)?#?(\d{1,2})(?:\.|\s*(?:[):]|[-\u2013\u2014]|$)|\s+\.(?!\w)|\s+(?=\.\w))\s*(.*)", re.DOTALL
)
_DIVIDED = re.compile(r"(?:\.|\s*(?:[:(]|[-\u2013\u2014]+\s)|\s+\.(?!\w)|\s+(?=\.\w))\s*(.*)", re.DOTALL)
_DIVIDERS = re.compile(r"\.?(?:[ :()\u2013\u2014-]|\.(?!\w))*")

GATE_REFUSED = "work.refused"
"""The event of a gate that let nobody through."""


class Facts(Seals):
    """What a gate is judged by beside the session. ``open_stories``: those that the step has to finish first.
    ``output``: what is wrong with what the step was to make. ``is_built``: in this run a file of the project was
    changed or a story done. ``unasked``: checks that the project's settings name, and that nobody agreed to.
    ``unapproved``: (agent, path) of what earlier steps made, and a person is still to approve. ``unmended``: why the
    work came back, where nothing changed since."""

    open_stories: tuple[str, ...] = ()
    output: str = ""
    is_built: bool = True
    unasked: tuple[str, ...] = ()
    unapproved: tuple[tuple[str, str], ...] = ()
    unmended: str = ""


def threshold(session: Session, step: WorkflowStep, limits: Limits) -> float:
    own = record_of(session, step.agent).get("threshold")
    if own is None:
        own = limits.gate if step.gate is None else step.gate
    return float(own)


def needs_checks(step: WorkflowStep) -> bool:
    return step.evidence_required or step.mode in CHECKED


def missing(session: Session, step: WorkflowStep, limits: Limits, facts: Facts) -> list[str]:
    """Return what keeps the gate shut, in the order in which people are told; nothing for an open one. A new condition
    that has to know more than the session says is also a field of ``Facts``, which ``operations.work.facts``
    fills."""
    reasons = []
    finish, least = finish_of(session, step.agent, facts), threshold(session, step, limits)
    if not finish:
        reasons.append(NOT_FINISHED)
    elif finish["score"] < least:
        reasons.append(f"score {percent(finish['score'])} is below {percent(least)}")
    reasons += missing_work(session, step, facts)
    if facts.tree and needs_checks(step) and not facts.checks and not finish.get(WORD):
        reasons.append("no check ran, and no person let it pass without one")
    if facts.unmended and not finish.get(UNCHANGED):
        reasons.append(f"{UNMENDED}: {facts.unmended}")
    return reasons + [f"the user has not approved {path} of {agent}" for agent, path in facts.unapproved]


def missing_work(session: Session, step: WorkflowStep, facts: Facts) -> list[str]:
    """Return what keeps the gate shut before the step is finished: what its document cannot give."""
    reasons = [facts.output] if facts.output else []
    if step.state == BUILD and not facts.is_built:
        reasons.append("nothing was built: no file of the project changed in this run, and no story was done")
    if needs_checks(step):
        reasons += unproven(session, step.agent, facts)
        for name in facts.unasked:
            reasons.append(f"check {name} is set, but the user has not agreed to it (`limpet trust`)")
    if facts.open_stories:
        reasons.append(f"open stories: {', '.join(facts.open_stories)}")
    return reasons


def check_gate(session: Session, step: WorkflowStep, limits: Limits, facts: Facts) -> None:
    if found := missing(session, step, limits, facts):
        raise shut_gate(step, found)


def shut_gate(step: WorkflowStep, reasons: list[str]) -> LimpetError:
    hint = f"To end the step, run: {FINISH} (for its form: limpet work finish)"
    return LimpetError(f"{step.agent} cannot pass its gate: {'; '.join(reasons)}", "", hint)


def require_current(session: Session, workflow: Workflow, agent: str) -> WorkflowStep:
    workflow.place_of(agent)
    step = require_step(session, workflow)
    if step.agent != agent:
        what = f"The current agent is {step.agent}, not {agent}"
        raise LimpetError(what, "", "Nothing was changed. Run: limpet work status")
    return step


def begin_correction(session: Session, agent: str, limits: Limits) -> dict[str, Any]:
    """Return the agent's fields: one more round, or escalated after the last."""
    loops = int(record_of(session, agent).get("loops") or 0)
    return {"loops": loops + 1} if loops < limits.loops else {"escalated": True}


def clear_evidence(session: Session, agent: str) -> dict[Any, Any]:
    gate = gate_of(session, agent)
    runs: dict[Any, Any] = {("gates", agent, "evidence"): []} if gate.get("evidence") else {}
    return runs | ({("gates", agent, "finish"): None} if gate.get("finish") else {})


class Count(Value):
    """A counted score.

    ``score``: the weights of the criteria that are met, in percent of all, cut to two places: rounding up could open a
    gate.
    ``unmet``: the texts of those that are not.
    ``evidence``: what the document says of each that is met, by its number.
    ``lacking``: what the document does not say, (what, what to do) each; then the score does not count.
    """

    score: float
    total: int
    unmet: tuple[str, ...]
    evidence: tuple[tuple[int, str], ...]
    lacking: tuple[tuple[str, str], ...]


def count_score(criteria: Sequence[Criterion], met: Sequence[str], unmet: Sequence[str]) -> Count:
    """A step's criterion is recognised by its number in the list or by its words, and has to be named once. Where the
    step has none the document's own count, and there must be one."""
    if not criteria and not met and not unmet:
        how = "list each under ## Criteria, as `- [x] WHAT: EVIDENCE` or `- [ ] WHAT`"
        return Count(score=0.0, total=0, unmet=(), evidence=(), lacking=(("no criteria", how),))
    if not criteria:
        own, shown = len(met) + len(unmet), tuple(enumerate(met, 1))
        return Count(score=share_met(len(met), own), total=own, unmet=tuple(unmet), evidence=shown, lacking=())
    said, strange = _said(criteria, met)
    denied, more = _said(criteria, unmet)
    lacking: list[tuple[str, str]] = []
    for place, one in enumerate(criteria):
        lacking += _lacking(place, one, said, denied)
    how = f"name one of 1 to {len(criteria)}, as the form has them"
    lacking += [(f"no criterion of this step: {clip(text, SHOWN)}", how) for text in (*strange, *more)]
    reached = sum(one.weight for place, one in enumerate(criteria) if place in said and place not in denied)
    left = tuple(one.text for place, one in enumerate(criteria) if place in denied or place not in said)
    total = sum(one.weight for one in criteria)
    evidence = tuple((place + 1, said[place]) for place in sorted(said) if place not in denied)
    return Count(
        score=share_met(reached, total), total=len(criteria), unmet=left, evidence=evidence, lacking=tuple(lacking)
    )


def share_met(met: float, total: float) -> float:
    return int(met * 10_000 / total) / 100


def _said(criteria: Sequence[Criterion], items: Sequence[str]) -> tuple[dict[int, str], list[str]]:
    found: dict[int, str] = {}
    strange = []
    for item in items:
        known = _recognise(criteria, item)
        if known:
            found[known[0]] = _as_written(item, known[1]) or found.get(known[0], "")
        else:
            strange.append(item)
    return found, strange


def _recognise(criteria: Sequence[Criterion], item: str) -> tuple[int, str] | None:
    plain = _plain(item)
    for place, one in enumerate(criteria):
        words = _plain(one.text)
        rest = plain[len(words) :]
        if plain.startswith(words) and (divided := _DIVIDED.fullmatch(rest) if rest else None) is not None:
            return place, divided[1].strip(" ):")
        if plain == words:
            return place, ""
    numbered = _NUMBER.fullmatch(plain)
    if not numbered or not 1 <= int(numbered[1]) <= len(criteria):
        return None
    place, rest = int(numbered[1]) - 1, numbered[2]
    words = _plain(criteria[place].text)
    if rest.startswith(words):
        rest = _DIVIDERS.sub("", rest[len(words) :], count=1).rstrip(" :.()-\u2013\u2014")
    return place, rest.strip()


def _as_written(item: str, plain: str) -> str:
    """Return the end of an item that is ``plain`` once it is folded: case and signs of a path or a command matter."""
    ends = (item[place:] for place in range(len(item))) if plain else ()
    wanted = plain.lstrip(" :").rstrip(" .:")
    return next((end.strip(" *:") for end in ends if _plain(end) == wanted), plain)


def _lacking(place: int, one: Criterion, said: dict[int, str], denied: dict[int, str]) -> Iterator[tuple[str, str]]:
    number = place + 1
    if place in said and place in denied:
        yield f"criterion {number} is both met and unmet: {one.text}", "say one"
    elif place not in said and place not in denied:
        yield f"criterion {number} is not answered: {one.text}", f"`- [x] {number}: EVIDENCE`, or `- [ ] {number}`"
    elif place in said and not said[place]:
        how = f"write `- [x] {number}: EVIDENCE`: a path, a story, a check, or a command that ran"
        yield f"criterion {number} has no evidence: {one.text}", how


def _plain(text: str) -> str:
    """Folded, without emphasis and quotes, blanks as one, without the final stop."""
    return " ".join(fold(text).replace("*", "").replace("`", "").split()).rstrip(" .:")
