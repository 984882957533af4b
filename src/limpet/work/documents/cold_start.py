"""The digest of the manifest that a session reads first: the most important lines within
``work.spec.cold_start_tokens``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from limpet.ground.errors import LimpetError
from limpet.ground.text.escaping import clip
from limpet.ground.text.tokens import estimate_tokens
from limpet.ground.workspace import Workspace
from limpet.work.documents.backlog import rank
from limpet.work.documents.priority import UNPROMPTED, for_agent, propose
from limpet.work.documents.requirements import describe_touched
from limpet.work.documents.status import DocumentStatus, count_states, mean_level
from limpet.work.documents.survey import Survey, make_survey

NEXT = "next: "
"""How the line of the next action begins."""
CHARACTERS = 110
# Documents that are listed at most, and those of them that go before backlog and log.
_LISTED, _FIRST = 20, 8
# Items of the backlog, and lines of the log, that go before the other documents.
_SOON, _RECENT = 5, 2
_MOST_PROBLEMS = 3
_MOST_TOUCHED = 5
# Tokens kept free for the line that counts the documents left out.
_FOR_THE_REST = 50


def cold_start(workspace: Workspace, agent: str = "") -> tuple[str, ...]:
    """Return the lines for a session's start, as ``describe`` does: none without a manifest, one with the error for a
    manifest that cannot be read."""
    try:
        survey = make_survey(workspace)
    except LimpetError as error:
        return (clip(f"cannot read the spec state: {error}", 3 * CHARACTERS),)
    return describe(survey, agent) if survey else ()


def without_next(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the lines without the next action, for a place where something else says what comes next."""
    return tuple(line for line in lines if not line.startswith(NEXT))


def describe(survey: Survey, agent: str = "") -> tuple[str, ...]:
    """Return the lines of a survey: counts, the next action, the documents that need work most, backlog and log.

    ``agent``: whose step of a workflow is under way, "" for none; then the next action is on what that agent makes, or
    else the workflow's.
    """
    limits, statuses = survey.limits, survey.statuses
    backlog = sorted(survey.manifest.backlog, key=rank)[: limits["backlog"]]
    # Each line with its rank: lower ones are taken first, the order of lines stays.
    head = [(0, line) for line in _head(survey, agent)]
    documents = [(1 if place < _FIRST else 4, _document(one)) for place, one in enumerate(statuses[:_LISTED])]
    rest = [
        (2 if place < _SOON else 3, f"backlog {item.priority}, {item.artifact}: {item.item}")
        for place, item in enumerate(backlog)
    ]
    log = survey.manifest.log[: limits["log"]]
    rest += [(2 if place < _RECENT else 3, f"log {line}") for place, line in enumerate(log)]
    lines = [(rank, clip(" ".join(text.split()), CHARACTERS)) for rank, text in (*head, *documents, *rest)]
    taken = _within_budget(lines, limits["cold_start_tokens"])
    behind = len(head) + len(documents)
    front = [text for place, (_, text) in enumerate(lines[:behind]) if place in taken]
    left = statuses[max(0, len(front) - len(head)) :]
    more = [f"and {len(left)} more: {_counts(left)}"] if left else []
    return (*front, *more, *(text for place, (_, text) in enumerate(lines) if place in taken and place >= behind))


def _within_budget(lines: Sequence[tuple[int, str]], tokens: int) -> set[int]:
    """Return the places of the lines that fit."""
    taken, spent = set(), _FOR_THE_REST
    for place in sorted(range(len(lines)), key=lambda place: lines[place][0]):
        spent += estimate_tokens(lines[place][1])
        if spent > tokens:
            break
        taken.add(place)
    return taken


def _head(survey: Survey, agent: str) -> list[str]:
    manifest, statuses = survey.manifest, survey.statuses
    counts = _counts(statuses)
    score = f"; level {mean_level(statuses)} of 5" if statuses else ""
    lines = [f"{clip(manifest.name or 'specs', 40)}: {len(statuses)} documents{': ' if counts else ''}{counts}{score}"]
    found = [f"{one.action} {one.key} ({one.why})" for one in propose(for_agent(statuses, agent), UNPROMPTED)]
    if not found and agent:
        found = [f"{agent} is active: limpet work status"]
    lines += [f"{NEXT}{what}" for what in found]
    lines += [] if manifest.auto_evaluate else ["auto_evaluate is off: evaluate only what the user asks for"]
    touched = [one for status in statuses for one in status.requirements]
    lines += [describe_touched(one) for one in touched[:_MOST_TOUCHED]]
    return [*lines, *survey.problems[:_MOST_PROBLEMS]]


def _document(one: DocumentStatus) -> str:
    reason = f": {one.reason}" if one.reason else ""
    return f"- {one.key} {one.score}/{one.max_score} {one.state}, {one.path or 'no file'}{reason}"


def _counts(statuses: Sequence[DocumentStatus]) -> str:
    return ", ".join(f"{count} {state}" for state, count in count_states(statuses).items() if count)
