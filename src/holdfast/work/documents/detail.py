"""The detail files ``artifacts/<key>.yaml``, read on demand: every answer, the whole backlog, work in progress.

Text to value, and changes to the text; what is not changed keeps its bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from holdfast.ground.errors import HoldfastError
from holdfast.ground.formats.yaml_edit import Path, render_value
from holdfast.ground.formats.yaml_list import insert_item, remove_item
from holdfast.ground.formats.yaml_text import load_yaml
from holdfast.ground.storage.text_file import refuse_conflict
from holdfast.ground.values import Value
from holdfast.work.documents.backlog import BacklogItem, is_same, read_items
from holdfast.work.documents.dates import read_timestamp
from holdfast.work.documents.edit import render_item, set_fields
from holdfast.work.documents.manifest import VERSION, read_integer
from holdfast.work.documents.questions import read_questions
from holdfast.work.documents.rubrics import Item
from holdfast.work.documents.scoring import Answer, read_result
from holdfast.work.documents.staleness.baseline import Baseline, baseline_fields, read_baseline

EVALUATING = "evaluation: "
"""How a note on work in progress begins that we wrote, and may take away."""
# A text in the form that is written here: its first level is seen without reading the rest as YAML, which takes twenty
# times as long. Anything else, half a line too, is read as YAML.
_SIGN = r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff"
_TEXT = rf'"(?:{_SIGN}"\\]|\\(?:["\\/bfnrt]|u(?!d[89a-f])[0-9a-f]{{4}}))*"'
_WORDS = r"(?!(?i:true|false)\b)[^\W\d_][\w./@+-]*(?: [\w./@+-]+)*"
_SCALAR = rf"(?:{_TEXT}|{_WORDS}|[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}|[1-9][0-9]{{0,8}})"
_ROW = rf"  - \{{\w+: {_SCALAR}(?:, \w+: {_SCALAR})*\}}\r?\n"
_PAIRS = rf"\{{{_SCALAR}: {_SCALAR}(?:, {_SCALAR}: {_SCALAR})*\}}"
_OWN = re.compile(rf"(?:#{_SIGN}]*\r?\n|\w+: (?:{_SCALAR}|\[\]|{_PAIRS})\r?\n|\w+:\r?\n(?:{_ROW})*)*")
_FIELD = re.compile(rf"^(\w+): ({_SCALAR})\r?$", re.MULTILINE)
_NAME = re.compile(r"^(\w+):", re.MULTILINE)
_NULL = ("null", "Null", "NULL")


class Detail(Value):
    """The content of a detail file.

    ``day``, ``time``: of the last evaluation (UTC), "" for none.
    ``wip``: a note on work in progress, "" for none.
    ``custom``: the data of ``custom_rubric``.
    ``version``: the file's schema; one of a newer version is read only.
    ``rows``: the ids of the checklist's rows in their order, "" for a row without one.
    ``asked``: questions and weights that the rows bring along, as far as they can count.
    ``baseline``: what it was judged against.
    ``problems``: lines on values that do not count.
    """

    key: str
    type: str = ""
    day: str = ""
    time: str = ""
    answers: tuple[Answer, ...] = ()
    backlog: tuple[BacklogItem, ...] = ()
    wip: str = ""
    custom: object = None
    version: int = VERSION
    rows: tuple[str, ...] = ()
    asked: tuple[Item, ...] = ()
    baseline: Baseline = Baseline()
    problems: tuple[str, ...] = ()

    @property
    def newer(self) -> bool:
        """True where a newer Holdfast wrote it."""
        return self.version > VERSION


class Glance(Value):
    """The fields of a detail file that the manifest is compared with.

    ``newer``: whether a newer Holdfast wrote it.
    ``document``, ``watched``, ``by``: the ids of its baseline.
    ``problem``: why the file cannot be used, with its place; "" where it can.
    """

    type: str = ""
    day: str = ""
    time: str = ""
    wip: str = ""
    newer: bool = False
    document: str = ""
    watched: str = ""
    by: str = ""
    problem: str = ""


def detail_name(key: str) -> str:
    """Return the file's name in messages."""
    return f".holdfast/artifacts/{key}.yaml"


def read_detail_text(key: str, text: str) -> Detail:
    """Return the detail that the text holds. Raise HoldfastError with ``file:line`` where it is no YAML mapping."""
    name = detail_name(key)
    refuse_conflict(text, name)
    data = load_yaml(text, name)
    if data is not None and not isinstance(data, dict):
        raise HoldfastError("Must be a mapping of keys to values", name, "Fix the file by hand.")
    return _detail(key, data or {})


def glance_at(key: str, text: str) -> Glance:
    """Return the fields of the text's first level."""
    try:
        refuse_conflict(text, detail_name(key))
        fields = _fields(text)
        detail = read_detail_text(key, text) if fields is None else _detail(key, fields)
    except HoldfastError as error:
        return Glance(problem=str(error))
    seen = detail.baseline
    ids = {"document": seen.document, "watched": seen.watched, "by": seen.by}
    return Glance(type=detail.type, day=detail.day, time=detail.time, wip=detail.wip, newer=detail.newer, **ids)


