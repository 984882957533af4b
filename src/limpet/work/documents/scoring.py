"""Scores answers as points and a level: arithmetic only, so that the same answers give the same score everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from limpet.ground.errors import LimpetError
from limpet.ground.values import Value
from limpet.work.documents.rubrics import Rubric

YES, NO, NOT_APPLICABLE = "yes", "no", "n/a"
LEVELS = 5
_RESULTS = {
    **dict.fromkeys(("yes", "y", "true", "pass", "passed"), YES),
    **dict.fromkeys(("no", "n", "false", "fail", "failed"), NO),
    **dict.fromkeys(("n/a", "na", "not applicable", "skip"), NOT_APPLICABLE),
}


class Answer(Value):
    """The answer to an item.

    ``id``: the item's.
    ``result``: yes, no, n/a, or "" for no answer yet.
    """

    id: str
    result: str = ""
    note: str = ""


class Score(Value):
    """The score of a checklist.

    ``points``: those that the answers give.
    ``most``: those that the rubric can give.
    ``effective``: ``most`` without the items answered n/a.
    ``level``: 1 to 5, None while items are unanswered.
    ``reachable``: the best level that these n/a answers leave.
    ``unanswered``: ids of items.
    """

    points: int
    most: int
    effective: int
    level: int | None
    reachable: int
    unanswered: tuple[str, ...]


def read_result(value: object) -> str:
    """Return yes, no or n/a from a file or a person, YAML's booleans included; "" for anything else."""
    return _RESULTS.get(str(value).strip().lower(), "") if isinstance(value, (bool, str)) else ""


def check_answers(rubric: Rubric, answers: Iterable[Answer]) -> None:
    """Raise LimpetError for an unknown item, an invalid answer, and a penalty without its cited example."""
    for answer in answers:
        item = rubric.item(answer.id)
        if not answer.result:
            raise LimpetError("Answer yes, no or n/a", answer.id, "Nothing was recorded.")
        if item.is_penalty and answer.result == YES and not answer.note.strip():
            hint = f"Cite one: --note {item.id}='docs/x.md:12 says ..., but ...'"
            raise LimpetError("A penalty needs a cited example", answer.id, hint)


def score(rubric: Rubric, answers: Sequence[Answer], scaled: bool = False) -> Score:
    """Return the score of a document. N/A takes an item's weight out of ``effective``; the levels stay where they are,
    unless ``scaled`` relates the points to what is left."""
    results = {answer.id: answer.result for answer in answers}
    skipped = sum(i.weight for i in rubric.items if not i.is_penalty and results.get(i.id) == NOT_APPLICABLE)
    points = max(0, sum(item.weight for item in rubric.items if results.get(item.id) == YES))
    unanswered = tuple(item.id for item in rubric.items if not results.get(item.id))
    effective = rubric.most - skipped
    size = rubric.most / effective if scaled and effective else 1.0
    level, reachable = (
        1 + sum(reached * size >= least - 1e-9 for least in rubric.levels) for reached in (points, effective)
    )
    return Score(points, rubric.most, effective, None if unanswered else level, reachable, unanswered)


def merge_answers(
    rubric: Rubric, stored: Sequence[Answer], given: Mapping[str, Answer], keep: bool
) -> tuple[Answer, ...]:
    """Return the answer to each item. A finished evaluation starts over, an unfinished one continues; with ``keep``
    earlier answers stay where none is ``given``."""
    known = {answer.id: answer for answer in stored if answer.result}
    is_finished = all(item.id in known for item in rubric.items)
    base = known if keep or not is_finished else {}
    return tuple(given.get(item.id) or base.get(item.id) or Answer(item.id) for item in rubric.items)
