"""Reads the instruction files of a project: their front matter, their prose, and the commands that are to be run before
the work counts as done. Pure: text in, values out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.ground.text.word_lists import read_words
from holdfast.ground.values import Value

# The longest text that one rule may be made of, in characters.
LONGEST = 400

_FENCE = re.compile(r"\s*(```+|~~~+)")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(?=\S)")
_HEADING = re.compile(r"#{1,6}\s|(?:={3,}|-{3,}|\*{3,})\s*$")
_NO_PROSE = re.compile(r"\s*(?:[|>]|<[!/a-zA-Z]|!\[|\[[^\]]+\]:)")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_EMPHASIS = re.compile(r"\*\*|__(?=\w)|(?<=\w)__")
_SENTENCE = re.compile(r"(?<=[.!?])[\"')]?\s+(?=[A-Z`\"\u00c0-\u00dd])")
_GLOBS = re.compile(r"(?:paths|globs|applyTo):\s*(.*)")
_COMMA = re.compile(r",(?![^{}]*\})")
_BRACES = re.compile(r"\{([^{}]*)\}")
_WORDS = read_words("words/finishing")
_SPANS = r"((?:[\s,&+]*(?:(?:and|then|run|both|the|e|y|et|und)\s+)*`[^`]+`)+)"
_RUN = re.compile(f"(?:{'|'.join(_WORDS['run'])}){_SPANS}", re.IGNORECASE)
_PASS = re.compile(rf"{_SPANS}\s*(?:{'|'.join(_WORDS['pass'])})", re.IGNORECASE)
_WHEN = "|".join(_WORDS["moment"])
_MOMENT = re.compile(_WHEN, re.IGNORECASE)
# A command right before or behind its moment, with no verb.
_BESIDE = re.compile(rf"{_SPANS}\s*(?:{_WHEN})|(?:{_WHEN})[^`.;]*[,:]\s*{_SPANS}", re.IGNORECASE)
# A command as one types it: no file, no call, no placeholder.
_COMMAND = re.compile(r"(?:\.{1,2}/|\.(?=\w))?[a-z][\w+-]*(?:/[\w./-]+)?(?:\s[^<>…]*)?$")
_NO_CHECK = re.compile("|".join(_WORDS["no check"]))


class Passage(Value):
    """A list item or a paragraph on one line, without emphasis and the targets of links; ``line`` counts from 1."""

    line: int
    text: str


class Prose(Value):
    """What a file says.

    ``globs``: of the files that it is about, as its front matter has them, braces resolved.
    ``passages``: in order.
    ``is_whole``: whether all but headings is in them: no code, table or quotation.
    """

    globs: tuple[str, ...]
    passages: tuple[Passage, ...]
    is_whole: bool


def read_prose(text: str) -> Prose:
    """Return what an instruction file says."""
    lines = text.removeprefix("\ufeff").splitlines()
    marks = [number for number, line in enumerate(lines) if line.strip() == "---"]
    start = marks[1] + 1 if marks[:1] == [0] and len(marks) > 1 else 0
    found: list[list[str]] = []
    places: list[int] = []
    fence, comment, goes_on, is_whole = "", False, False, True
    for number, line in enumerate(lines[start:], start + 1):
        mark = _FENCE.match(line)
        comment = comment or (not fence and line.lstrip().startswith("<!--"))
        if not comment and mark and (not fence or mark[1].startswith(fence)):
            fence, goes_on, is_whole = "" if fence else mark[1][:3], False, False
        elif fence or comment or not line.strip() or _HEADING.match(line) or _NO_PROSE.match(line):
            is_whole = is_whole and not _NO_PROSE.match(line)
            comment = comment and "-->" not in line
            goes_on = False
        elif goes_on and not _ITEM.match(line):
            found[-1].append(line.strip())
        else:
            item = _ITEM.match(line)
            found.append([line[item.end() if item else 0 :].strip()])
            places.append(number)
            goes_on = True
    passages = (Passage(place, _clean(" ".join(parts))) for place, parts in zip(places, found, strict=True))
    return Prose(_read_globs(lines[:start]), tuple(one for one in passages if one.text), is_whole)


def sentences(passage: Passage) -> list[str]:
    """Return the sentences of a passage."""
    return _SENTENCE.split(passage.text)


def read_commands(sentence: str) -> list[str]:
    """Return the commands that a sentence wants run, as its code spans have them, before something counts as done.

    Left out is what checks nothing as it stands, and one word beside a moment, which may name anything.
    """
    asked = _PASS.search(sentence) or (_MOMENT.search(sentence) and _RUN.search(sentence))
    beside = None if asked else _BESIDE.search(sentence)
    spans = re.findall(r"`([^`]+)`", (asked or beside or ("",))[0])
    known = (span for span in map(str.strip, spans) if _COMMAND.match(span) and not _NO_CHECK.fullmatch(span))
    return [span for span in known if not beside or re.search(r"[\s/]", span)]


def _read_globs(front: list[str]) -> tuple[str, ...]:
    """Return the globs in a file's front matter, a list in one line or in several."""
    listed: list[str] = []
    for place, line in enumerate(front):
        if known := _GLOBS.match(line.strip()):
            value = known[1].strip()
            listed = _COMMA.split(value[1:-1] if value.startswith("[") and value.endswith("]") else value.strip("\"'"))
            for more in front[place + 1 :]:
                if not more.strip().startswith("- "):
                    break
                listed.append(more.strip()[2:])
    bare = (each.strip().strip("\"'") for each in listed)
    return tuple(dict.fromkeys(glob for each in bare if each for glob in _without_braces(each)))


def _without_braces(glob: str) -> Iterator[str]:
    found = _BRACES.search(glob)
    if not found:
        yield glob
        return
    for part in found[1].split(","):
        yield from _without_braces(glob[: found.start()] + part.strip() + glob[found.end() :])


def _clean(text: str) -> str:
    plain = " ".join(_EMPHASIS.sub("", _LINK.sub(r"\1", text)).split())
    return "" if plain.endswith(":") else plain
