"""A story's text in parts that can be compared: the keys of its frontmatter and its sections. Separate from ``scopes``,
because few calls write a story."""

from __future__ import annotations

import re
from collections.abc import Iterator

from limpet.ground.formats.markdown import bare_key, read_sections
from limpet.ground.text.folding import fold
from limpet.ground.text.words import split_words
from limpet.work.stories.story import HEADINGS, KEYS

_BOX = re.compile(r"\[[ xX]\]")
_KEY = re.compile(r"([A-Za-z_][\w .-]*?)\s*:(?:\s|$)")
_FENCE = "---"
_FIELDS: dict[str, str] = {}
for _field, _headings in HEADINGS.items():
    _FIELDS.update(dict.fromkeys(_headings, _field))


def split_story(text: str) -> dict[str, str]:
    """The text of each part, by the name of its field where it has one. A section below a named one belongs to that;
    text before the first heading is the part "text"."""
    parts: dict[str, list[str]] = {}
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    head, body = _split(text)
    for name, words in (*_keys(head), *_sections(body)):
        parts.setdefault(name, []).append(words.strip())
    return {name: "\n".join(filter(None, words)) for name, words in parts.items()}


def unmarked(text: str) -> str:
    return _BOX.sub("[ ]", text)


def _split(text: str) -> tuple[str, str]:
    first, _, rest = text.partition("\n")
    if first.rstrip() == _FENCE:
        head, closing, body = rest.partition(f"\n{_FENCE}")
        return (head, body.partition("\n")[2]) if closing else ("", text)
    return (text, "") if _KEY.match(first) or first.startswith("#:") else ("", text)


def _keys(head: str) -> Iterator[tuple[str, str]]:
    name = "text"
    for line in head.splitlines():
        found = _KEY.match(line)
        if found:
            name = KEYS.get(" ".join(split_words(fold(found[1]))), found[1])
        yield name, line


def _sections(body: str) -> Iterator[tuple[str, str]]:
    sections = read_sections(body)
    starts = [section.start for section in sections]
    yield "text", body[: starts[0]] if starts else body
    named: list[tuple[int, str]] = []
    for section, end in zip(sections, (*starts[1:], len(body)), strict=False):
        named = [(rank, field) for rank, field in named if rank < section.rank]
        field = _FIELDS.get(section.key) or _FIELDS.get(bare_key(section.title))
        if field:
            named.append((section.rank, field))
        yield named[-1][1] if named else section.key, body[section.start : end]
