"""Reads the passages of an instruction file: list items and sentences with their heading, without code and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.ground.values import Value

# The longest passage, in characters: beyond it only the sentences that fit are kept.
LONGEST = 240
# The most words of a list item, or of a line with a colon, that serves as heading of what follows.
HEADING_WORDS = 6

_FENCE = re.compile(r"\s*(```+|~~~+)")
_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*$")
_ITEM = re.compile(r"(\s*)(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.*)")
_NO_PROSE = re.compile(r"\s*(?:[|>]|<[!/a-zA-Z]|={3,}|-{3,}\s*$|\*{3,}\s*$|!\[|\[[^\]]+\]:)")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_EMPHASIS = re.compile(r"\*\*|__(?=\w)|(?<=\w)__")
_SYMBOLS = re.compile(r"^[^\w`\"'(\[*@.$<]+")
_SENTENCE = re.compile(r"(?<=[.!?])[\"')]?\s+(?=[A-Z`\"\u00c0-\u00dd])")
_GLOBS = re.compile(r"globs:\s*(.*)")
# Marks of an example of what not to do: the line itself may say the opposite of what is meant.
CROSSES = ("\u274c", "\u2717", "\u2718", "\U0001f6ab", "\u26d4")
_TAB = 4


class Passage(Value):
    """A list item or sentence.

    ``file``: as it was named.
    ``line``: the number of its first line, from 1.
    ``heading``: what it stands under, "" for nothing.
    ``text``: on one line, without emphasis and link targets.
    ``crossed``: whether a cross stands before it.
    ``globs``: the paths that its file is about.
    """

    file: str
    line: int
    heading: str
    text: str
    crossed: bool = False
    globs: tuple[str, ...] = ()


def read_passages(file: str, text: str) -> tuple[Passage, ...]:
    """Return the passages of an instruction file in order; in one with front matter its name is the first heading."""
    lines = text.removeprefix("\ufeff").splitlines()
    globs, start = _read_front_matter(lines)
    found: list[Passage] = []
    title = file.rpartition("/")[2].rpartition(".")[0].replace("-", " ") if start else ""
    for line, heading, raw, is_item in _blocks(lines, start):
        crossed = raw.lstrip("*_ ").startswith(CROSSES)
        clean = _clean(raw)
        parts = [_head(clean)] if is_item else _SENTENCE.split(clean)
        found += (Passage(file, line, heading or title, part, crossed, globs) for part in parts if part)
    return tuple(found)


def _read_front_matter(lines: list[str]) -> tuple[tuple[str, ...], int]:
    """Return the globs in the lines between the first two ``---``, and the number of lines that these take."""
    if not lines or lines[0].strip() != "---" or "---" not in map(str.strip, lines[1:]):
        return (), 0
    end = [line.strip() for line in lines[1:]].index("---") + 1
    inside = lines[1:end]
    for place, line in enumerate(inside):
        known = _GLOBS.match(line.strip())
        if known:
            listed = known[1].strip("[] ").split(",")
            for more in inside[place + 1 :]:
                if not more.strip().startswith("- "):
                    break
                listed.append(more.strip()[2:])
            return tuple(part.strip(" \"'") for part in listed if part.strip(" \"'")), end + 1
    return (), end + 1


def _blocks(lines: list[str], start: int) -> Iterator[tuple[int, str, str, bool]]:
    """Yield (line, heading, text, whether it is a list item) of every item and paragraph."""
    heading, held = "", ""
    items: list[tuple[int, str]] = []
    block: list[str] = []
    first, about, is_item = 0, "", False
    fence, comment = "", False

    def flush() -> Iterator[tuple[int, str, str, bool]]:
        if block:
            yield first, about, " ".join(block), is_item
            block.clear()

    for number, line in enumerate(lines[start:], start + 1):
        mark = _FENCE.match(line)
        if fence or mark:
            yield from flush()
            if mark and (not fence or mark[1].startswith(fence)):
                fence = "" if fence else mark[1][:3]
            continue
        comment = comment or line.lstrip().startswith("<!--")
        if comment:
            comment = "-->" not in line
            continue
        title, item = _HEADING.match(line), _ITEM.match(line)
        if title:
            yield from flush()
            heading, held, items = _clean(title[2]), "", []
        elif not line.strip() or _NO_PROSE.match(line):
            yield from flush()
        elif item:
            yield from flush()
            indent = len(item[1].expandtabs(_TAB))
            items = [each for each in items if each[0] < indent]
            above = next((said for _, said in reversed(items) if said), "")
            first, about, is_item = number, above or held or heading, True
            items.append((indent, _as_heading(item[2])))
            block.append(item[2].strip())
        elif block:
            block.append(line.strip())
        elif items and line[:1].isspace():
            continue  # a later paragraph of an item: it explains what the item said
        elif not line.startswith(("    ", "\t")):
            items = []
            held = _as_heading(line) if line.rstrip(" *_").endswith(":") else held
            first, about, is_item = number, held or heading, False
            block.append(line.strip())
    yield from flush()


def _as_heading(text: str) -> str:
    """Return the text as heading of what follows it, "" for one that is too long to be."""
    clean = _clean(text).rstrip(":. ")
    return clean if 0 < len(clean.split()) <= HEADING_WORDS else ""


def _clean(text: str) -> str:
    plain = _EMPHASIS.sub("", _LINK.sub(r"\1", text))
    return " ".join(_SYMBOLS.sub("", plain.strip()).split())


def _head(text: str) -> str:
    """Return the first sentences of an item, as many as fit; "" where the first is too long already."""
    kept = ""
    for sentence in _SENTENCE.split(text):
        longer = f"{kept} {sentence}".strip()
        if len(longer) > LONGEST:
            break
        kept = longer
    return kept
