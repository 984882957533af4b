"""Finds every mistake in the entries' files, whatever bytes they hold, each with its line and a hint. Separate from the
codec, which stops at the first mistake."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.formats.frontmatter import Frontmatter, split_frontmatter
from limpet.ground.formats.yaml_text import load_yaml
from limpet.ground.values import Value
from limpet.memory.files.codec import read_body, read_frontmatter
from limpet.memory.model.entry import KEEP_LESS, LARGEST
from limpet.memory.model.ids import id_scope_of
from limpet.memory.model.layout import read_place
from limpet.memory.model.results import MemoryProblem
from limpet.memory.model.validation import memory_schema

_ALIKE = 0.8
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
# Control characters but white space, and the marks that turn the direction of writing.
_HIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_OURS = re.compile(r"^<{7} ", re.MULTILINE)
_THEIRS = re.compile(r"^>{7} ", re.MULTILINE)


class _Looked(Value):
    """A file that was looked at. ``links``: (line, key, id) of each entry that it names."""

    problems: tuple[MemoryProblem, ...]
    id: str = ""
    id_line: int = 0
    links: tuple[tuple[int, str, str], ...] = ()


def verify_text(path: str, raw: bytes) -> list[MemoryProblem]:
    return list(_look(path, raw).problems)


def verify_all(files: Iterable[tuple[str, bytes]]) -> list[MemoryProblem]:
    """Return the mistakes of all files (path and bytes): each for itself, ids that two have, ids that nobody has."""
    problems: list[MemoryProblem] = []
    owners: dict[str, str] = {}
    links: list[tuple[str, int, str, str]] = []
    for path, raw in files:
        looked = _look(path, raw)
        problems += looked.problems
        first = owners.setdefault(looked.id, path) if looked.id else path
        if first != path:
            what = f"Duplicate id {looked.id}, also in {first}"
            problems.append(
                MemoryProblem(path, looked.id_line, what, "Change one of the ids, or delete one of the files.")
            )
        links += [(path, *link) for link in looked.links]
    return problems + list(_check_links(links, owners))


def _check_links(links: Iterable[tuple[str, int, str, str]], owners: dict[str, str]) -> Iterator[MemoryProblem]:
    for path, line, key, target in links:
        if owners.get(target) == path:
            yield MemoryProblem(path, line, f"{key} names the entry itself", "Name another entry, or remove the key.")
        elif target not in owners:
            yield MemoryProblem(
                path, line, f"{key} names {target!r}, which does not exist", "Correct it, or remove the key."
            )


def _look(path: str, raw: bytes) -> _Looked:
    problems = list(_check_bytes(path, raw))
    if raw.startswith(_UTF16_MARKS):
        return _Looked(tuple(problems))
    text = _beginning(raw).decode("utf-8", "replace")
    problems += _check_characters(path, text)
    try:
        parts = split_frontmatter(text, path)
    except LimpetError as error:
        problems += [_problem_of(path, error), *_check_conflict(path, text, 1)]
        return _Looked(_in_order(problems))
    fields, errors = read_frontmatter(parts, path)
    problems += [_problem_of(path, error) for error in errors]
    problems += _check_fields(path, parts, fields)
    problems += _check_body(path, parts)
    if not errors:
        problems += _check_keys(path, parts)
    links = [(_line(parts, "supersedes"), "supersedes", target) for target in fields.get("supersedes", ())]
    if fields.get("superseded_by"):
        links.append((_line(parts, "superseded_by"), "superseded_by", fields["superseded_by"]))
    return _Looked(_in_order(problems), fields.get("id", ""), _line(parts, "id"), tuple(links))


def _check_bytes(path: str, raw: bytes) -> Iterator[MemoryProblem]:
    if read_place(path) is None:
        hint = "Move it to durable/, daily/<day>/ or session/<conversation>/ under shared/ or an agent's folder."
        yield MemoryProblem(path, 0, "Not a path for a memory", hint)
    if len(raw) > LARGEST:
        what = f"Larger than {LARGEST // 1_000_000} MB ({len(raw)} bytes); only its beginning is checked"
        yield MemoryProblem(path, 0, what, KEEP_LESS)
    if raw.startswith(_UTF16_MARKS):
        yield MemoryProblem(path, 1, "File is UTF-16", "Save it as UTF-8.")
        return
    try:
        _beginning(raw).decode()
    except UnicodeDecodeError as error:
        what = f"Not UTF-8: byte 0x{raw[error.start]:02x}"
        yield MemoryProblem(path, raw.count(b"\n", 0, error.start) + 1, what, "Save the file as UTF-8.")


def _beginning(raw: bytes) -> bytes:
    if len(raw) <= LARGEST:
        return raw
    whole, line_break, _ = raw[:LARGEST].rpartition(b"\n")
    return whole + line_break


def _check_characters(path: str, text: str) -> Iterator[MemoryProblem]:
    seen: set[str] = set()
    for found in _HIDDEN.finditer(text):
        if found[0] not in seen:
            seen.add(found[0])
            line = text.count("\n", 0, found.start()) + 1
            yield MemoryProblem(path, line, f"Invisible character U+{ord(found[0]):04X}", "Delete the character.")


def _check_conflict(path: str, text: str, line: int) -> Iterator[MemoryProblem]:
    ours = _OURS.search(text)
    if ours and _THEIRS.search(text, ours.end()):
        here = line + text.count("\n", 0, ours.start())
        yield MemoryProblem(
            path, here, "Unresolved merge conflict", "Resolve it, or indent the lines if they are meant as text."
        )


def _check_body(path: str, parts: Frontmatter) -> Iterator[MemoryProblem]:
    line = (parts.head + parts.yaml + parts.rest[: parts.body]).count("\n") + 1
    body = parts.rest[parts.body :]
    yield from _check_conflict(path, body, line)
    if not any(read_body(body)):
        yield MemoryProblem(path, line, "Neither title nor text", "Write what to remember.")


def _check_fields(path: str, parts: Frontmatter, fields: dict[str, Any]) -> Iterator[MemoryProblem]:
    move = "Correct it, or move the file: the folder decides."
    for key, what in _strays(path, fields):
        yield MemoryProblem(path, _line(parts, key), what, move)
    for earlier, later in (("valid_from", "valid_until"), ("created_at", "expires_at")):
        if fields.get(later) and fields.get(earlier, "") > fields[later]:
            yield MemoryProblem(path, _line(parts, later), f"{later} is before {earlier}", "Correct one of them.")


def _strays(path: str, fields: dict[str, Any]) -> Iterator[tuple[str, str]]:
    place = read_place(path)
    if place is None:
        return
    if fields.get("storage", place.storage) != place.storage:
        yield "storage", f"storage is {fields['storage']}, but the file is in {place.storage}/"
    scope = id_scope_of(place.owner)
    if fields.get("scope", scope) != scope:
        yield "scope", f"scope is {fields['scope']}, but the file is in {place.owner}/"
    if scope == "private" and fields.get("agent", "") not in ("", place.owner):
        yield "agent", f"agent is {fields['agent']}, but the file is private to {place.owner}"


def _check_keys(path: str, parts: Frontmatter) -> Iterator[MemoryProblem]:
    known = memory_schema()["properties"]
    data = load_yaml(parts.yaml, path)
    for key in data if isinstance(data, dict) else ():
        close = difflib.get_close_matches(str(key), known, 1, _ALIKE) if key not in known else []
        if close:
            what = f"Unknown key {str(key)[:60]} (did you mean {close[0]}?)"
            yield MemoryProblem(path, _line(parts, str(key)), what, "Correct it, or choose a more distinct name.")


def _line(parts: Frontmatter, key: str) -> int:
    names = "|".join(re.escape(name) for name in ((key, "storage_tier") if key == "storage" else (key,)))
    found = re.search(rf"""^["']?(?:{names})["']?[ \t]*:""", parts.yaml, re.MULTILINE)
    return parts.line + parts.yaml.count("\n", 0, found.start()) if found else 1


def _problem_of(path: str, error: LimpetError) -> MemoryProblem:
    line = error.where.removeprefix(f"{path}:")
    return MemoryProblem(
        path, int(line) if line.isdecimal() else 1, error.what, error.hint or "Fix the YAML in this line."
    )


def _in_order(problems: Iterable[MemoryProblem]) -> tuple[MemoryProblem, ...]:
    return tuple(sorted(problems, key=lambda problem: problem.line))
