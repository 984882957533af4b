"""The parts of Markdown that our readers need, what of it is code, and our block in files of others. All have positions
in the text, so that an edit of one leaves every other byte as it was."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from limpet.ground.errors import LimpetError
from limpet.ground.text.escaping import clip
from limpet.ground.text.folding import fold
from limpet.ground.text.words import split_words
from limpet.ground.values import Value

DONE, OPEN = "x", " "
PROSE, EDGE, CODE, COMMENT = "", "edge", "code", "comment"
LONGEST_ITEM, LONGEST_TITLE = 2000, 200
"""Characters of an item and of a heading: more is cut, because no person writes so much."""

_REMARK = re.compile(r"\s*[:：(（\[—–|]|\s-\s")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)")
_FENCE = re.compile(r"(`{3,}(?=[^`]*$)|~{3,})")
# A line in bold alone, which many write for a heading.
_BOLD, _OF_BOLD = re.compile(r" {0,3}(?:\*\*|__)([^*]{1,80}?)(?:\*\*|__)[:：]?\s*$"), 7
# What opens a list's item, and is no line across the page.
_MARKER = re.compile(r"(?!(?:([-*])[ ]*)(?:\1[ ]*){2,}$)([-*+]|\d{1,9}[.)])(?: +|$)")
_CODE_INDENT = 4
_ITEM = re.compile(r"([ \t]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?(?:\[([ xX])\](?:[ \t]+|$))?(.*)")
# A line of equals signs alone is a heading's underline in Markdown, so it is no sign of a conflict here.
_CONFLICT = re.compile(r"^(?:<{7} |>{7} |\|{7} )", re.MULTILINE)
BLOCK_OPEN, CLOSE = b"<!-- limpet:begin", b"<!-- limpet:end -->"
MADE, JOINED = b" made", b" joined"
_END = b" -->"

# What opens the line that a file made of the project's rules has, before its digest.
MADE_HERE = "<!-- made by limpet "


class Section(Value):
    """A heading with the text below it, up to the next heading of its rank or a higher one.

    ``key``: the title in lower-case words, without accents and leading numbers.
    ``rank``: 1 for ``#`` to 6 for ``######``, 7 for a line in bold alone.
    ``start``, ``body``, ``end``: positions of the heading, of the line after it, and past the section's end.
    """

    key: str
    title: str
    rank: int
    start: int
    body: int
    end: int


class ListItem(Value):
    """``text``: on one line, clipped to ``LONGEST_ITEM``.
    ``box``: position of the mark in its box, -1 without one.
    ``words``: position of its text.
    ``indent``: columns before it.
    """

    done: bool
    text: str
    box: int
    words: int
    indent: int


def refuse_conflict_marks(text: str, where: str) -> None:
    """Raise LimpetError with ``file:line`` where git has left a merge conflict."""
    found = _CONFLICT.search(text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        raise LimpetError("Unresolved merge conflict", f"{where}:{line}", "Resolve it, then try again.")


def line_kinds(lines: Iterable[str]) -> Iterator[str]:
    """PROSE, the EDGE of a fence, CODE or COMMENT for each line: only in prose are headings, lists and boxes."""
    return map(_CodeReader().read, lines)


def plain_lines(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, str]]:
    """The position and the text of each line that is prose."""
    reader, end = _CodeReader(), len(text) if end is None else end
    while start < end:
        after = _after_line(text, start)
        line = text[start : min(after, end)].rstrip("\r\n")
        if reader.read(line) == PROSE:
            yield start, line
        start = after


def read_sections(text: str, start: int = 0) -> tuple[Section, ...]:
    headings = []
    for place, line in plain_lines(text, start):
        found = _HEADING.match(line)
        if found:
            title = clip(found[2].strip().rstrip("#").strip(), LONGEST_TITLE)
            headings.append((place, len(found[1]), title, _after_line(text, place)))
        elif bold := _BOLD.match(line):
            headings.append((place, _OF_BOLD, bold[1].strip(" :："), _after_line(text, place)))
    # From the last to the first: each ends where the next of its rank or a higher one begins.
    sections: list[Section] = []
    following = [len(text)] * (_OF_BOLD + 1)
    for begin, rank, title, body in reversed(headings):
        end = min(following[1 : rank + 1])
        sections.append(Section(key=heading_key(title), title=title, rank=rank, start=begin, body=body, end=end))
        following[rank] = begin
    return tuple(reversed(sections))


def heading_key(title: str) -> str:
    words = [word for word in split_words(fold(title)) if any(map(str.isalnum, word))]
    while len(words) > 1 and words[0].isdigit():
        words = words[1:]
    return " ".join(words)


def bare_key(title: str) -> str:
    """The key of a heading without the remark behind its words: ``File List (as of today)``."""
    return heading_key(_REMARK.split(title, 1)[0])


def find_section(sections: Sequence[Section], keys: Sequence[str]) -> Section | None:
    named = [each for each in sections if each.key in keys] or [one for one in sections if bare_key(one.title) in keys]
    return min(named, key=lambda section: section.rank, default=None)


def read_items(text: str, section: Section) -> tuple[ListItem, ...]:
    """Those of the outermost list that has boxes, or of the outermost list where none has."""
    found = list(iterate_items(text, section.body, section.end))
    depths = [item.indent for item in found if item.box >= 0] or [item.indent for item in found]
    return tuple(item for item in found if item.indent == min(depths) and item.text)


def iterate_items(text: str, start: int, end: int) -> Iterator[ListItem]:
    item: ListItem | None = None
    for place, line in plain_lines(text, start, end):
        found = _ITEM.match(line)
        assert found
        if found[2] or found[3]:
            if item:
                yield item
            box = place + found.start(3) if found[3] else -1
            is_done = (found[3] or OPEN).lower() == DONE
            said = clip(one_line(found[4]), LONGEST_ITEM)
            item = ListItem(is_done, said, box, words=place + found.start(4), indent=_width(found[1]))
        elif item and line.strip() and _width(found[1]) > item.indent and len(item.text) < LONGEST_ITEM:
            item = item.replace(text=f"{item.text} {one_line(line)}".strip())
        elif item:
            yield item
            item = None
    if item:
        yield item


def section_text(text: str, section: Section) -> str:
    """With plain line breaks, without comments and blank edges."""
    first, *others = text[section.body : section.end].replace("\r\n", "\n").split("<!--")
    return (first + "".join(other.partition("-->")[2] for other in others)).strip()


def set_box(text: str, item: ListItem, done: bool) -> str:
    """An item without a box gets one."""
    mark = DONE if done else OPEN
    if item.box < 0:
        return f"{text[: item.words]}[{mark}] {text[item.words :]}"
    return text[: item.box] + mark + text[item.box + 1 :]


def append_to_section(text: str, section: Section, words: str) -> str:
    line_break = line_break_of(text)
    kept = text[: section.end].rstrip()
    rest = text[section.end :]
    written = words.strip().replace("\r\n", "\n").replace("\n", line_break)
    return f"{kept}{line_break * 2}{written}{line_break}" + (line_break + rest if rest else "")


def append_section(text: str, title: str, words: str) -> str:
    line_break = line_break_of(text)
    written = words.strip().replace("\r\n", "\n").replace("\n", line_break)
    return f"{text.rstrip()}{line_break * 2}## {title}{line_break * 2}{written}{line_break}"


def demote(words: str) -> str:
    """``#`` and ``##`` become two ranks lower, so that no heading ends the section they are put in."""
    lines = words.strip().splitlines()
    return "\n".join(f"##{line}" if line.startswith(("# ", "## ")) else line for line in lines)


