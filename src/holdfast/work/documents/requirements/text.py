"""Reads the numbered requirements of a Markdown document, and the numbers that a text mentions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_KINDS = ["FR", "NFR", "R", "BR", "UR", "SR", "TR", "IR", "DR", "CR", "QR", "REQ", "C", "CON", "AC", "UC", "US"]
_ID = rf"(?:{'|'.join(_KINDS)})(?:-[A-Z][A-Z0-9]{{0,9}})*-[0-9]{{1,4}}(?:\.[0-9]{{1,3}})*"
_MENTION = re.compile(rf"(?<![\w-])({_ID})(?!\w|-\w|\.\d)")
_START = rf"[*_`\[(]*({_ID})(?!\w|-\w|\.\d)"
_HEADING = re.compile(r" {0,3}(#{1,6})(?:\s|$)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ITEM = re.compile(r"(\s*)(?:[-*+]|[0-9]{1,9}[.)])\s+")
_NAMED_HEADING = re.compile(rf" {{0,3}}(#{{1,6}})\s+{_START}")
_NAMED_ITEM = re.compile(rf"(\s*)(?:[-*+]|[0-9]{{1,9}}[.)])\s+(?:\[[ xX]\]\s+)?{_START}")
_NAMED_ROW = re.compile(rf"\s*\|\s*{_START}[*_`\])]*\s*\|")
_NAMED_PARAGRAPH = re.compile(rf"(?:\*\*|__){_START}")
_TICK = re.compile(r"\[[ xX]\]")
MOST = 300
"""Requirements of one document that are told apart."""


def read_requirements(text: str) -> dict[str, str]:
    """Return id -> text of each requirement: a heading with what is below it, an item of a list, a row of a table, or a
    paragraph, that begins with an id such as ``FR-3``.

    Line breaks, white space and ticks do not count. Of several with one id the first is meant; at most MOST.
    """
    lines = text.splitlines()
    is_code = list(_code(lines))
    found: dict[str, str] = {}
    for place, line in enumerate(lines):
        begun = None if is_code[place] else _begin(line)
        if begun and begun[1] not in found and len(found) < MOST:
            whole = "\n".join(lines[place : _end(lines, is_code, place, begun[0])])
            found[begun[1]] = " ".join(_TICK.sub("", whole).split())
    return found


def mentioned(text: str) -> set[str]:
    """Return the ids of requirements that the text names."""
    return set(_MENTION.findall(text))


def _begin(line: str) -> tuple[str, str] | None:
    """Return (heading, item, row or paragraph; the id) of a line that begins a requirement."""
    for kind, shape in (("heading", _NAMED_HEADING), ("item", _NAMED_ITEM)):
        if match := shape.match(line):
            return kind, match[2]
    for kind, shape in (("row", _NAMED_ROW), ("paragraph", _NAMED_PARAGRAPH)):
        if match := shape.match(line):
            return kind, match[1]
    return None


def _end(lines: Sequence[str], is_code: Sequence[bool], start: int, kind: str) -> int:
    """Return the place after a requirement's last line."""
    if kind == "row":
        return start + 1
    ends = {"heading": _ends_section, "item": _ends_item, "paragraph": _ends_paragraph}[kind]
    places = range(start + 1, len(lines))
    return next((place for place in places if not is_code[place] and ends(lines, start, place)), len(lines))


def _ends_section(lines: Sequence[str], start: int, place: int) -> bool:
    opened, found = _HEADING.match(lines[start]), _HEADING.match(lines[place])
    if not found or not opened:
        return False
    return len(found[1]) <= len(opened[1]) or bool(_NAMED_HEADING.match(lines[place]))


def _ends_item(lines: Sequence[str], start: int, place: int) -> bool:
    line = lines[place]
    if not line.strip():
        return False
    is_deeper = _indent(line) > _indent(lines[start])
    if _HEADING.match(line):
        return True
    if _ITEM.match(line):
        return not is_deeper
    return not is_deeper and not lines[place - 1].strip()


def _ends_paragraph(lines: Sequence[str], start: int, place: int) -> bool:
    return not lines[place].strip() or bool(_HEADING.match(lines[place]) or _begin(lines[place]))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _code(lines: Sequence[str]) -> Iterator[bool]:
    """Yield for each line whether it belongs to a fenced block of code."""
    fence = ""
    for line in lines:
        match = _FENCE.match(line)
        if fence:
            yield True
            if match and match[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        else:
            fence = match[1] if match else ""
            yield bool(match)
