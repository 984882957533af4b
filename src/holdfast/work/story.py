"""A story (decision 38) as a value, and the reader of its two forms: ``story.md`` and ``story.yml``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from holdfast.ground.errors import HoldfastError
from holdfast.ground.frontmatter import Frontmatter
from holdfast.ground.schema import load_schema, sift
from holdfast.ground.values import Value
from holdfast.ground.words import fold, split_words
from holdfast.ground.yamltext import key_lines, load_yaml
from holdfast.work.checklist import read_checks, read_files
from holdfast.work.document import key_error, split_document
from holdfast.work.markdown import (
    Section,
    find_section,
    one_line,
    read_items,
    read_sections,
    refuse_conflict_marks,
    section_text,
)

SCHEMA_VERSION = 1
EXECUTORS = {"agente": "agent", "humano": "human", "operario": "worker"}
"""Other names of the four executors, folded (ADR-001 SYNAPSE E7 has Portuguese ones)."""

KINDS = ("agent", "worker", "human", "clone")
KEYS = {
    "story": "id",
    "story id": "id",
    "active task": "title",
    "titulo": "title",
    "executor type": "executor",
    "executor tipo": "executor",
    "assignee": "agent",
    "agente": "agent",
    "responsavel": "agent",
    "pre conditions": "pre_conditions",
    "preconditions": "pre_conditions",
    "pre condicoes": "pre_conditions",
    "acceptance criteria": "acceptance",
    "criterios de aceite": "acceptance",
    "criterios de aceitacao": "acceptance",
    "file list": "files",
    "arquivos": "files",
    "lista de arquivos": "files",
    "fluxo": "workflow",
    "tarefas": "tasks",
}
"""Other names of the frontmatter's keys, as folded words."""

HEADINGS = {
    "pre_conditions": ("pre conditions", "preconditions", "pre condicoes"),
    "acceptance": ("acceptance criteria", "acceptance", "criterios de aceite", "criterios de aceitacao"),
    "files": ("file list", "files", "lista de arquivos", "arquivos"),
    "tasks": ("tasks", "tasks subtasks", "tarefas", "tarefas subtarefas"),
    "dev_record": ("dev agent record", "registro do agente dev", "registro do agente de desenvolvimento"),
    "qa_results": ("qa results", "resultados de qa", "resultados do qa"),
}
"""Field -> the headings under which it stands in the Markdown, as ``markdown.heading_key`` gives them."""

CHECKLISTS = ("pre_conditions", "acceptance", "tasks")
_TEXTS = ("id", "title", "workflow", "status")
_WORDS = re.compile(r"@?[\w.-]+")

Checks = tuple[tuple[bool, str], ...]


class Story(Value):
    """A unit of work. Conditions, acceptance and tasks are (done, text), files (path, new|modify|delete or ""), ``agent``
    is written ``@dev``; ``executor_name`` is how the story itself calls its executor; ``problems`` are the lines,
    with ``file:line``, that say what in the file does not count."""

    id: str
    title: str
    executor: str = "agent"
    executor_name: str = "agent"
    agent: str = ""
    pre_conditions: Checks = ()
    acceptance: Checks = ()
    files: tuple[tuple[str, str], ...] = ()
    workflow: str = ""
    status: str = ""
    tasks: Checks = ()
    dev_record: str = ""
    qa_results: str = ""
    problems: tuple[str, ...] = ()

    @property
    def open_conditions(self) -> tuple[str, ...]:
        """The pre-conditions that are not met."""
        return tuple(text for done, text in self.pre_conditions if not done)

    @property
    def open_criteria(self) -> tuple[str, ...]:
        """The acceptance criteria that are not met."""
        return tuple(text for done, text in self.acceptance if not done)


def current_task(story: Story) -> tuple[int, str]:
    """Number, from 1, and text of the first task that is not done; (0, "") where none is left."""
    return next(((place, text) for place, (done, text) in enumerate(story.tasks, 1) if not done), (0, ""))


def progress(story: Story) -> str:
    """``task 2 of 3: Build the endpoint``, ``all 3 tasks done``, or nothing for a story without tasks."""
    number, text = current_task(story)
    if number:
        return f"task {number} of {len(story.tasks)}: {text}"
    return f"all {len(story.tasks)} tasks done" if story.tasks else ""