def line_break_of(text: str) -> str:
    return "\r\n" if text.find("\r\n") == text.find("\n") - 1 >= 0 else "\n"


def one_line(text: str) -> str:
    return " ".join(text.split())


def has_block(raw: bytes | None) -> bool:
    return BLOCK_OPEN in (raw or b"")


def put_block(raw: bytes | None, body: str, where: str) -> bytes:
    """``body`` (complete lines) in the block, added at the end if new. None: no file. Raises LimpetError, naming
    ``where``, for markers that do not pair, and for an encoding without ASCII."""
    if raw and raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise LimpetError("File is UTF-16", where, "Save it as UTF-8.")
    found = _find(raw or b"", where)
    if raw is not None and found:
        opened = raw.index(b"\n", found[0]) + 1
        return raw[:opened] + _lines(body, _break_before(raw, opened)) + raw[raw.index(CLOSE, opened) :]
    line_break = b"\r\n" if raw and b"\r\n" in raw else b"\n"
    joins = bool(raw) and not (raw or b"").endswith(b"\n")
    how = JOINED if joins else b""
    opening = BLOCK_OPEN + (MADE if raw is None else how) + _END
    start = (raw or b"") + (line_break if joins else b"")
    return start + opening + line_break + _lines(body, line_break) + CLOSE + line_break


