"""Briefs a story, and whoever works, with what of the knowledge matters for it. What a story was told stands in its
folder, so that its steps and the block say the same until it ends."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.errors import LimpetError
from limpet.ground.formats.markdown import one_line
from limpet.ground.formats.yaml_edit import render_value
from limpet.ground.formats.yaml_text import load_yaml
from limpet.ground.git import changed_files, files_between, references
from limpet.ground.safety.dotenv import without_secrets
from limpet.ground.safety.instructions import flags_of
from limpet.ground.storage.files import read_text
from limpet.ground.text.escaping import clip
from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER, Workspace
from limpet.learning.briefing import (
    BUILDS,
    Briefed,
    Topic,
    briefed_line,
    keywords,
    select_entries,
    work_of,
)
from limpet.learning.model import (
    ANTI_PATTERN,
    KEYS,
    PREFIXES,
    KnowledgeEntry,
    is_contested,
)
from limpet.learning.roles import is_for, roles_of
from limpet.operations.project_state import ProjectState
from limpet.work.markdown_file import read_inside, rewrite, sole_document_writer
from limpet.work.outputs import lies_inside
from limpet.work.stories.store import STORIES
from limpet.work.stories.story import Story

FILE = "briefing.yml"
CONTEXT, COMMIT = "story_context", "commit"
# What the story's context says beside that: the ids that stood in files before it, and what of the knowledge is broken.
STOOD, BROKEN = "ids_before", "not_read"
BROKEN_ENTRY = "An entry with a mistake"
# What the file calls these fields of an anti-pattern.
_NAMES = {"text": "failed_approach", "guidance": "recommended_approach"}
_FIELDS, _LISTS = ("id", "text", "confidence", "guidance", "severity", "roles"), ("guidance", "roles")
_MARKS = ("recheck", "contested")
IDS = re.compile(rf"\b(?:{'|'.join(PREFIXES.values())})-\d{{3,}}\b")
LONGEST = 300
# Files that are looked through, and endings of what is no code: there PR-12 may be a pull request.
MOST_FILES, PROSE = 500, (".md", ".rst", ".txt", ".adoc")


class TaughtLine(Value):
    """An entry of the knowledge as it is told, or a remark on what cannot be read. ``roles``: for whom, () for all."""

    id: str
    line: str
    roles: tuple[str, ...] = ()


def brief_story(project: ProjectState, story: Story) -> None:
    """Write what matters for a story, of all roles, into its ``briefing.yml``. Raise LimpetError where that fails."""
    # A prompt may wait for the process that makes the mirror, which reads what was told, and no store.
    from limpet.learning.store import read_stores

    said = (story.title, *(text for _, text in (*story.acceptance, *story.tasks)))
    roles = (*BUILDS, *work_of("qa-implementation"))
    topic = Topic(" ".join(said), tuple(path for path, _ in story.files), roles)
    stores, mistakes = read_stores(project.workspace)
    if not any(stores.values()) and not mistakes:
        return
    briefed = select_entries(stores, topic, project.settings["learning"])
    known, root = story_context(project.workspace, story.id), project.workspace.root
    found = {} if known else named_in_code(root, story)
    context: dict[str, Any] = {
        "id": story.id,
        "keywords": keywords(topic),
        COMMIT: known.get(COMMIT) or (references(root) or {}).get("HEAD", ""),
        STOOD: known.get(STOOD) or {path: sorted(ids) for path, ids in found.items() if ids},
        BROKEN: _broken_lines(mistakes),
    }
    text = without_secrets(project.workspace, "\n".join(_file_lines(context, briefed)) + "\n")
    path, where = _place(project.workspace, story.id)
    with sole_document_writer(project.workspace, STORIES):
        rewrite(path, where, lambda _: text)


def named_in_code(root: str, story: Story, begun: str = "", head: str = "") -> dict[str, set[str]]:
    """Path -> the ids of entries that stand in it, of the story's files and those that are not committed, or were
    since ``begun``."""
    listed = {path for path, _ in story.files}
    paths = listed | set(changed_files(root) or ()) | (files_between(root, begun, head) if begun != head else set())
    code = (path for path in paths if not path.startswith(f"{FOLDER}/") and not path.lower().endswith(PROSE))
    own = sorted((path for path in code if lies_inside(root, path)), key=lambda path: (path not in listed, path))
    texts = {path: read_text(os.path.join(root, path), STATE_BYTES) or "" for path in own[:MOST_FILES]}
    return {path: set(IDS.findall(text)) for path, text in texts.items() if "\0" not in text}


def told_of(workspace: Workspace, story_id: str) -> tuple[Briefed, ...]:
    """What the story was told when it was begun; () where it was told nothing, or that cannot be read."""
    data = read_briefing(workspace, story_id)
    told = []
    for kind, key in KEYS.items():
        each = data.get(f"relevant_{key}")
        for fields in each if isinstance(each, list) else ():
            if isinstance(fields, dict) and (one := _told(kind, fields)):
                told.append(one)
    return tuple(told)


def read_briefing(workspace: Workspace, story_id: str) -> dict[str, Any]:
    """{} where there is none that can be read."""
    try:
        data = load_yaml(read_inside(*_place(workspace, story_id)) or "", FILE)
    except LimpetError:
        return {}
    return data if isinstance(data, dict) else {}


def story_context(workspace: Workspace, story_id: str) -> dict[str, Any]:
    context = read_briefing(workspace, story_id).get(CONTEXT)
    return context if isinstance(context, dict) else {}


def lines_for_story(project: ProjectState, story_id: str, agent: str) -> tuple[str, ...]:
    return _shown(project, taught_of_story(project, story_id), agent)


def taught_of_story(project: ProjectState, story_id: str) -> tuple[TaughtLine, ...]:
    """What the story was told, for all roles."""
    broken = story_context(project.workspace, story_id).get(BROKEN)
    told = told_of(project.workspace, story_id)
    return tuple(_lines(project, told, broken if isinstance(broken, list) else ()))


def lines_for(project: ProjectState, agent: str, text: str) -> tuple[str, ...]:
    """What an agent is told for work that is no story: by the words of ``text``, and its kind of work."""
    from limpet.learning.store import read_stores

    stores, mistakes = read_stores(project.workspace)
    briefed = select_entries(stores, Topic(text, work=work_of(agent)), project.settings["learning"])
    return _shown(project, _lines(project, briefed, _broken_lines(mistakes)), agent)


def _shown(project: ProjectState, lines: Iterable[TaughtLine], agent: str) -> tuple[str, ...]:
    roles = roles_of(agent, project.settings["learning"]["roles"])
    return tuple(one.line for one in lines if is_for(roles, one.roles))


def _lines(project: ProjectState, briefed: Sequence[Briefed], broken: Sequence[object]) -> Iterator[TaughtLine]:
    for mistake in broken:
        yield _line(project, BROKEN_ENTRY, str(mistake))
    for one in briefed:
        yield _line(project, one.entry.id, briefed_line(one)).replace(roles=one.entry.roles)


def _line(project: ProjectState, name: str, text: str) -> TaughtLine:
    line = without_secrets(project.workspace, text)
    return TaughtLine(name, f"{name} reads like an instruction: not quoted" if flags_of(line) else line)


def _broken_lines(mistakes: Sequence[str]) -> list[str]:
    more = f" (and {len(mistakes) - 1} more)" if len(mistakes) > 1 else ""
    return [f"{BROKEN_ENTRY} is not told: {clip(one_line(mistakes[0]), LONGEST)}{more}"] if mistakes else []


def _place(workspace: Workspace, story_id: str) -> tuple[str, str]:
    return workspace.path(STORIES, story_id, FILE), f"{FOLDER}/{STORIES}/{story_id}/{FILE}"


def _file_lines(context: dict[str, Any], briefed: Sequence[Briefed]) -> Iterator[str]:
    yield from (f"{CONTEXT}:", *(f"  {key}: {render_value(value)}" for key, value in context.items() if value))
    for kind, key in KEYS.items():
        mine = [_fields(one) for one in briefed if one.entry.kind == kind]
        yield f"relevant_{key}:{'' if mine else ' []'}"
        for fields in mine:
            written = [f"{name}: {render_value(value)}" for name, value in fields.items() if value]
            yield from (f"{'    ' if place else '  - '}{line}" for place, line in enumerate(written))


def _fields(one: Briefed) -> dict[str, Any]:
    names = _NAMES if one.entry.kind == ANTI_PATTERN else {}
    found = {names.get(name, name): getattr(one.entry, name) for name in _FIELDS}
    return {**found, "relevance": one.relevance, **{name: getattr(one, name) for name in _MARKS}}


def _told(kind: str, fields: dict[str, Any]) -> Briefed | None:
    names = _NAMES if kind == ANTI_PATTERN else {}
    found = {name: fields[names.get(name, name)] for name in _FIELDS if names.get(name, name) in fields}
    are_texts = all(isinstance(found.get(name), str) for name in ("id", "text"))
    if not (are_texts and isinstance(found.get("confidence"), (int, float))):
        return None
    for name in _LISTS:
        value = found.get(name, ())
        found[name] = tuple(map(str, value if isinstance(value, (list, tuple)) else (value,)))
    marks = {name: bool(fields.get(name)) for name in _MARKS}
    return Briefed(KnowledgeEntry(kind=kind, **found), str(fields.get("relevance") or ""), 0, **marks)


def entry_data(entry: KnowledgeEntry) -> dict[str, object]:
    return {
        "guidance": list(entry.guidance),
        "roles": list(entry.roles),
        "status": entry.status,
        "contested": is_contested(entry.evidence),
        "from": list(dict.fromkeys(each.source for each in entry.evidence)) or [entry.source],
        "evidence": [dict(each.__dict__) for each in entry.evidence],
    }
