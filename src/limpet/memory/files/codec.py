"""An entry as text and back (chati.dev V7.1 section 4.3); a change of one thing leaves every other byte as it was."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.formats.frontmatter import Frontmatter, set_keys, split_frontmatter
from limpet.ground.formats.markdown import one_line, plain_lines
from limpet.ground.formats.yaml_text import key_lines, load_yaml
from limpet.ground.storage.text_file import refuse_conflict
from limpet.ground.text.escaping import clip
from limpet.ground.values import Value
from limpet.memory.model.entry import EVIDENCE, MemoryEntry
from limpet.memory.model.validation import ALIASES, TIMES, is_optional, plain, read_fields, to_utc, write_fields

LONGEST_TITLE = 120
_TITLE = re.compile(r" {0,3}#(?:[ \t]+|$)")
_EVIDENCE = re.compile(rf"#{{1,6}}[ \t]+{EVIDENCE}[ \t]*$")


def read_entry_text(text: str, where: str) -> MemoryEntry:
    """Raise LimpetError with ``file:line`` for the first mistake."""
    parts = split_frontmatter(text, where)
    fields, errors = read_frontmatter(parts, where)
    if errors:
        raise errors[0]
    title, body = read_body(parts.rest[parts.body :])
    return MemoryEntry(title=title, body=body, **fields)


def read_frontmatter(parts: Frontmatter, where: str) -> tuple[dict[str, Any], list[LimpetError]]:
    """Return (the good fields, as ``Entry`` takes them; every mistake with ``file:line``, line by line)."""
    try:
        refuse_conflict(parts.yaml, where)
        fields, faults = read_fields(load_yaml(parts.yaml, where))
    except LimpetError as error:
        return {}, [_moved(error, where, parts.line - 1)]
    lines = key_lines(parts.yaml, where) if faults else {}
    found = [(lines.get(fault.path, 0) + parts.line - 1, fault) for fault in faults]
    errors = []
    for line, fault in sorted(found, key=lambda pair: pair[0]):
        hint = "Add it." if fault.what == "is missing" else "Correct it, or remove the key."
        errors.append(LimpetError(" ".join((*fault.path, fault.what)), f"{where}:{line}", hint))
    return fields, errors


def write_entry_text(entry: MemoryEntry) -> str:
    """Raise LimpetError for an entry that could not be read back."""
    fields = "".join(f"{key}: {value}\n" for key, value in write_fields(entry))
    body = normal_body(entry.body)
    text = f"---\n{fields}---\n\n# {one_line(entry.title)}\n" + (f"\n{body}\n" if body else "")
    read_entry_text(writable := _without_surrogates(text), entry.id)
    return writable


def change_entry_text(text: str, changes: Mapping[str, object], where: str) -> str:
    """Return the text with keys of the frontmatter, ``title`` or ``body`` changed; None takes a key out. A value that
    the text has already is not touched. Raise LimpetError with ``file:line`` where the text, or what it would become,
    is wrong."""
    entry = read_entry_text(text, where)
    real = {key: value for key, value in changes.items() if _differs(entry, key, value)}
    parts = split_frontmatter(text, where)
    try:
        parts = set_keys(parts, dict(_key_changes(parts, real, where)), where)
    except LimpetError as error:
        raise _moved(error, where, parts.line - 1) from None
    if "title" in real or "body" in real:
        closing, markdown = parts.rest[: parts.body], parts.rest[parts.body :]
        if not closing.endswith("\n"):
            closing += parts.line_break
        wanted = {"title": entry.title, "body": entry.body, **real}
        title, body = str(wanted["title"] or ""), str(wanted["body"] or "")
        parts = parts.replace(rest=closing + change_body(markdown, title, body, parts.line_break))
    changed = _without_surrogates(parts.text)
    read_entry_text(changed, where)
    return changed


def rewrite_entry_text(text: str, entry: MemoryEntry) -> str:
    """Return a text that came from elsewhere saying what the entry says, its other bytes as they were; "" where that
    cannot be done. Scope and storage are what the entry's place says."""
    try:
        old = read_entry_text(text, entry.id).replace(scope=entry.scope, storage=entry.storage)
        new = {name: getattr(entry, name) for name in MemoryEntry.fields if getattr(entry, name) != getattr(old, name)}
        return change_entry_text(text, new, entry.id)
    except LimpetError:
        return ""


class _Line(Value):
    """The title's line in its text, without the line's end. ``words``: start of the title itself. ``made``: it is no
    heading but the first line of a text without one."""

    start: int
    words: int
    end: int
    made: bool