def take_block(raw: bytes | None, where: str) -> bytes | None:
    """None where nothing else is in a file that was made for the block, or there is none. Raises LimpetError for
    markers that do not pair."""
    found = _find(raw or b"", where)
    if raw is None or not found:
        return raw
    start, end = found
    flag = raw[start + len(BLOCK_OPEN) : raw.index(_END, start)]
    before, after = raw[:start], raw[end:]
    if flag == JOINED:
        line_break = _break_before(raw, raw.index(b"\n", start) + 1)
        before = before.removesuffix(line_break)
        after = line_break + after if after else after
    return None if flag == MADE and not before + after else before + after


class _CodeReader:
    """Tells code from prose as CommonMark does: by fences, which end with the list's item that they are in, and by
    lines that are indented deeper than their list where no paragraph goes on."""

    def __init__(self) -> None:
        self._fence, self._indent = "", 0
        self._in_comment = self._in_paragraph = False
        # The columns at which the texts of the open items begin, the outermost first.
        self._items: list[int] = []

    def read(self, line: str) -> str:
        line = line.rstrip().expandtabs(4)
        bare = line.lstrip()
        indent = len(line) - len(bare)
        if self._in_comment:
            self._in_comment = "-->" not in bare
            return COMMENT
        if self._fence and (not bare or indent >= self._inside):
            is_end = bare.startswith(self._fence) and not bare.strip(self._fence[0])
            if not is_end or indent >= self._indent + _CODE_INDENT:
                return CODE
            self._fence = ""
            return EDGE
        self._fence = ""
        if not bare:
            self._in_paragraph = False
            return PROSE
        return self._begin(bare, indent)

    @property
    def _inside(self) -> int:
        return self._items[-1] if self._items else 0

    def _begin(self, bare: str, indent: int) -> str:
        marker, heading = _MARKER.match(bare), _HEADING.match(bare)
        if not self._in_paragraph or marker or heading or _FENCE.match(bare):
            self._items = [column for column in self._items if column <= indent]
        if not self._in_paragraph and indent >= self._inside + _CODE_INDENT:
            return CODE
        if bare.startswith("<!--"):
            self._in_comment = "-->" not in bare
            return COMMENT
        if marker:
            wide = marker.end() - len(marker[2]) > _CODE_INDENT or marker.end() == len(bare)
            indent += len(marker[2]) + 1 if wide else marker.end()
            self._items.append(indent)
            bare = bare[marker.end() :]
        if fence := _FENCE.match(bare):
            self._fence, self._indent, self._in_paragraph = fence[1], indent, False
            return EDGE
        self._in_paragraph = not heading and bool(bare.strip("-=*_ "))
        return PROSE


def _width(indent: str) -> int:
    return len(indent.expandtabs(4))


def _after_line(text: str, start: int) -> int:
    return text.find("\n", start) + 1 or len(text)


def _lines(body: str, line_break: bytes) -> bytes:
    return b"".join(line.encode() + line_break for line in body.splitlines())


def _break_before(raw: bytes, place: int) -> bytes:
    return b"\r\n" if raw[:place].endswith(b"\r\n") else b"\n"


def _find(raw: bytes, where: str) -> tuple[int, int] | None:
    start = raw.find(BLOCK_OPEN)
    if start < 0 and CLOSE not in raw:
        return None
    end = raw.find(CLOSE, start)
    twice = raw.count(BLOCK_OPEN) > 1 or raw.count(CLOSE) > 1
    if start < 0 or end < 0 or twice or _END not in raw[start : raw.find(b"\n", start)]:
        line = raw.count(b"\n", 0, start if start >= 0 else raw.find(CLOSE)) + 1
        raise LimpetError("Unpaired markers of Limpet's block", f"{where}:{line}", "Fix or delete the markers.")
    end += len(CLOSE)
    for line_break in (b"\r\n", b"\n"):
        if raw.startswith(line_break, end):
            return start, end + len(line_break)
    return start, end
