"""Documents and their scores as the commands show them: lines for people, data for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from holdfast.cli.table import counted, table
from holdfast.work.spec.actions import Evaluation
from holdfast.work.spec.standing import count_states, mean_level
from holdfast.work.spec.survey import Survey


def checklist_lines(found: Evaluation) -> Iterator[str]:
    """Every question with its weight, its answer and its note, and where the score stands."""
    yield f"{found.artifact.key} ({found.rubric.type}): {found.artifact.path or 'not written yet'}"
    known = {answer.id: answer for answer in found.answers}
    rows = [
        (f"{item.weight:+d}", item.id, known[item.id].result or "-", _with_note(item.question, known[item.id].note))
        for item in found.rubric.items
    ]
    yield from table(rows, indent="  ")
    yield from _score_lines(found)


def outcome_lines(found: Evaluation) -> Iterator[str]:
    """The level that was recorded, or that there is none yet."""
    before = f", before {found.before}" if found.before else ""
    if found.score.level:
        yield f"{found.artifact.key}: level {found.score.level} of 5{before}"
    else:
        yield f"{found.artifact.key}: not finished{before}"
    yield from _score_lines(found)


def describe_evaluation(found: Evaluation) -> dict[str, Any]:
    """An evaluation for programs."""
    known = {answer.id: answer for answer in found.answers}
    items = [
        {"id": item.id, "question": item.question, "weight": item.weight, "penalty": item.is_penalty}
        | {"result": known[item.id].result or None, "note": known[item.id].note or None}
        for item in found.rubric.items
    ]
    return {
        "artifact": found.artifact.key,
        "type": found.rubric.type,
        "path": found.artifact.path or None,
        "status": found.artifact.status,
        "before": found.before,
        **{name: getattr(found.score, name) for name in ("points", "most", "effective", "level", "reachable")},
        "levels": list(found.rubric.levels),
        "unanswered": list(found.score.unanswered),
        "checklist": items,
    }


def describe_survey(survey: Survey, lines: tuple[str, ...]) -> dict[str, Any]:
    """A survey for programs; ``lines`` is the cold-start read."""
    manifest = survey.manifest
    return {
        "project": manifest.name,
        "protocol_version": manifest.protocol,
        "read_only": manifest.newer,
        "level": mean_level(survey.standings),
        "counts": count_states(survey.standings),
        "documents": [_plain(vars(standing)) for standing in survey.standings],
        "backlog": [_plain(vars(item)) for item in manifest.backlog],
        "log": list(manifest.log),
        "problems": list(manifest.problems),
        "lines": list(lines),
    }


def _with_note(question: str, note: str) -> str:
    return f"{question} [{note}]" if note else question


def _score_lines(found: Evaluation) -> Iterator[str]:
    score = found.score
    left = f" ({score.effective} without what is n/a)" if score.effective != score.most else ""
    yield f"  {counted(score.points, 'point')} of {score.most}{left}; levels 2 to 5 from {_levels(found)}"
    if score.reachable < 5:
        yield f"  with these n/a level {score.reachable} is the best it can have"
    if score.unanswered:
        yield f"  still to answer: {', '.join(score.unanswered)}"


def _levels(found: Evaluation) -> str:
    return ", ".join(map(str, found.rubric.levels))


def _plain(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value != ""}