def read_story_text(text: str, where: str, story_id: str = "") -> Story:
    """The story of a ``story.md``; ``story_id``, its folder's name, wins over the id in the file.

    Raises HoldfastError with ``file:line`` for YAML that cannot be read and for an unsettled merge conflict.
    """
    refuse_conflict_marks(text, where)
    parts = split_document(text, where)
    fields, problems = read_story_fields(parts, where)
    sections = read_sections(text, len(parts.head) + len(parts.yaml) + parts.body)
    return _story({**_markdown_fields(text, sections, fields), **fields}, story_id, problems)


def read_story_yaml(text: str, where: str, story_id: str = "") -> Story:
    """The story of a ``story.yml``, whose keys are those of the frontmatter. Raises HoldfastError as above."""
    refuse_conflict_marks(text, where)
    fields, problems = read_story_fields(Frontmatter(head="", yaml=text, rest="", body=0), where)
    return _story(fields, story_id, problems)


def read_story_fields(parts: Frontmatter, where: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The frontmatter's good fields under their own names, and a line for each value that does not count."""
    try:
        data = load_yaml(parts.yaml, where)
        lines = key_lines(parts.yaml, where)
    except HoldfastError as error:
        raise key_error(error, parts, where) from None
    if data is not None and not isinstance(data, dict):
        raise HoldfastError("must be keys with values", f"{where}:{parts.line}", "mend the frontmatter by hand")
    names = key_names(data or {})
    good, faults = sift({field: (data or {})[name] for field, name in names.items()}, load_schema("story"))
    problems = []
    for fault in faults:
        path = (str(names.get(fault.path[0], fault.path[0])), *fault.path[1:])
        line = lines.get(path, 1) + parts.line - 1
        problems.append(f"{where}:{line}: {'.'.join(path)} {fault.what}")
    executor = good.get("executor")
    if executor is not None and not _read_executor(executor)[0]:
        line = lines.get((str(names["executor"]),), 1) + parts.line - 1
        problems.append(f"{where}:{line}: executor must be one of {', '.join(KINDS)} (got {executor!r})")
    return {key: value for key, value in good.items() if value is not None}, tuple(problems)


def key_names(data: Mapping[Any, Any]) -> dict[str, str]:
    """Field -> the name that this frontmatter has for it; a field's own name wins over its other ones."""
    names: dict[str, str] = {}
    for name in data:
        field = KEYS.get(" ".join(split_words(fold(str(name)))), str(name))
        if field not in names or name == field:
            names[field] = name
    return names


def _markdown_fields(text: str, sections: Sequence[Section], fields: Mapping[str, Any]) -> dict[str, Any]:
    """What the Markdown tells of a story; the frontmatter's own lists win over it."""
    found = {field: find_section(sections, keys) for field, keys in HEADINGS.items()}
    told: dict[str, Any] = {"title": next((section.title for section in sections if section.rank == 1), "")}
    for field, section in found.items():
        if section is None or fields.get(field):
            continue
        if field in CHECKLISTS:
            told[field] = [f"[{'x' if item.done else ' '}] {item.text}" for item in read_items(text, section)]
        else:
            items = [item.text for item in read_items(text, section)] if field == "files" else []
            told[field] = items if field == "files" else section_text(text, section)
    return told


def _story(fields: Mapping[str, Any], story_id: str, problems: tuple[str, ...]) -> Story:
    told = {key: one_line(str(fields.get(key) or "")) for key in _TEXTS}
    executor, name, agent = _read_executor(fields.get("executor"))
    identity = story_id or told["id"]
    return Story(
        id=identity,
        title=told["title"] or identity,
        executor=executor or "agent",
        executor_name=name or "agent",
        agent=_at(str(fields.get("agent") or "") or agent),
        pre_conditions=read_checks(fields.get("pre_conditions")),
        acceptance=read_checks(fields.get("acceptance")),
        files=read_files(fields.get("files")),
        workflow=told["workflow"],
        status=told["status"],
        tasks=read_checks(fields.get("tasks")),
        dev_record=str(fields.get("dev_record") or ""),
        qa_results=str(fields.get("qa_results") or ""),
        problems=problems,
    )


def _read_executor(found: object) -> tuple[str, str, str]:
    """Kind, the name given to it, and agent, of ``human``, ``Humano``, ``@dev`` or ``@dev (Agente)``."""
    words = _WORDS.findall(str(found or ""))
    agent = next((word for word in words if word.startswith("@")), "")
    for word in words:
        kind = EXECUTORS.get(fold(word), fold(word))
        if kind in KINDS:
            return kind, word, agent
    return ("agent", "agent", agent) if agent else ("", "", "")


def _at(name: str) -> str:
    plain = one_line(name).lstrip("@")
    return f"@{plain}" if plain else ""