def read_body(text: str) -> tuple[str, str]:
    """Return (title, body), with plain line breaks. The title is the first heading of the first rank, else the first
    line. One that is too long is clipped, and stands in the body too."""
    line = _find_title(text)
    whole = text[line.words : line.end]
    title = one_line(whole)
    kept = "" if len(title) <= LONGEST_TITLE else whole
    return clip(title, LONGEST_TITLE), normal_body(text[: line.start] + kept + text[line.end :])


def change_body(text: str, title: str, body: str, line_break: str) -> str:
    """What already reads so keeps its bytes."""
    line = _find_title(text)
    old_title, old_body = read_body(text)
    is_heading = not line.made and len(text[line.words : line.end]) <= LONGEST_TITLE
    if normal_body(body) == old_body and is_heading:
        end = line.words + len(text[line.words : line.end].rstrip())
        space = "" if text[line.words - 1 : line.words] in (" ", "\t") else " "
        return text[: line.words] + space + one_line(title) + text[end:]
    kept = is_heading and title == old_title
    heading = text[line.start : line.end] if kept else f"# {one_line(title)}"
    gap, tail = _white_space(text[line.end :], line_break)
    written = with_breaks(normal_body(body), line_break)
    blank = text[: len(text) - len(text.lstrip())]
    lead = line_break if blank == text else blank[: blank.rfind("\n") + 1]
    return lead + heading + (gap + written if written else "") + tail


def split_evidence(body: str) -> tuple[str, str]:
    """Return (what a body says, the words below its heading ``Evidence``, from which that was made)."""
    for place, line in plain_lines(body) if EVIDENCE in body else ():
        if _EVIDENCE.match(line):
            return body[:place].rstrip(), body[place + len(line) :].strip()
    return body, ""


def with_quote(body: str, quote: str) -> str:
    """Return the body with one more of the words that it rests on."""
    if split_evidence(body)[1]:
        return f"{body.rstrip()}\n>\n{quote}"
    return "\n".join(part for part in (body, f"\n## {EVIDENCE}\n" if body else f"## {EVIDENCE}\n", quote) if part)


def normal_body(text: str) -> str:
    """Return the text with plain line breaks, without blank lines before it and white space behind."""
    text = with_breaks(text, "\n").rstrip()
    blank = len(text) - len(text.lstrip())
    return text[text.rfind("\n", 0, blank) + 1 :]


def with_breaks(text: str, line_break: str) -> str:
    plain = text.replace("\r\n", "\n")
    return plain if line_break == "\n" else plain.replace("\n", line_break)


def _differs(entry: MemoryEntry, key: str, value: object) -> bool:
    if value is None or key not in MemoryEntry.fields:
        return True
    old: object = getattr(entry, key)
    if isinstance(value, str):
        normal = {"title": one_line, "body": normal_body, **dict.fromkeys(TIMES, to_utc)}.get(key, str)
        return old != (normal(value) or value)
    return old != (tuple(value) if isinstance(value, list) else value)


def _key_changes(parts: Frontmatter, changes: Mapping[str, object], where: str) -> Iterator[tuple[str, object]]:
    present = load_yaml(parts.yaml, where)
    assert isinstance(present, dict)
    called = {key: name for name, key in ALIASES.items() if name in present and key not in present}
    for key, value in changes.items():
        if key not in ("title", "body"):
            empty = is_optional(key) and value in ("", (), [])
            yield called.get(key, key), None if empty else plain(value)
    if "evidence" in changes and "seen" in present:
        yield "seen", None


def _moved(error: LimpetError, where: str, lines: int) -> LimpetError:
    """The line of an error in the frontmatter becomes that of the file."""
    number = error.where.removeprefix(f"{where}:")
    place = f"{where}:{int(number) + lines if number.isdecimal() else lines}"
    return LimpetError(error.what, place, error.hint or "Fix the YAML in this line.")


def _without_surrogates(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def _find_title(text: str) -> _Line:
    for place, line in plain_lines(text):
        if found := _TITLE.match(line):
            return _Line(place, place + found.end(), place + len(line), False)
    start = len(text) - len(text.lstrip())
    end = start + len(text[start:].partition("\n")[0].removesuffix("\r"))
    return _Line(start, start, end, True)


def _white_space(text: str, line_break: str) -> tuple[str, str]:
    """Return (white space between the title and the body that follows it, white space behind that)."""
    if not text.strip():
        return line_break * 2, line_break
    blank = text[: len(text) - len(text.lstrip())]
    return blank[: blank.rfind("\n") + 1] or line_break * 2, text[len(text.rstrip()) :]
