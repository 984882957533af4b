"""Documents and their scores as the commands show them: lines for people, data for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from limpet.cli.output import counted, table
from limpet.cli.screen import Line
from limpet.work.documents.evaluation import Evaluation
from limpet.work.documents.form import BacklogItem
from limpet.work.documents.rubrics import RubricAnswer, RubricItem
from limpet.work.documents.survey import Survey, count_states, mean_level

# The survey of a project without state, as ``describe_survey`` returns one.
UNKNOWN: dict[str, Any] = {
    **dict.fromkeys(("project", "protocol_version", "artifact_directory")),
    **dict.fromkeys(("documents", "backlog", "log", "problems", "lines"), []),
    "read_only": False,
    "auto_evaluate": True,
    "level": 0.0,
    "counts": count_states(()),
}


def checklist_lines(found: Evaluation) -> Iterator[Line]:
    yield f"{found.artifact.key} ({found.rubric.type}): {found.artifact.path or 'not written yet'}"
    known = {answer.id: answer for answer in found.answers}
    yield from table([_row(item, known[item.id]) for item in found.rubric.items], indent="  ")
    yield from _score_lines(found)
    if found.others:
        yield "  answers to another rubric (kept, not counted):"
        yield from table([_row(*pair) for pair in found.others], indent="    ")
    yield from found.problems


def outcome_lines(found: Evaluation) -> Iterator[str]:
    level = f"level {found.score.level} of 5" if found.score.level else "not scored yet"
    yield f"{found.artifact.key}: {level}{f' (before: {found.before})' if found.before else ''}"
    yield from _score_lines(found)
    yield from found.problems


def describe_evaluation(found: Evaluation) -> dict[str, Any]:
    known = {answer.id: answer for answer in found.answers}
    return {
        "artifact": found.artifact.key,
        "type": found.rubric.type,
        "path": found.artifact.path or None,
        "status": found.artifact.status,
        "before": found.before,
        **{name: getattr(found.score, name) for name in ("points", "most", "effective", "level", "reachable")},
        "levels": list(found.rubric.levels),
        "unanswered": list(found.score.unanswered),
        "checklist": [_plain_row(item, known[item.id]) for item in found.rubric.items],
        "others": [_plain_row(*pair) for pair in found.others],
        "problems": list(found.problems),
    }


def describe_document(found: Evaluation | None, backlog: Iterable[BacklogItem]) -> dict[str, Any]:
    """``evaluation`` is null where no rubric is known for it."""
    problems = [_plain(vars(item)) for item in backlog]
    return {"evaluation": describe_evaluation(found) if found else None, "backlog": problems}


def describe_survey(survey: Survey, lines: tuple[str, ...]) -> dict[str, Any]:
    manifest = survey.manifest
    days = {artifact.key: artifact.last_evaluated for artifact in manifest.artifacts}
    documents = []
    for one in survey.statuses:
        requirements = [vars(touched) for touched in one.requirements]
        evaluated = days[one.key] or None
        documents.append(_plain(vars(one)) | {"requirements": requirements, "last_evaluated": evaluated})
    return {
        "project": manifest.name,
        "protocol_version": manifest.protocol,
        "read_only": manifest.newer,
        "auto_evaluate": manifest.auto_evaluate,
        "artifact_directory": manifest.directory,
        "level": mean_level(survey.statuses),
        "counts": count_states(survey.statuses),
        "documents": documents,
        "backlog": [_plain(vars(item)) for item in manifest.backlog],
        "log": list(manifest.log),
        "problems": list(survey.problems),
        "lines": list(lines),
    }


def _row(item: RubricItem, answer: RubricAnswer) -> tuple[str, str, str, str]:
    note = f" [{answer.note}]" if answer.note else ""
    return f"{item.weight:+d}", item.id, answer.result or "-", item.question + note


def _plain_row(item: RubricItem, answer: RubricAnswer) -> dict[str, Any]:
    asked = {"id": item.id, "question": item.question, "weight": item.weight, "penalty": item.is_penalty}
    return asked | {"result": answer.result or None, "note": answer.note or None}


def _score_lines(found: Evaluation) -> Iterator[str]:
    score = found.score
    levels = ", ".join(map(str, found.rubric.levels))
    left = f" ({score.effective} without n/a items)" if score.effective != score.most else ""
    yield f"  {counted(score.points, 'point')} of {score.most}{left}; levels 2 to 5 start at {levels}"
    if score.reachable < 5:
        yield f"  with these n/a answers, level {score.reachable} is the maximum"
    if score.unanswered:
        yield f"  unanswered: {', '.join(score.unanswered)}"


def _plain(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value != ""}
