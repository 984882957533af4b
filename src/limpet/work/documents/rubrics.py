"""The rubrics, a checklist for each type of document (those of ``framework/rubrics.json`` and a project's own), and the
score of answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.formats.schema import nearest
from limpet.ground.storage.files import read_shipped
from limpet.ground.values import Value

HEAVIEST = 9
"""The greatest weight of a project's own question: a slip of the pen must not outweigh all others."""
_BOUNDS = (2, 4, 6, 8)
"""From how many ninths of all points levels 2 to 5 begin, where a project makes its own rubric."""
YES, NO, NOT_APPLICABLE = "yes", "no", "n/a"
LEVELS = 5
_RESULTS = {
    **dict.fromkeys(("yes", "y", "true", "pass", "passed"), YES),
    **dict.fromkeys(("no", "n", "false", "fail", "failed"), NO),
    **dict.fromkeys(("n/a", "na", "not applicable", "skip"), NOT_APPLICABLE),
}


class RubricItem(Value):
    """A question that yes or no answers, for ``weight`` points; negative is a penalty."""

    id: str
    question: str
    weight: int

    @property
    def is_penalty(self) -> bool:
        """Yes is bad, and needs a cited example."""
        return self.weight < 0


class Rubric(Value):
    """The questions for one type of document, and its other fields as ``framework/rubrics.json`` explains them."""

    type: str
    items: tuple[RubricItem, ...] = ()
    levels: tuple[int, ...] = ()
    core: bool = False
    names: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    made: bool = False
    requirements: bool = False
    watch: tuple[str, ...] = ()
    watch_names: tuple[str, ...] = ()
    watch_folders: tuple[str, ...] = ()

    @property
    def most(self) -> int:
        return sum(item.weight for item in self.items if not item.is_penalty)

    def item(self, name: str) -> RubricItem:
        known = {item.id: item for item in self.items}
        if name not in known:
            what = f"Unknown item {name!r} of {self.type}{nearest(name, known)}"
            raise LimpetError(what, hint=f"Items: {', '.join(known)}")
        return known[name]


@cache
def load_rubrics() -> dict[str, Rubric]:
    data = read_shipped("rubrics")
    found = {}
    for name, shipped in data["types"].items():
        about = dict(shipped)
        items = tuple(RubricItem(**one) for one in (*about.pop("items"), *data["penalties"]))
        folders = tuple(data["sources"]) if about.pop("watch_sources", False) else ()
        lists: dict[str, Any] = {key: tuple(value) for key, value in about.items() if isinstance(value, list)}
        found[name] = Rubric(name, items, watch_folders=folders, **{**about, **lists})
    return found


def rubric_of(key: str, kind: str) -> Rubric | None:
    return load_rubrics().get(kind) or load_rubrics().get(key)


def own_rubric(key: str, asked: Sequence[RubricItem], usual: Rubric | None) -> Rubric | None:
    """The levels begin at the shipped shares of the points. Return None for no questions, or those of ``usual``."""
    shipped = {(item.id, item.weight) for item in (usual.items if usual else ())}
    most = sum(item.weight for item in asked if not item.is_penalty)
    if not most or all((item.id, item.weight) in shipped for item in asked):
        return None
    return Rubric(key, tuple(asked), tuple(max(1, round(most * part / 9)) for part in _BOUNDS))


def penalties() -> tuple[RubricItem, ...]:
    return tuple(item for item in load_rubrics()["architecture"].items if item.is_penalty)


def read_questions(rows: object) -> tuple[tuple[RubricItem, ...], tuple[str, ...]]:
    """Return (the questions that can count, a line on each that cannot) of rows that a project wrote."""
    found: list[RubricItem] = []
    problems: list[str] = []
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict) and row.get("question"):
            faults = [f"question {row.get('id') or row['question']}: {what}" for what in _faults(row, found)]
            problems += faults
            if not faults:
                found.append(RubricItem(str(row["id"]), " ".join(str(row["question"]).split()), row["weight"]))
    return tuple(found), tuple(problems)


class RubricAnswer(Value):
    """The answer to the item of this ``id``; ``result``: yes, no, n/a, or "" for none yet."""

    id: str
    result: str = ""
    note: str = ""


class Score(Value):
    """The score of a checklist, ``points`` of ``most``; ``effective`` is ``most`` without the items answered n/a.
    ``level``: 1 to 5, None while items are ``unanswered``. ``reachable``: the best level that these n/a answers
    leave."""

    points: int
    most: int
    effective: int
    level: int | None
    reachable: int
    unanswered: tuple[str, ...]


def read_rubric_result(value: object) -> str:
    """Return yes, no or n/a from a file or a person, YAML's booleans included; "" for anything else."""
    return _RESULTS.get(str(value).strip().lower(), "") if isinstance(value, (bool, str)) else ""


def check_answers(rubric: Rubric, answers: Iterable[RubricAnswer]) -> None:
    """Raise LimpetError for an unknown item, an invalid answer, and a penalty without its cited example."""
    for answer in answers:
        item = rubric.item(answer.id)
        if not answer.result:
            raise LimpetError("Answer yes, no or n/a", answer.id, "Nothing was recorded.")
        if item.is_penalty and answer.result == YES and not answer.note.strip():
            hint = f"Cite one: --note {item.id}='docs/x.md:12 says ..., but ...'"
            raise LimpetError("A penalty needs a cited example", answer.id, hint)


def score(rubric: Rubric, answers: Sequence[RubricAnswer], scaled: bool = False) -> Score:
    """N/A takes an item's weight out of ``effective``; the levels stay, unless ``scaled`` relates the points to
    that."""
    results = {answer.id: answer.result for answer in answers}
    skipped = sum(i.weight for i in rubric.items if not i.is_penalty and results.get(i.id) == NOT_APPLICABLE)
    points = max(0, sum(item.weight for item in rubric.items if results.get(item.id) == YES))
    unanswered = tuple(item.id for item in rubric.items if not results.get(item.id))
    effective = rubric.most - skipped
    size = rubric.most / effective if scaled and effective else 1.0

    def level_of(reached: int) -> int:
        return 1 + sum(reached * size >= least - 1e-9 for least in rubric.levels)

    level, reachable = level_of(points), level_of(effective)
    return Score(points, rubric.most, effective, None if unanswered else level, reachable, unanswered)


def merge_answers(
    rubric: Rubric, stored: Sequence[RubricAnswer], given: Mapping[str, RubricAnswer], keep: bool
) -> tuple[RubricAnswer, ...]:
    """A finished evaluation starts over, an unfinished one goes on; with ``keep`` earlier answers stay."""
    known = {answer.id: answer for answer in stored if answer.result}
    is_finished = all(item.id in known for item in rubric.items)
    base = known if keep or not is_finished else {}
    return tuple(given.get(item.id) or base.get(item.id) or RubricAnswer(item.id) for item in rubric.items)


def _faults(row: dict[str, Any], known: Sequence[RubricItem]) -> Iterator[str]:
    weight = row.get("weight")
    if not row.get("id"):
        yield "needs an id"
    elif any(item.id == str(row["id"]) for item in known):
        yield "another question has this id"
    if isinstance(weight, bool) or not isinstance(weight, int) or not 0 < abs(weight) <= HEAVIEST:
        yield f"weight {weight!r} must be a whole number from 1 to {HEAVIEST}, or below 0 for a penalty"
