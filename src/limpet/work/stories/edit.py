"""Creates and edits a story's text: what is not changed keeps its bytes, in frontmatter and Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import yaml

from limpet.ground.errors import LimpetError
from limpet.ground.formats.frontmatter import Frontmatter
from limpet.ground.formats.markdown import (
    DONE,
    OPEN,
    append_section,
    append_to_section,
    demote,
    find_section,
    one_line,
    read_items,
    read_sections,
    refuse_conflict_marks,
    set_box,
)
from limpet.ground.formats.yaml_edit import render_value
from limpet.ground.formats.yaml_text import compose_yaml, load_yaml, node_end
from limpet.ground.text.folding import fold
from limpet.work.markdown_file import load_keys, refuse_newer, set_document_keys, split_document
from limpet.work.stories.evidence import evidence_line
from limpet.work.stories.story import CHECKLISTS, HEADINGS, ORIGIN, SCHEMA_VERSION, Story
from limpet.work.stories.text import (
    BOX,
    DONE_KEY,
    is_described,
    key_names,
    read_checks,
    read_criterion,
    read_story_text,
)

SECTIONS = {"tasks": "Tasks", "dev_record": "Dev Agent Record", "qa_results": "QA Results"}
"""The sections that a new story gets, by their field."""


def write_story_text(story: Story) -> str:
    fields = {"id": story.id, "title": story.title, "status": story.status, "executor": story.executor_name}
    fields |= {"agent": story.agent, "workflow": story.workflow, "run": story.run, "added_during": story.added_during}
    fields |= {key: getattr(story, key) for key in ("accepted", *ORIGIN)}
    lines = [f"{key}: {render_value(value)}" for key, value in fields.items() if value]
    for key, checks in (("pre_conditions", story.pre_conditions), ("acceptance", story.acceptance)):
        lines += _block(key, [_boxed(check) for check in checks])
    lines += _block("files", [f"{path} ({change})" if change else path for path, change in story.files])
    body = [f"# {story.title}", f"## {SECTIONS['tasks']}", "\n".join(f"- {_boxed(task)}" for task in story.tasks)]
    body += [f"## {SECTIONS['dev_record']}", story.dev_record, f"## {SECTIONS['qa_results']}", story.qa_results]
    return "---\n" + "\n".join(lines) + "\n---\n\n" + "\n\n".join(part for part in body if part) + "\n"


def tick_box(text: str, field: str, which: str, done: bool, where: str) -> str:
    """Tick or clear one item of ``pre_conditions``, ``acceptance`` or ``tasks``; ``which`` is its number from 1, or
    words that only one item holds. Raise LimpetError."""
    if field not in CHECKLISTS:
        raise LimpetError(f"Not a checklist: {field}", where, f"Use one of: {', '.join(CHECKLISTS)}")
    parts = _changeable(text, where)
    data = load_keys(parts, where)
    name = key_names(data).get(field, "")
    checks = read_checks(data[name]) if name else ()
    if checks:
        checks = read_checks(data[name])
        number = find_number([text for _, text in checks], which, name, where)
        if checks[number][0] == done:
            return text
        return parts.replace(yaml=tick_yaml(parts.yaml, name, number, done, where)).text
    section = find_section(read_sections(text, len(parts.head) + len(parts.yaml) + parts.body), HEADINGS[field])
    items = read_items(text, section) if section else ()
    number = find_number([item.text for item in items], which, field, where)
    return text if items[number].box >= 0 and items[number].done == done else set_box(text, items[number], done)


def set_fields(text: str, fields: Mapping[str, object], where: str) -> str:
    """Set these fields under the names that the frontmatter has for them. Raise LimpetError."""
    names = key_names(load_keys(_changeable(text, where), where))
    return set_document_keys(text, {names.get(field, field): value for field, value in fields.items()}, where)


def append_record(text: str, field: str, words: str, where: str) -> str:
    """``field``: ``dev_record`` or ``qa_results``; a missing section is made. Raise LimpetError."""
    parts = _changeable(text, where)
    sections = read_sections(text, len(parts.head) + len(parts.yaml) + parts.body)
    section = find_section(sections, HEADINGS[field])
    words = demote(words)
    return append_to_section(text, section, words) if section else append_section(text, SECTIONS[field], words)


def show_story(text: str, shown: Sequence[tuple[int, str]], tasks: bool, note: str, where: str) -> str:
    """Return the story with what it ends by: each criterion of ``shown`` (number from 1, evidence) ticked, its evidence
    and the ``note`` in the Dev Agent Record, and all ``tasks`` ticked if they are done. Raise LimpetError."""
    story, lines = read_story_text(text, where), []
    for number, evidence in shown:
        text = tick_box(text, "acceptance", str(number), True, where)
        lines.append(evidence_line(story, number, evidence))
    for number in range(1, len(story.tasks) + 1) if tasks else ():
        text = tick_box(text, "tasks", str(number), True, where)
    lines += [f"- {note}"] if note else []
    return append_record(text, "dev_record", "\n".join(lines), where) if lines else text


def tick_yaml(text: str, key: str, number: int, done: bool, where: str) -> str:
    """Tick or clear item ``number``, from 0, of the list ``key``, every other byte kept. Items without text do not
    count. Raise LimpetError where that cannot be done."""
    node = _item_node(text, key, number, where)
    start, end, written = _edit(text, node, done)
    edited = text[:start] + written + text[end:]
    if not _holds(text, edited, key, number, done, where):
        raise LimpetError(f"Cannot tick an item of {key} in this notation", where, "Edit it by hand.")
    return edited


def find_number(texts: Sequence[str], which: str, field: str, where: str) -> int:
    wanted = which.strip()
    if wanted.isdecimal():
        if 1 <= int(wanted) <= len(texts):
            return int(wanted) - 1
        raise LimpetError(f"{field} has no item {wanted}", where, f"It has {len(texts)}.")
    found = [place for place, text in enumerate(texts) if wanted and fold(wanted) in fold(text)]
    exact = [place for place in found if fold(texts[place]) == fold(wanted)]
    if len(exact or found) != 1:
        what = (
            f"{len(found)} items of {field} contain {wanted!r}" if found else f"No item of {field} contains {wanted!r}"
        )
        raise LimpetError(what, where, f"Give its number, 1 to {len(texts)}." if texts else "The list is empty.")
    return (exact or found)[0]


def _block(key: str, items: Sequence[str]) -> list[str]:
    return [f"{key}:", *(f"  - {render_value(item)}" for item in items)] if items else []


def _boxed(check: tuple[bool, str]) -> str:
    return f"[{'x' if check[0] else ' '}] {check[1]}"


def _changeable(text: str, where: str) -> Frontmatter:
    refuse_conflict_marks(text, where)
    parts = split_document(text, where)
    refuse_newer(load_keys(parts, where).get("schema_version", SCHEMA_VERSION), SCHEMA_VERSION, where)
    return parts


def _item_node(text: str, key: str, number: int, where: str) -> yaml.Node:
    root = compose_yaml(text, where)
    pairs = root.value if isinstance(root, yaml.MappingNode) else []
    nodes: list[yaml.Node] = next((value.value for name, value in pairs if name.value == key), [])
    data = load_yaml(text, where)
    items = data.get(key) if isinstance(data, dict) else None
    checks = [node for node, item in zip(nodes, items or (), strict=False) if read_criterion(item)[1]]
    if number >= len(checks):
        raise LimpetError(f"{key} has no item {number + 1}", where)
    return checks[number]


def _edit(text: str, node: yaml.Node, done: bool) -> tuple[int, int, str]:
    """Return start, end and replacement of the source to change."""
    mark = DONE if done else OPEN
    start, end = node.start_mark.index, node_end(node)
    if isinstance(node, yaml.MappingNode):
        word = "true" if done else "false"
        known = {name.value: value for name, value in node.value}
        if DONE_KEY in known:
            return known[DONE_KEY].start_mark.index, known[DONE_KEY].end_mark.index, word
        if len(known) == 1 and not is_described(dict.fromkeys(known, "said")):
            key, value = node.value[0]
            return start, end, render_value(f"[{DONE if done else OPEN}] {key.value}: {value.value}")
        if node.flow_style:
            return start + 1, start + 1, f"done: {word}, "
        line_break = "\r\n" if "\r\n" in text else "\n"
        return start, start, f"done: {word}{line_break}{' ' * node.start_mark.column}"
    opening = text.find("[", start, end)
    if opening >= 0 and BOX.match(str(node.value)):
        return opening + 1, opening + 2, mark
    return start, end, render_value(f"[{mark}] {one_line(str(node.value))}")


def _holds(text: str, edited: str, key: str, number: int, done: bool, where: str) -> bool:
    """The edit changed this item's state and nothing else that a reader sees."""
    try:
        old, new = load_yaml(text, where), load_yaml(edited, where)
    except LimpetError:
        return False
    if not isinstance(old, dict) or not isinstance(new, dict):
        return False
    wanted = list(read_checks(old.pop(key)))
    wanted[number] = (done, wanted[number][1])
    return list(read_checks(new.pop(key, None))) == wanted and repr(old) == repr(new)
