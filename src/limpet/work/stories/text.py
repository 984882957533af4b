"""Reads a story's two forms, ``story.md`` and ``story.yml``, under the names that people give to its parts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from limpet.ground.formats.frontmatter import Frontmatter
from limpet.ground.formats.markdown import (
    DONE,
    Section,
    find_section,
    one_line,
    plain_lines,
    read_items,
    read_sections,
    refuse_conflict_marks,
    section_text,
)
from limpet.ground.formats.schema import load_schema, sift
from limpet.ground.formats.yaml_text import key_lines
from limpet.ground.text.folding import fold
from limpet.ground.text.words import split_words
from limpet.work.markdown_file import load_keys, split_document
from limpet.work.stories.file_list import read_file_section, read_story_files
from limpet.work.stories.story import CHECKLISTS, HEADINGS, KEYS, KINDS, ORIGIN, SCHEMA_VERSION, Story

EXECUTORS = {"agente": "agent", "humano": "human", "operario": "worker"}
"""Other names of the four executors, folded (ADR-001 SYNAPSE E7 has Portuguese ones)."""

_TEXTS = ("id", "title", "workflow", "status", "run", "added_during", "accepted", *ORIGIN)
_WORDS = re.compile(r"@?[\w.-]+")
Check = tuple[bool, str]
DONE_KEY = "done"
# The keys of a criterion's words, and those that say whether it is met, in files of several tools.
_SAID = ("text", "description", "criterion", "statement", "title", "name")
_MET = (DONE_KEY, "met", "completed", "status")
_YES = ("true", "yes", "x", "done", "met", "completed", "complete", "passed")
# What people write in bold, in a row or behind a dash: **Status:** Done.
_STATUS = re.compile(r"[\s>*_|-]*(?:story )?(?:status|estado|situa[cç][aã]o)[\s*_]*[:：|][\s*_|:]*(.*)", re.IGNORECASE)
_LONGEST_STATUS = 40
BOX = re.compile(r"\s*(?:[-*+]\s+)?\[([ xX])\](?:\s+|$)")


def read_story_text(text: str, where: str, story_id: str = "") -> Story:
    """``story_id``, its folder's name, wins over the id in the file. Raise LimpetError with ``file:line`` for YAML that
    cannot be read and for an unsettled merge conflict."""
    refuse_conflict_marks(text, where)
    parts = split_document(text, where)
    fields, problems = read_story_fields(parts, where)
    sections = read_sections(text, len(parts.head) + len(parts.yaml) + parts.body)
    merged = {**_markdown_fields(text, sections, fields), **{key: value for key, value in fields.items() if value}}
    return _story(merged, story_id, (*problems, *_twice(text, sections, fields, where)))


def read_story_yaml(text: str, where: str, story_id: str = "") -> Story:
    """The keys of a ``story.yml`` are those of the frontmatter. Raise LimpetError as for ``story.md``."""
    refuse_conflict_marks(text, where)
    fields, problems = read_story_fields(Frontmatter(head="", yaml=text, rest="", body=0), where)
    return _story(fields, story_id, problems)


def read_story_fields(parts: Frontmatter, where: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the good fields under their own names, and a line for each value that does not count."""
    data = load_keys(parts, where)
    names = key_names(data)
    good, faults = sift({field: data[name] for field, name in names.items()}, load_schema("story"))
    found = [(fault.path[0], fault.what) for fault in faults] + list(_more_faults(good))
    lines = key_lines(parts.yaml, where) if found else {}
    problems = []
    for field, what in found:
        name = str(names[field])
        problems.append(f"{where}:{lines.get((name,), 1) + parts.line - 1}: {name} {what}")
    return {key: value for key, value in good.items() if value is not None}, tuple(problems)


def key_names(data: Mapping[Any, Any]) -> dict[str, str]:
    """Return the name that this frontmatter has for each field; a field's own name wins over its other ones."""
    names: dict[str, str] = {}
    for name in data:
        field = KEYS.get(" ".join(split_words(fold(str(name)))), str(name))
        if field not in names or name == field:
            names[field] = name
    return names


def read_checks(found: object) -> tuple[Check, ...]:
    """Return the (done, text) of a list; what has no text is left out."""
    checks = [read_criterion(item) for item in found] if isinstance(found, list) else []
    return tuple(check for check in checks if check[1])


