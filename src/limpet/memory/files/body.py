"""An entry's Markdown below the frontmatter: reading title and body, and changing either in place."""

from __future__ import annotations

import re

from limpet.ground.formats.markdown import one_line
from limpet.ground.text.escaping import clip
from limpet.ground.values import Value
from limpet.memory.model.entry import EVIDENCE

LONGEST_TITLE = 120

_MARKDOWN = re.compile(r"^ {0,3}(?:(?P<fence>```|~~~)|#(?:[ \t]+|(?=\r?$)))", re.MULTILINE)
_EVIDENCE = re.compile(rf"^#{{1,6}}[ \t]+{EVIDENCE}[ \t]*$", re.MULTILINE)


class _Line(Value):
    """The title's line in its text, without the line's end.

    ``words``: start of the title itself.
    ``made``: it is no heading but the first line of a text without one.
    """

    start: int
    words: int
    end: int
    made: bool


def read_body(text: str) -> tuple[str, str]:
    """Return (title, body), with plain line breaks.

    The title is the first heading of the first rank, else the first line. One that is too long is clipped, and stands
    in the body too.
    """
    line = _find_title(text)
    whole = text[line.words : line.end]
    title = one_line(whole)
    kept = "" if len(title) <= LONGEST_TITLE else whole
    return clip(title, LONGEST_TITLE), normal_body(text[: line.start] + kept + text[line.end :])


def change_body(text: str, title: str, body: str, line_break: str) -> str:
    """Return the text with another title or body; what already reads so keeps its bytes."""
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
    return _lead(text, line_break) + heading + (gap + written if written else "") + tail


def split_evidence(body: str) -> tuple[str, str]:
    """Return (what a body says, the words below its heading ``Evidence``, from which that was made)."""
    found = _EVIDENCE.search(body)
    if not found:
        return body, ""
    return body[: found.start()].rstrip(), body[found.end() :].strip()


def normal_body(text: str) -> str:
    """Return the text with plain line breaks, without blank lines before it and white space behind."""
    text = with_breaks(text, "\n").rstrip()
    blank = len(text) - len(text.lstrip())
    return text[text.rfind("\n", 0, blank) + 1 :]


def with_breaks(text: str, line_break: str) -> str:
    """Return the text with this line break for every one of its own."""
    plain = text.replace("\r\n", "\n")
    return plain if line_break == "\n" else plain.replace("\n", line_break)


def _find_title(text: str) -> _Line:
    fence = ""
    for found in _MARKDOWN.finditer(text):
        if found["fence"]:
            fence = found["fence"] if not fence else "" if found["fence"] == fence else fence
        elif not fence:
            return _Line(found.start(), found.end(), _line_end(text, found.end()), False)
    start = len(text) - len(text.lstrip())
    return _Line(start, start, _line_end(text, start), True)


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    end = len(text) if end < 0 else end
    return end - 1 if text[start:end].endswith("\r") else end


def _lead(text: str, line_break: str) -> str:
    """Return the blank lines before the first word."""
    blank = text[: len(text) - len(text.lstrip())]
    return line_break if blank == text else blank[: blank.rfind("\n") + 1]


def _white_space(text: str, line_break: str) -> tuple[str, str]:
    """Return (white space between the title and the body that follows it, white space behind that)."""
    if not text.strip():
        return line_break * 2, line_break
    blank = text[: len(text) - len(text.lstrip())]
    return blank[: blank.rfind("\n") + 1] or line_break * 2, text[len(text.rstrip()) :]
