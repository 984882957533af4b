"""An entry as text and back (chati.dev V7.1 section 4.3); a change of one thing leaves every other byte as it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.formats.frontmatter import Frontmatter, set_keys, split_frontmatter
from limpet.ground.formats.markdown import one_line
from limpet.ground.formats.yaml_text import key_lines, load_yaml
from limpet.ground.storage.text_file import refuse_conflict
from limpet.memory.files.body import change_body, normal_body, read_body
from limpet.memory.model.entry import Entry
from limpet.memory.model.fields import ALIASES, TIMES, is_optional, plain, read_fields, to_utc, write_fields


def read_entry_text(text: str, where: str) -> Entry:
    """Return the entry of a file's text. Raise LimpetError with ``file:line`` for the first mistake."""
    parts = split_frontmatter(text, where)
    fields, errors = read_frontmatter(parts, where)
    if errors:
        raise errors[0]
    title, body = read_body(parts.rest[parts.body :])
    return Entry(title=title, body=body, **fields)


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


def write_entry_text(entry: Entry) -> str:
    """Return the text of a new file. Raise LimpetError for an entry that could not be read back."""
    fields = "".join(f"{key}: {value}\n" for key, value in write_fields(entry))
    body = normal_body(entry.body)
    text = f"---\n{fields}---\n\n# {one_line(entry.title)}\n" + (f"\n{body}\n" if body else "")
    read_entry_text(writable := _without_surrogates(text), entry.id)
    return writable


def change_entry_text(text: str, changes: Mapping[str, object], where: str) -> str:
    """Return the text with keys of the frontmatter, ``title`` or ``body`` changed; None takes a key out.

    A value that the text has already is not touched. Raise LimpetError with ``file:line`` where the text, or what it
    would become, is wrong.
    """
    entry = read_entry_text(text, where)
    real = {key: value for key, value in changes.items() if _differs(entry, key, value)}
    parts = split_frontmatter(text, where)
    try:
        parts = set_keys(parts, dict(_key_changes(parts, real, where)), where)
    except LimpetError as error:
        raise _moved(error, where, parts.line - 1) from None
    if "title" in real or "body" in real:
        parts = _change_markdown(parts, {"title": entry.title, "body": entry.body, **real})
    changed = _without_surrogates(parts.text)
    read_entry_text(changed, where)
    return changed


def rewrite_entry_text(text: str, entry: Entry) -> str:
    """Return a text that came from elsewhere saying what the entry says, its other bytes as they were; "" where that
    cannot be done. Scope and storage are what the entry's place says."""
    try:
        old = read_entry_text(text, entry.id).replace(scope=entry.scope, storage=entry.storage)
        new = {name: getattr(entry, name) for name in Entry.fields if getattr(entry, name) != getattr(old, name)}
        return change_entry_text(text, new, entry.id)
    except LimpetError:
        return ""


def _differs(entry: Entry, key: str, value: object) -> bool:
    if value is None or key not in Entry.fields:
        return True
    old: object = getattr(entry, key)
    if isinstance(value, str):
        normal = {"title": one_line, "body": normal_body, **dict.fromkeys(TIMES, to_utc)}.get(key, str)
        return old != (normal(value) or value)
    return old != (tuple(value) if isinstance(value, list) else value)


def _key_changes(parts: Frontmatter, changes: Mapping[str, object], where: str) -> Iterator[tuple[str, object]]:
    """Yield the changes of the frontmatter, by the names that the file has for its keys."""
    present = load_yaml(parts.yaml, where)
    assert isinstance(present, dict)
    called = {key: name for name, key in ALIASES.items() if name in present and key not in present}
    for key, value in changes.items():
        if key not in ("title", "body"):
            empty = is_optional(key) and value in ("", (), [])
            yield called.get(key, key), None if empty else plain(value)
    if "evidence" in changes and "seen" in present:
        yield "seen", None


def _change_markdown(parts: Frontmatter, wanted: Mapping[str, object]) -> Frontmatter:
    closing, markdown = parts.rest[: parts.body], parts.rest[parts.body :]
    if not closing.endswith("\n"):
        closing += parts.line_break
    title, body = (str(wanted[key] or "") for key in ("title", "body"))
    return parts.replace(rest=closing + change_body(markdown, title, body, parts.line_break))


def _moved(error: LimpetError, where: str, lines: int) -> LimpetError:
    """Return an error about the frontmatter's own lines with the line of the file."""
    number = error.where.removeprefix(f"{where}:")
    place = f"{where}:{int(number) + lines if number.isdecimal() else lines}"
    return LimpetError(error.what, place, error.hint or "Fix the YAML in this line.")


def _without_surrogates(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
