"""Splits YAML frontmatter from a Markdown file's body, and changes keys of it with every other byte kept."""

from __future__ import annotations

import re
from collections.abc import Mapping

from limpet.ground.errors import LimpetError
from limpet.ground.formats.yaml_edit import remove_value, render_value, set_yaml_value
from limpet.ground.formats.yaml_text import find_pair, load_yaml
from limpet.ground.values import Value

LONGEST = 64_000
"""Characters of frontmatter: YAML is read some hundred times more slowly than Markdown is skipped."""

_OPENING = re.compile(r"\ufeff?---[ \t]*\r?\n")
_CLOSING = re.compile(r"^---[ \t]*\r?$", re.MULTILINE)
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")


class Frontmatter(Value):
    """A text in three parts, which joined give the text again.

    ``head``: byte order mark and opening line.
    ``yaml``: with its last line break.
    ``rest``: the closing line and what follows it; ``body`` is the index in it where the body begins.
    """

    head: str
    yaml: str
    rest: str
    body: int

    @property
    def text(self) -> str:
        return self.head + self.yaml + self.rest

    @property
    def line(self) -> int:
        return self.head.count("\n") + 1

    @property
    def line_break(self) -> str:
        return "\r\n" if self.head.endswith("\r\n") else "\n"


def split_frontmatter(text: str, where: str) -> Frontmatter:
    """Raise LimpetError with ``file:line``."""
    opening = _OPENING.match(text)
    if not opening:
        raise LimpetError("No frontmatter", f"{where}:1", "Start the file with a line ---")
    start = opening.end()
    closing = _CLOSING.search(text, start, start + LONGEST)
    # The end of the searched part looks like the end of a line to the pattern.
    if not closing or text[closing.end() : closing.end() + 1] not in ("", "\n"):
        limit = f" within {LONGEST} characters" if len(text) - start > LONGEST else ""
        raise LimpetError(f"Frontmatter is not closed{limit}", f"{where}:1", "Close it with a line ---")
    end = min(closing.end() + 1, len(text))
    return Frontmatter(text[:start], text[start : closing.start()], text[closing.start() :], end - closing.start())


def split_described(text: str, where: str) -> tuple[dict[str, object], str]:
    """(What a form's first frontmatter says of the form itself, the form): it has a ``type`` and a ``purpose``, and is
    no part of what is filled in. ({}, the text) where there is none that can be read."""
    if not _OPENING.match(text):
        return {}, text
    try:
        parts = split_frontmatter(text, where)
        data = load_yaml(parts.yaml, where) if "\npurpose:" in f"\n{parts.yaml}" else None
    except LimpetError:
        return {}, text
    if not isinstance(data, dict) or "type" not in data:
        return {}, text
    return data, parts.rest[parts.body :].removeprefix(parts.line_break)


def set_keys(parts: Frontmatter, changes: Mapping[str, object], where: str) -> Frontmatter:
    """Keys are added after the last one where missing or, by None, removed. Comments, order, quoting, line ends and all
    other values stay. Raise LimpetError where that cannot be done."""
    text = parts.yaml
    for key, value in changes.items():
        text = remove_key(text, key, where) if value is None else _set(text, key, value, where)
    return parts.replace(yaml=text)


def render_plainly(value: object) -> str:
    return value if isinstance(value, str) and _TIME.fullmatch(value) else render_value(value)


def remove_key(text: str, key: str, where: str) -> str:
    """The key gets null for its value where it cannot be cut out. Raises LimpetError for broken YAML."""
    try:
        return remove_value(text, (key,), where)
    except LimpetError:
        return set_yaml_value(text, (key,), None, where)


def _set(text: str, key: str, value: object, where: str) -> str:
    changed = set_yaml_value(text, (key,), list(value) if isinstance(value, tuple) else value, where)
    found = find_pair(changed, (key,), where) if isinstance(value, str) and _TIME.fullmatch(value) else None
    if found is None:
        return changed
    return changed[: found[1].start_mark.index] + render_plainly(value) + changed[found[1].end_mark.index :]