def read_criterion(item: object) -> Check:
    """Return (done, text) of ``"[x] text"``, ``{text: ..., done: true}`` or a text that YAML split at its colon."""
    if isinstance(item, Mapping):
        if is_described(item):
            met = next((item[key] for key in _MET if item.get(key) is not None), None)
            said = next((item[key] for key in _SAID if item.get(key)), None)
            steps = [f"{key.capitalize()} {item[key]}" for key in ("given", "when", "then") if item.get(key)]
            ticked, words = read_criterion(", ".join(steps) if said is None else str(said))
            return (ticked if met is None else str(met).lower() in _YES), words
        key, value = next(iter(item.items())) if len(item) == 1 else (None, None)
        if key is None or isinstance(value, (dict, list)):
            return False, ""
        return read_criterion(f"{key}: {'' if value is None else value}")
    if isinstance(item, (list, type(None))):
        return False, ""
    text = str(item)
    box = BOX.match(text)
    return (box[1].lower() == DONE, one_line(text[box.end() :])) if box else (False, one_line(text))


def is_described(item: Mapping[Any, Any]) -> bool:
    """It has its words under a key, in place of being a text that YAML split at its colon."""
    known = _SAID[:3] if len(item) == 1 else (*_SAID, "then")
    return any(item.get(key) for key in known)


def _more_faults(fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    executor, version = fields.get("executor"), fields.get("schema_version", SCHEMA_VERSION)
    if executor is not None and not _read_executor(executor)[0]:
        yield "executor", f"must be one of {', '.join(KINDS)} (got {executor!r})"
    if version > SCHEMA_VERSION:
        yield "schema_version", f"is {version}, newer than this Limpet supports: the file is read-only"


def _markdown_fields(text: str, sections: Sequence[Section], fields: Mapping[str, Any]) -> dict[str, Any]:
    found = {field: find_section(sections, keys) for field, keys in HEADINGS.items()}
    values: dict[str, Any] = {"title": next((section.title for section in sections if section.rank == 1), "")}
    for field, section in found.items():
        if section is None or fields.get(field):
            continue
        if field in CHECKLISTS:
            values[field] = [f"[{'x' if item.done else ' '}] {item.text}" for item in read_items(text, section)]
        else:
            values[field] = section_text(text, section)
    if files := found["files"]:
        values["files"] = [{"path": path, "change": change} for path, change in read_file_section(text, files)]
    values["status"] = _read_status(text, sections, found)
    return values


def _read_status(text: str, sections: Sequence[Section], found: Mapping[str, Section | None]) -> str:
    """What stands below a heading Status, else in a line of its own before the parts of the story."""
    own = found["status"]
    lines = [line for _, line in plain_lines(text, own.body, own.end) if line.strip()] if own else []
    if own and not lines and (named := _STATUS.match(own.title)):
        lines = [named[1]]
    parts = [section.start for field, section in found.items() if section and field != "status"]
    above = (_STATUS.match(line) for _, line in plain_lines(text, 0, min(parts, default=len(text))))
    said = [*lines[:1], *(line[1] for line in above if line)]
    for each in said:
        named = _STATUS.match(each)
        plain = re.split(r"\s*[|(—–]|\s-\s", (named[1] if named else each).strip("*_` \t"))[0]
        plain = re.sub(r"^\W+|[\W_]+$", "", plain)
        if plain and len(plain) <= _LONGEST_STATUS:
            return plain
    return ""


def _twice(text: str, sections: Sequence[Section], fields: Mapping[str, Any], where: str) -> Iterator[str]:
    for field in (*CHECKLISTS, "files"):
        section = find_section(sections, HEADINGS[field]) if fields.get(field) else None
        if section and read_items(text, section):
            line = text.count("\n", 0, section.start) + 1
            yield f"{where}:{line}: {section.title} is ignored, because the frontmatter has {field}"


def _story(fields: Mapping[str, Any], story_id: str, problems: tuple[str, ...]) -> Story:
    texts = {key: one_line(str(fields.get(key) or "")) for key in _TEXTS}
    executor, name, agent = _read_executor(fields.get("executor"))
    identity = story_id or texts["id"]
    plain = one_line(str(fields.get("agent") or "") or agent).lstrip("@")
    return Story(
        id=identity,
        title=texts["title"] or identity,
        executor=executor or "agent",
        executor_name=name or "agent",
        agent=f"@{plain}" if plain else "",
        pre_conditions=read_checks(fields.get("pre_conditions")),
        acceptance=read_checks(fields.get("acceptance")),
        files=read_story_files(fields.get("files")),
        workflow=texts["workflow"],
        status=texts["status"],
        tasks=read_checks(fields.get("tasks")),
        dev_record=str(fields.get("dev_record") or ""),
        qa_results=str(fields.get("qa_results") or ""),
        run=texts["run"],
        added_during=texts["added_during"],
        accepted=texts["accepted"],
        **{key: texts[key] for key in ORIGIN},
        problems=problems,
    )


def _read_executor(found: object) -> tuple[str, str, str]:
    words = _WORDS.findall(str(found or ""))
    agent = next((word for word in words if word.startswith("@")), "")
    for word in words:
        kind = EXECUTORS.get(fold(word), fold(word))
        if kind in KINDS:
            return kind, word, agent
    return ("agent", "agent", agent) if agent else ("", "", "")
