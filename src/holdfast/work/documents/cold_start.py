"""The digest of the manifest that a session reads first: the most important lines within
``work.spec.cold_start_tokens``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from holdfast.ground.errors import HoldfastError
from holdfast.ground.text.escaping import clip
from holdfast.ground.text.tokens import estimate_tokens
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.work.documents.backlog import BacklogItem, rank
from holdfast.work.documents.priority import UNPROMPTED, for_agent, propose
from holdfast.work.documents.requirements.touched import describe_touched
from holdfast.work.documents.status import DocumentStatus, count_states, mean_level
from holdfast.work.documents.survey import Survey, make_survey

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


class _Line(Value):
    """A line with its rank: lower ones are taken first, the order of lines stays."""

    rank: int
    text: str


def cold_start(workspace: Workspace, agent: str = "") -> tuple[str, ...]:
    """Return the lines for a session's start, as ``describe`` does: none without a manifest, one with the error for a
    manifest that cannot be read."""
    try:
        survey = make_survey(workspace)
    except HoldfastError as error:
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
    limits, manifest = survey.limits, survey.manifest
    parts = (
        _head(survey, agent),
        _documents(survey.statuses),
        _backlog(manifest.backlog, limits.backlog),
        [
            _Line(2 if place < _RECENT else 3, _one_line(f"log {line}"))
            for place, line in enumerate(manifest.log[: limits.log])
        ],
    )
    taken = _within_budget([line for part in parts for line in part], limits.tokens)
    head, documents, backlog, log = ([line.text for line in part if id(line) in taken] for part in parts)
    rest = survey.statuses[len(documents) :]
    more = [f"and {len(rest)} more: {_counts(rest)}"] if rest else []
    return (*head, *documents, *more, *backlog, *log)


def _within_budget(lines: Sequence[_Line], tokens: int) -> set[int]:
    """Return the identities of the lines that fit. Identities, because two lines may be equal."""
    taken, spent = set(), _FOR_THE_REST
    for line in sorted(lines, key=lambda line: line.rank):
        spent += estimate_tokens(line.text)
        if spent > tokens:
            break
        taken.add(id(line))
    return taken


def _head(survey: Survey, agent: str) -> list[_Line]:
    manifest, statuses = survey.manifest, survey.statuses
    counts = _counts(statuses)
    score = f"; level {mean_level(statuses)} of 5" if statuses else ""
    lines = [f"{clip(manifest.name or 'specs', 40)}: {len(statuses)} documents{': ' if counts else ''}{counts}{score}"]
    lines += [f"{NEXT}{what}" for what in _next(statuses, agent)]
    lines += [] if manifest.auto_evaluate else ["auto_evaluate is off: evaluate only what the user asks for"]
    touched = [one for status in statuses for one in status.requirements]
    lines += [describe_touched(one) for one in touched[:_MOST_TOUCHED]]
    lines += survey.problems[:_MOST_PROBLEMS]
    return [_Line(0, _one_line(line)) for line in lines]


def _next(statuses: Sequence[DocumentStatus], agent: str) -> list[str]:
    found = [f"{one.action} {one.key} ({one.why})" for one in propose(for_agent(statuses, agent), UNPROMPTED)]
    return found or ([f"{agent} is active: holdfast work status"] if agent else [])


def _documents(statuses: Sequence[DocumentStatus]) -> list[_Line]:
    return [_Line(1 if place < _FIRST else 4, _document(one)) for place, one in enumerate(statuses[:_LISTED])]


def _document(one: DocumentStatus) -> str:
    reason = f": {one.reason}" if one.reason else ""
    return _one_line(f"- {one.key} {one.score}/{one.max_score} {one.state}, {one.path or 'no file'}{reason}")


def _backlog(backlog: Sequence[BacklogItem], most: int) -> list[_Line]:
    items = sorted(backlog, key=rank)[:most]
    texts = [f"backlog {item.priority}, {item.artifact}: {item.item}" for item in items]
    return [_Line(2 if place < _SOON else 3, _one_line(text)) for place, text in enumerate(texts)]


def _counts(statuses: Sequence[DocumentStatus]) -> str:
    return ", ".join(f"{count} {state}" for state, count in count_states(statuses).items() if count)


def _one_line(text: str) -> str:
    return clip(" ".join(text.split()), CHARACTERS)
