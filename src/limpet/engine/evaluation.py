"""Asks the project a person's own questions as prompts, and counts what comes against what they expect: recall,
precision, tokens, latency."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median
from typing import Any

from limpet.context.values import LISTED, WISHED, Result
from limpet.engine.block.told import ids_shown
from limpet.engine.explanation import preview
from limpet.ground.clock import Clock
from limpet.ground.errors import LimpetError
from limpet.ground.formats.yaml_text import load_yaml
from limpet.ground.text.tokens import typical_tokens
from limpet.ground.values import Value
from limpet.memory.model.entry import Query
from limpet.operations.memory.find import open_memories, search_memories
from limpet.operations.project import Project

# By which way what was expected came, the best first.
IN_FULL, BY_TITLE, BY_SEARCH, MISSING = "in full", "by title", "by search only", "missing"
SHAPE = "Write a list of: question, and memory (an id, or words of it) or rule (a domain); both may be lists."


class EvalQuestion(Value):
    """``memories``: ids, or words that stand in the memory; ``rules``: names of domains. Where both are empty nothing
    should come."""

    question: str
    memories: tuple[str, ...]
    rules: tuple[str, ...]


class EvalAnswer(Value):
    """``found``: (what was expected, how it came). ``beside``: titles and names of what the question called and nobody
    expected. ``called``: how many it called. ``tokens``: of the block; ``milliseconds``: until it was there."""

    question: str
    found: tuple[tuple[str, str], ...]
    beside: tuple[str, ...]
    called: int
    tokens: int
    milliseconds: float


class EvalResult(Value):
    """Shares are 0 to 1, None where nothing was to be found, or came. ``recall``: of what is expected, what came in
    full; ``in_sight``: or by its title; ``searched``: or is among the first hits of a search. ``precision``: of what
    the questions called in full, what is expected."""

    answers: tuple[EvalAnswer, ...]
    recall: float | None
    in_sight: float | None
    searched: float | None
    precision: float | None
    tokens: dict[str, float]
    milliseconds: dict[str, float]


def read_eval_file(text: str | None, where: str) -> list[EvalQuestion]:
    """Raises LimpetError for what cannot be read (None), or is no YAML or JSON of this shape."""
    if text is None:
        raise LimpetError("Cannot read the file", where, SHAPE)
    data = load_yaml(text, where)
    if not isinstance(data, list) or not data:
        raise LimpetError("There is no list of questions", where, SHAPE)
    questions = []
    for number, one in enumerate(data, 1):
        asked = one.get("question") if isinstance(one, dict) else None
        if not isinstance(asked, str) or not asked.strip() or not {*one} <= {"question", "memory", "rule"}:
            raise LimpetError(f"Question {number} is not one", where, SHAPE)
        questions.append(EvalQuestion(asked, _texts(one.get("memory")), _texts(one.get("rule"))))
    return questions


def run_eval(project: Project, questions: Iterable[EvalQuestion]) -> EvalResult:
    """Each is the first prompt of a conversation of its own. Nothing is sent, and no memory counts as used."""
    answers = tuple(_ask(project, one) for one in questions)
    ways: list[str] = []
    for answer in answers:
        ways += [way for _, way in answer.found]
    called, beside = sum(one.called for one in answers), sum(len(one.beside) for one in answers)
    return EvalResult(
        answers=answers,
        recall=_share(ways, (IN_FULL,)),
        in_sight=_share(ways, (IN_FULL, BY_TITLE)),
        searched=_share(ways, (IN_FULL, BY_TITLE, BY_SEARCH)),
        precision=round(1 - beside / called, 3) if called else None,
        tokens=_figures([one.tokens for one in answers]),
        milliseconds=_figures([one.milliseconds for one in answers]),
    )


def _ask(project: Project, question: EvalQuestion) -> EvalAnswer:
    clock = Clock()
    began = clock.timer()
    seen = preview(project.workspace, question.question, clock=clock)
    milliseconds = (clock.timer() - began) * 1000
    came = _rules_in(seen.result)
    hits, _ = search_memories(project, Query(text=question.question, now=project.caller.now))
    quoted = _texts_of(project, ids_shown(seen.result))
    titled = _texts_of(project, _marked(seen.result, LISTED))
    searched = _texts_of(project, [hit.card.id for hit in hits.hits])
    found: list[tuple[str, str]] = []
    for wanted in question.memories:
        ways = {IN_FULL: quoted, BY_TITLE: titled, BY_SEARCH: searched}
        way = next((way for way, texts in ways.items() if any(_is_meant(wanted, each) for each in texts)), MISSING)
        found.append((wanted, way))
    found += [(name, IN_FULL if name.upper() in came else MISSING) for name in question.rules]
    standing = _marked(seen.result, WISHED)
    called = [each for each in quoted if each[0] not in standing]
    beside = [each[1] for each in called if not any(_is_meant(wanted, each) for wanted in question.memories)]
    named = [name for name, is_called in came.items() if is_called]
    beside += [name for name in named if name.lower() not in [wanted.lower() for wanted in question.rules]]
    tokens = typical_tokens(seen.result.tokens, seen.request.settings["reserve"])
    return EvalAnswer(
        question.question, tuple(found), tuple(beside), len(called) + len(named), tokens, round(milliseconds, 1)
    )


def _rules_in(result: Result) -> dict[str, bool]:
    """Name of a domain -> whether the question's words called it."""
    shown = [choice.piece for choice in result.choices if choice.shown and choice.piece.tag == "rules"]
    return {piece.name: bool(dict(piece.attributes).get("matched")) for piece in shown}


def _marked(result: Result, mark: str) -> list[str]:
    ids: list[str] = []
    for choice in result.choices:
        ids += [each.removeprefix(mark) for each in choice.piece.marks[: len(choice.lines)] if each.startswith(mark)]
    return ids


def _texts_of(project: Project, ids: Sequence[str]) -> list[tuple[str, str, str]]:
    """(id, title, all of its words) of each."""
    opened, _ = open_memories(project, ids, count=False)
    entries = [one.stored.entry for one in opened]
    return [(entry.id, entry.title, f"{entry.title} {entry.body}".lower()) for entry in entries]


def _is_meant(wanted: str, memory: tuple[str, str, str]) -> bool:
    name, _, text = memory
    is_id = len(wanted) >= 4 and (name.endswith(wanted) or name.startswith(wanted))
    return is_id or all(word in text for word in wanted.lower().split())


def _share(ways: Sequence[str], wanted: Sequence[str]) -> float | None:
    return round(sum(way in wanted for way in ways) / len(ways), 3) if ways else None


def _figures(values: Sequence[float]) -> dict[str, float]:
    return {"median": round(median(values), 1), "max": max(values), "sum": round(sum(values), 1)}


def _texts(value: Any) -> tuple[str, ...]:
    told = value if isinstance(value, list) else [value]
    return tuple(str(one).strip() for one in told if one is not None and str(one).strip())
