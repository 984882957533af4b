"""Reads the prose of an instruction file, each line with the heading or the lead that it stands below: "Drop a column"
may stand below "Never". Pure: text in, values out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from limpet.ground.formats.markdown import COMMENT, PROSE, line_kinds
from limpet.ground.text.word_lists import read_words
from limpet.ground.values import Value

# The longest text that one rule may be made of, in characters; and the shortest word of one without a lead.
LONGEST, _FEWEST = 400, 4

_ITEM = re.compile(r"(\s*)(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(?=\S)")
_HEADING = re.compile(r"\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
# A line in bold alone, perhaps behind a sign; the dashes below a line, which make it a heading.
_BOLD = re.compile(r"\s*(?:[^\w\s*]\W*)?(?:\*\*|__)([^*]+)(?:\*\*|__)[:：]?\s*$")
_UNDERLINE = re.compile(r"\s{0,3}(=+|-+)\s*$")
_RULER = re.compile(r"\s*(?:[-*_=]\s*){3,}$")
_TAG = re.compile(r"\s*<(/?)([A-Za-z][\w-]*)[^<>]*>(?:(.*?)</[\w-]+>)?\s*$")
_TITLES = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "summary", "b", "strong", "dt"))
_LAYOUT = frozenset(
    "a blockquote body br center dd details div dl hr html img li main ol p pre section span ul".split()
)
# Where other tools write down what happened.
_LOGS = ("claude-mem-context",)
_NO_PROSE = re.compile(r"\s*(?:[|>]|<[!/a-zA-Z]|!\[|\[[^\]]+\]:)")
_TABLE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?\s*$")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
# In code it is none.
_EMPHASIS = re.compile(r"(`+[^`]*`+)|\*\*|(?<!\w)__(?=\w)|(?<=\w)__(?!\w)")
_STRUCK = re.compile(r"~~.*~~\W*$")
_LAST_SENTENCE = re.compile(r"(?:.*[.!?。！？]\s*)?(.+)$", re.DOTALL)
_LEADS = re.compile(r"[:：][\"')*]*$")
_WORDS = read_words("words/finishing")
_FORBIDS = re.compile("|".join(_WORDS["forbids"]), re.IGNORECASE)
_GLOBS = re.compile(r"(?:paths|globs|applyTo):\s*(.*)")
_COMMA = re.compile(r",(?![^{}]*\})")
_BRACES = re.compile(r"\{([^{}]*)\}")
# The level of a line in bold, and of a section in tags, below all headings.
_OF_BOLD = 7
_SENTENCE = re.compile(r"(?<=[.!?])[\"')]?\s+(?=[A-Z`\"\u00c0-\u00dd])")
_SPANS = r"((?:[\s,&+]*(?:(?:and|then|run|both|the|e|y|et|und)\s+)*`[^`]+`)+)"
_RUN = re.compile(f"(?:{'|'.join(_WORDS['run'])}){_SPANS}", re.IGNORECASE)
_PASS = re.compile(rf"{_SPANS}\s*(?:{'|'.join(_WORDS['pass'])})", re.IGNORECASE)
_RUN_BEHIND = re.compile(rf"{_SPANS}\s*(?:{'|'.join(_WORDS['run behind'])})", re.IGNORECASE)
_WHEN = "|".join(_WORDS["moment"])
_MOMENT = re.compile(_WHEN, re.IGNORECASE)
# A command right before or behind its moment, with no verb.
_BESIDE = re.compile(rf"{_SPANS}\s*(?:{_WHEN})|(?:{_WHEN})[^`.;]*[,:]\s*{_SPANS}", re.IGNORECASE)
# A command as one types it: no file, no call, no placeholder.
_COMMAND = re.compile(r"(?:\.{1,2}/|\.(?=\w))?[a-z][\w+-]*(?:/[\w./-]+)?(?:\s[^<>…]*)?$")
# Says that the command is not to be run.
_NOT, _RUNS = "|".join(_WORDS["not"]), "|".join(_WORDS["run"])
_DENIED = re.compile(rf"(?:{_NOT})[^.;:`]{{0,12}}?(?:{_RUNS})|(?:{_RUNS}){_SPANS}\s*(?:{_NOT})", re.IGNORECASE)
_NO_CHECK = re.compile("|".join(_WORDS["no check"]))


class Passage(Value):
    """A list item or a paragraph on one line, without emphasis and the targets of links.

    ``lead``: what it stands below: headings, the line that leads to its list, the items that it is nested in.
    """

    line: int
    text: str
    lead: str = ""

    @property
    def whole(self) -> str:
        return f"{self.lead}: {self.text}" if self.lead else self.text


class Prose(Value):
    """``globs``: of the files that it is about, as its front matter has them, braces resolved.
    ``is_whole``: all but headings is in the passages: no code, table or quotation.
    ``stays``: (line, why) of what says too little by itself.
    """

    globs: tuple[str, ...]
    passages: tuple[Passage, ...]
    is_whole: bool
    stays: tuple[tuple[int, str], ...] = ()


def forbids(text: str) -> bool:
    return _FORBIDS.search(text) is not None


def read_prose(text: str, name: str = "") -> Prose:
    """``name``: of the file, without its ending. Of a file about certain files a title that says more than that leads
    its lines too, as every other heading does in any."""
    lines = text.removeprefix("\ufeff").splitlines()
    marks = [number for number, line in enumerate(lines) if line.strip() == "---"]
    start = marks[1] + 1 if marks[:1] == [0] and len(marks) > 1 else 0
    globs = _read_globs(lines[:start])
    reader = _Reader(_folded(name) if globs else None)
    for number, kind in enumerate(line_kinds(lines[start:]), start + 1):
        reader.read(number, lines[number - 1], kind)
    return Prose(globs, tuple(reader.passages()), reader.is_whole, tuple(reader.stays))


class _Block:
    """A paragraph or a list item while its lines are read; ``indent`` is -1 outside lists."""

    def __init__(self, line: int, text: str, indent: int, headings: list[tuple[int, str]], leads: list[str]) -> None:
        self.line, self.parts, self.indent = line, [text], indent
        self.headings, self.leads = list(headings), list(leads)
        self.has_items = self.is_loose = False

    @property
    def text(self) -> str:
        return _plain(" ".join(self.parts))


class _Reader:
    """``name``: of the file, None where its title leads no line."""

    def __init__(self, name: str | None) -> None:
        self.is_whole = True
        self.stays: list[tuple[int, str]] = []
        self._name = name
        self._blocks: list[_Block] = []
        self._headings: list[tuple[int, str]] = []
        self._titles = 0
        # The paragraph that leads to the list, and the open items from the outermost.
        self._lead, self._items = "", list[_Block]()
        self._in_table = False
        self._open: _Block | None = None
        # The blocks before the last code: what leads to code leads to nothing behind it.
        self._coded, self._is_loose, self._log = 0, False, ""

    def read(self, number: int, line: str, kind: str) -> None:
        """``kind``: as ``line_kinds`` has it."""
        if kind != PROSE:
            self.is_whole = False
            self._coded = self._coded if kind == COMMENT else len(self._blocks)
        if kind != PROSE or self._skips(line) or not line.strip():
            self._open = None
        elif not self._is_heading(line):
            self._read_text(number, line)

    def passages(self) -> Iterator[Passage]:
        for block in self._blocks:
            text = block.text
            is_lead = bool(_LEADS.search(text)) or (block.has_items and " " not in text)
            if not text or is_lead or _STRUCK.match(text):
                continue
            passage = Passage(block.line, text, self._lead_of(block))
            if block.is_loose:
                self.stays.append((block.line, "It goes on from the code above it"))
            elif not passage.lead and " " not in text and (text.isascii() or len(text) < _FEWEST):
                self.stays.append((block.line, "It says too little by itself"))
            else:
                yield passage

    def _lead_of(self, block: _Block) -> str:
        named = [
            text
            for level, text in block.headings
            if level > 1 or self._titles > 1 or forbids(text) or self._name not in (None, _folded(text))
        ]
        return ": ".join(filter(None, (part.rstrip(" :：.。") for part in (*named, *block.leads))))

    def _skips(self, line: str) -> bool:
        if self._log:
            self._log = "" if f"</{self._log}>" in line else self._log
            return True
        self._in_table = self._in_table and bool(line.strip())
        if self._open and _TABLE.match(line):  # its head was read as a line
            self._in_table, self.is_whole = True, False
            self._blocks.remove(self._open)
        tag = _TAG.match(line)
        if tag:
            self._read_tag(bool(tag[1]), tag[2].lower(), tag[3] or "")
        quoted = line.strip().lstrip("> ")
        if line.lstrip().startswith(">") and _LEADS.search(quoted):
            self._lead, self._items, self._coded = _plain(quoted), [], len(self._blocks)
        is_prose = not (self._in_table or _NO_PROSE.match(line))
        self.is_whole = self.is_whole and is_prose
        return not is_prose or (self._open is None and _RULER.match(line) is not None)

    def _read_tag(self, closes: bool, name: str, text: str) -> None:
        if name in _LOGS and not closes:
            self._log = name
        elif name in _TITLES:
            self._begin(int(name[1]) if name[0] == "h" else _OF_BOLD, text)
        elif name not in _LAYOUT and not text:
            said = re.sub(r"[_-]+", " ", name)
            while closes and self._headings and self._headings.pop()[1] != said:
                pass
            if not closes:
                self._begin(_OF_BOLD + 1 + len(self._headings), said)
            self._lead, self._items = "", []

    def _is_heading(self, line: str) -> bool:
        heading, bold, below = _HEADING.match(line), _BOLD.match(line), _UNDERLINE.match(line)
        if below and self._open and self._open.indent < 0:
            self._blocks.remove(self._open)
            self._begin(1 if below[1][0] == "=" else 2, self._open.text)
        elif heading:
            self._begin(len(heading[1]), heading[2])
        elif bold and self._open is None and not _ITEM.match(line):
            self._begin(_OF_BOLD, bold[1])
        else:
            return False
        return True

    def _begin(self, level: int, text: str) -> None:
        self._headings = [one for one in self._headings if one[0] < level]
        self._headings.append((level, _plain(text)))
        self._titles += level == 1
        self._lead, self._items, self._open, self._is_loose = "", [], None, False

    def _read_text(self, number: int, line: str) -> None:
        item = _ITEM.match(line)
        if item:
            indent = len(item[1].expandtabs(4))
            self._items = [one for one in self._items if one.indent < indent]
            self._note_lead()
            for one in self._items:
                one.has_items = True
            leads = [self._lead, *(one.text for one in self._items)]
            self._add(_Block(number, line[item.end() :].strip(), indent, self._headings, leads))
            self._blocks[-1].is_loose = self._is_loose
            self._items.append(self._blocks[-1])
        elif self._open:
            self._open.parts.append(line.strip())
        else:
            indent = len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
            self._items = [one for one in self._items if one.indent < indent]
            if not self._items:
                self._lead, self._is_loose = self._last_sentence(_LEADS), False
            leads = [self._lead, *(one.text for one in self._items)]
            self._add(_Block(number, line.strip(), indent if self._items else -1, self._headings, leads))

    def _note_lead(self) -> None:
        """Whatever stands before a list leads to it, in any language; but not over code."""
        last = self._blocks[-1] if self._blocks else None
        if self._items or not last or last.indent >= 0 or last.headings != self._headings:
            return
        if len(self._blocks) > self._coded:
            self._lead = self._last_sentence(_LAST_SENTENCE)
        self._is_loose = not self._lead and _LEADS.search(last.text) is not None

    def _last_sentence(self, wanted: re.Pattern[str]) -> str:
        """Of the paragraph before, where nothing else stands between."""
        last = self._blocks[-1] if len(self._blocks) > self._coded else None
        if not last or last.indent >= 0 or last.headings != self._headings or not wanted.search(last.text):
            return ""
        said = _LAST_SENTENCE.match(last.text)
        return said[1] if said else ""

    def _add(self, block: _Block) -> None:
        self._blocks.append(block)
        self._open = block


def instruction_sentences(passage: Passage) -> list[str]:
    return _SENTENCE.split(passage.text)


def read_commands(sentence: str) -> list[str]:
    """As its code spans have them. Left out is what checks nothing as it stands, and one word beside a moment, which
    may name anything."""
    if _DENIED.search(sentence):
        return []
    asked = _PASS.search(sentence) or (
        _MOMENT.search(sentence) and (_RUN.search(sentence) or _RUN_BEHIND.search(sentence))
    )
    beside = None if asked else _BESIDE.search(sentence)
    spans = re.findall(r"`([^`]+)`", (asked or beside or ("",))[0])
    known = (span for span in map(str.strip, spans) if _COMMAND.match(span) and not _NO_CHECK.fullmatch(span))
    return [span for span in known if not beside or re.search(r"[\s/]", span)]


def _folded(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", text.lower()))


def _plain(text: str) -> str:
    return " ".join(_EMPHASIS.sub(r"\1", _LINK.sub(r"\1", text)).split())


def _read_globs(front: list[str]) -> tuple[str, ...]:
    listed: list[str] = []
    for place, line in enumerate(front):
        if known := _GLOBS.match(line.strip()):
            value = known[1].strip()
            listed = _COMMA.split(value[1:-1] if value.startswith("[") and value.endswith("]") else value.strip("\"'"))
            for more in front[place + 1 :]:
                if not more.strip().startswith("- "):
                    break
                listed.append(more.strip()[2:])
    found: list[str] = []
    for each in listed:
        bare = each.strip().strip("\"'")
        found += map(_parted, _without_braces(bare)) if bare else ()
    return tuple(dict.fromkeys(found))


def _parted(glob: str) -> str:
    """With ``**`` by itself, where clients take ``**.ts`` too."""
    parts: list[str] = []
    for part in glob.split("/"):
        if part.startswith("**") and part != "**":
            parts.append("**")
        parts.append(part if part == "**" else part.replace("**", "*"))
    return "/".join(parts)


def _without_braces(glob: str) -> Iterator[str]:
    found = _BRACES.search(glob)
    if not found:
        yield glob
        return
    for part in found[1].split(","):
        yield from _without_braces(glob[: found.start()] + part.strip() + glob[found.end() :])
