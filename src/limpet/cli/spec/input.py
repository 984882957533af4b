"""Parses the answers to a document's checklist, from options or a file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.formats.yaml_text import load_yaml
from limpet.ground.storage.text_file import read_strictly
from limpet.work.documents.scoring import Answer, read_result


def given_answers(answers: Iterable[str], notes: Iterable[str], file: str | None) -> dict[str, Answer]:
    """Return answers by their id, of a file and of options, which count for more.

    Raises LimpetError for what is no answer, and for a note without one.
    """
    found = read_answers(file) if file else {}
    for text in answers:
        name, value = _pair(text, "--answer", "ID=yes|no|n/a")
        found[name] = Answer(name, _result(name, value), found[name].note if name in found else "")
    for text in notes:
        name, value = _pair(text, "--note", "ID=TEXT")
        if name not in found:
            raise LimpetError("A note needs an answer", name, f"add --answer {name}=yes|no|n/a")
        found[name] = found[name].replace(note=value)
    return found


def read_answers(file: str) -> dict[str, Answer]:
    """Return the answers in a YAML or JSON file.

    It is a mapping of ids to results, or to result and note, or a list of such with their ids; under ``answers`` or
    ``checklist`` or at the top. Raises LimpetError.
    """
    text = read_strictly(file, file)
    try:
        data: Any = json.loads(text) if file.lower().endswith(".json") else load_yaml(text, file)
    except ValueError as error:
        raise LimpetError(f"Invalid JSON ({error})", file) from None
    if isinstance(data, Mapping):
        data = data.get("answers", data.get("checklist", data))
    if isinstance(data, Mapping):
        data = [{"id": key, **(row if isinstance(row, Mapping) else {"result": row})} for key, row in data.items()]
    if not isinstance(data, list) or not all(isinstance(row, Mapping) and row.get("id") for row in data):
        raise LimpetError("No answers found", file, "write `ID: yes`, `no` or `n/a`, one per line")
    rows = [row for row in data if row.get("result") is not None]
    found = [Answer(name := str(row["id"]), _result(name, row["result"]), str(row.get("note") or "")) for row in rows]
    return {answer.id: answer for answer in found}


def _pair(text: str, option: str, form: str) -> tuple[str, str]:
    name, mark, value = text.partition("=")
    if not mark or not name.strip():
        raise LimpetError(f"Invalid {option} {text!r}", hint=f"use {option} {form}")
    return name.strip(), value.strip()


def _result(name: str, value: object) -> str:
    result = read_result(value)
    if not result:
        raise LimpetError(f"{value!r} is not an answer", name, "use yes, no or n/a")
    return result
