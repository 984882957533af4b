"""The detail files ``artifacts/<key>.yaml``: every answer, the whole backlog, what the document was judged against.
Text to value, and the change of a value into the text; what is not changed keeps its bytes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from limpet.ground.formats.schema import KeyPath
from limpet.ground.formats.yaml_edit import Path, render_value, set_values
from limpet.ground.formats.yaml_items import insert_item, items_at
from limpet.ground.values import Value
from limpet.work.documents.form import (
    VERSION,
    BacklogItem,
    dated_timestamp,
    read_backlog_item,
    read_form,
    read_timestamp,
    read_version,
    set_rows,
)
from limpet.work.documents.rubrics import RubricAnswer, RubricItem, penalties, read_questions, read_rubric_result


class Baseline(Value):
    """What a document was judged against, as its detail file has it. Only content counts: what is put back is as it
    was. ``watched_by``: the id of the patterns that said what that is. ``watched_level``: 0 where ``watched`` names
    each file, else from how many folders (less one) it makes one entry. ``watched``: path -> id; a folder with ``/``
    and a file that only has to be there have no id of content."""

    document_hash: str = ""
    watched_hash: str = ""
    watched_by: str = ""
    watched_level: int = 0
    watched: Mapping[str, str] = {}
    requirements: Mapping[str, str] = {}


class Detail(Value):
    """The content of a detail file. ``wip``: a note on work in progress, "" for none. ``asked``: the project's own
    questions, of ``custom_rubric`` or beside the answers, as far as they can count. ``version``: the file's schema; one
    of a newer version is read only."""

    key: str
    type: str = ""
    last_evaluated: str = ""
    time: str = ""
    answers: tuple[RubricAnswer, ...] = ()
    backlog: tuple[BacklogItem, ...] = ()
    wip: str = ""
    asked: tuple[RubricItem, ...] = ()
    version: int = VERSION
    baseline: Baseline = Baseline()
    problems: tuple[str, ...] = ()

    @property
    def newer(self) -> bool:
        return self.version > VERSION


def detail_name(key: str) -> str:
    return f".limpet/artifacts/{key}.yaml"


@cache
def read_detail_text(key: str, text: str) -> Detail:
    """Raise LimpetError with ``file:line`` where the text is no YAML mapping."""
    name = detail_name(key)
    data, problems = read_form(text, name, "artifact", _faults)
    day, time = read_timestamp(data.get("last_evaluated"), data.get("time"))
    rows = [row for row in data.get("checklist") or () if isinstance(row, dict)]
    own = data.get("custom_rubric")
    listed = own.get("items") if own and isinstance(own, dict) else own or rows
    asked, unusable = read_questions(listed)
    return Detail(
        key=key,
        type=data.get("type") or "",
        last_evaluated=day,
        time=time,
        answers=tuple(
            RubricAnswer(str(row["id"]), read_rubric_result(row.get("result")), str(row.get("note") or ""))
            for row in rows
            if row.get("id")
        ),
        backlog=tuple(item for row in data.get("backlog") or () if (item := read_backlog_item(row, key))),
        wip=data.get("wip") or "",
        asked=tuple({item.id: item for item in (*asked, *penalties())}.values()) if own and asked else asked,
        version=read_version(data),
        baseline=Baseline(**{name: data[name] for name in Baseline.fields if data.get(name)}),
        problems=(*problems, *(f"{name}: {what}" for what in unusable)),
    )


def edit_detail(text: str, after: Detail) -> str:
    """Questions, weights and all else that ``after`` does not say stay. "" begins a file. Raise LimpetError."""
    name = detail_name(after.key)
    if not text:
        names = f"artifact: {render_value(after.key)}\ntype: {render_value(after.type or after.key)}\n"
        text = f"{names}last_evaluated: null\nchecklist: []\nbacklog: []\nwip: null\n"
    before = read_detail_text(after.key, text)
    rows = [str(row.get("id") or "") if isinstance(row, dict) else "" for row in items_at(text, ("checklist",), name)]
    known = {answer.id: answer for answer in before.answers}
    changes: list[tuple[Path, object]] = []
    for answer in after.answers:
        for field in ("result", "note") if answer.id in known else ():
            if getattr(answer, field) != getattr(known[answer.id], field):
                changes.append((("checklist", rows.index(answer.id), field), getattr(answer, field) or None))
    was, fields = _fields(before), _fields(after)
    changes += [((field,), fields[field]) for field in fields if fields[field] != was[field]]
    text = set_values(text, changes, name)
    for place, answer in enumerate((one for one in after.answers if one.id not in known), len(rows)):
        text = insert_item(text, ("checklist",), place, render_value(_row(answer)), name)
    if after.backlog == before.backlog:
        return text
    return set_rows(text, "backlog", after.backlog, lambda row: read_backlog_item(row, after.key), _row, name)


def _fields(detail: Detail) -> dict[str, Any]:
    found = {"last_evaluated": detail.last_evaluated, "time": detail.time, "wip": detail.wip, **vars(detail.baseline)}
    found["watched"] = dict(sorted(detail.baseline.watched.items()))
    return dated_timestamp({name: value or None for name, value in found.items()})


def _row(one: RubricAnswer | BacklogItem) -> dict[str, object]:
    found = {name: getattr(one, name) for name in one.fields if name != "artifact"}
    return dated_timestamp({name: value for name, value in found.items() if value})


def _faults(data: dict[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    day, own = data.get("last_evaluated"), data.get("custom_rubric")
    if day and not read_timestamp(day)[0]:
        yield ("last_evaluated",), f"must be a date, not {day!r}"
    if own and not read_questions(own.get("items") if isinstance(own, dict) else own)[0]:
        yield ("custom_rubric",), "must be a list of items, each with id, question and weight"
    for row in data.get("checklist") or ():
        result = row.get("result") if isinstance(row, dict) else None
        if result is not None and not read_rubric_result(result):
            yield ("checklist",), f"{row.get('id')}: {result!r} is not an answer"