def new_detail_text(key: str, kind: str) -> str:
    """Return a detail without any answer."""
    lines = [
        f"artifact: {render_value(key)}",
        f"type: {render_value(kind or key)}",
        "last_evaluated: null",
        "checklist: []",
        "backlog: []",
        "wip: null",
    ]
    return "".join(f"{line}\n" for line in lines)


def set_answers(text: str, detail: Detail, answers: Sequence[Answer], day: str, time: str, wip: str) -> str:
    """Return the text with these answers in its checklist, the time of the evaluation and the note on work in progress;
    questions, weights and everything else stay. Raise HoldfastError."""
    name = detail_name(detail.key)
    changes: list[tuple[Path, object]] = []
    known = {answer.id: answer for answer in detail.answers}
    for answer in answers:
        if answer.id in detail.rows:
            changes += _changed_row(detail.rows.index(answer.id), known.get(answer.id), answer)
    stamps = {"last_evaluated": (detail.day, day), "time": (detail.time, time), "wip": (detail.wip, wip)}
    changes += [((key,), new or None) for key, (old, new) in stamps.items() if old != new]
    edited = set_fields(text, changes, name)
    place = len(detail.rows)
    for answer in answers:
        if answer.id not in detail.rows and answer.result:
            edited = insert_item(edited, ("checklist",), place, render_item(_row(answer)), name)
            place += 1
    return edited


def set_baseline(text: str, detail: Detail, baseline: Baseline) -> str:
    """Return the text with what the document was judged against. Raise HoldfastError."""
    old, new = baseline_fields(detail.baseline), baseline_fields(baseline)
    changes: list[tuple[Path, object]] = [((name,), new[name]) for name in new if new[name] != old[name]]
    return set_fields(text, changes, detail_name(detail.key))


def add_item(text: str, detail: Detail, item: BacklogItem) -> str:
    """Return the text with this problem in its backlog. Raise HoldfastError."""
    row = {"item": item.item, "priority": item.priority, "found": item.found}
    line = render_item({key: value for key, value in row.items() if value})
    # A place behind every row there may be: the new one goes last.
    return insert_item(text, ("backlog",), 1_000_000, line, detail_name(detail.key))


def drop_item(text: str, detail: Detail, item: BacklogItem) -> str:
    """Return the text without this problem in its backlog. Raise HoldfastError."""
    name = detail_name(detail.key)
    data = load_yaml(text, name)
    rows = data.get("backlog") if isinstance(data, dict) else None
    for index, row in reversed(list(enumerate(rows if isinstance(rows, list) else []))):
        if any(is_same(one, item) for one in read_items([row], detail.key)):
            text = remove_item(text, ("backlog",), index, name)
    return text


def _changed_row(place: int, before: Answer | None, after: Answer) -> Iterable[tuple[Path, object]]:
    old = before or Answer(after.id)
    if old.result != after.result:
        yield ("checklist", place, "result"), after.result or None
    if old.note != after.note and (after.note or after.result):
        yield ("checklist", place, "note"), after.note or None


def _row(answer: Answer) -> dict[str, object]:
    row: dict[str, object] = {"id": answer.id, "result": answer.result}
    return row | {"note": answer.note} if answer.note else row


def _detail(key: str, data: Mapping[str, Any]) -> Detail:
    day, time = read_timestamp(data.get("last_evaluated"), data.get("time"))
    checklist = data.get("checklist")
    rows = checklist if isinstance(checklist, list) else []
    named = [row for row in rows if isinstance(row, dict) and row.get("id")]
    ids = tuple(str(row.get("id") or "") if isinstance(row, dict) else "" for row in rows)
    asked, unusable = read_questions(rows)
    return Detail(
        key=key,
        type=str(data.get("type") or ""),
        day=day,
        time=time,
        answers=tuple(
            Answer(id=str(row["id"]), result=read_result(row.get("result")), note=str(row.get("note") or ""))
            for row in named
        ),
        backlog=read_items(data.get("backlog"), key),
        wip=str(data.get("wip") or ""),
        custom=data.get("custom_rubric"),
        version=max(read_integer(data.get(name), VERSION) for name in ("version", "schema_version")),
        rows=ids,
        asked=asked,
        baseline=read_baseline(data),
        problems=tuple(f"{detail_name(key)}: {what}" for what in (*_faults(data, rows), *unusable)),
    )


def _faults(data: Mapping[str, Any], rows: Sequence[Any]) -> Iterable[str]:
    """Yield what is wrong with the values that do not count."""
    for name in ("checklist", "backlog"):
        if data.get(name) is not None and not isinstance(data[name], list):
            yield f"{name} must be a list"
    if data.get("last_evaluated") and not read_timestamp(data["last_evaluated"])[0]:
        yield f"last_evaluated: {data['last_evaluated']!r} is not a date"
    for row in rows:
        given = row.get("result") if isinstance(row, dict) else None
        if given is not None and not read_result(given):
            yield f"{row.get('id')}: {given!r} is not an answer"


def _fields(text: str) -> dict[str, str | None] | None:
    """Return the plain values of the first level of a text in our own form; None for any other."""
    names = _NAME.findall(text)
    if not _OWN.fullmatch(text) or len(set(names)) < len(names):
        return None
    return {name: _plain(value) for name, value in _FIELD.findall(text)}


def _plain(value: str) -> str | None:
    if value in _NULL:
        return None
    return str(json.loads(value)) if value.startswith('"') else value
