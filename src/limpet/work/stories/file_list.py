"""Reads the files that a story touches: from the frontmatter's list, and from a section of items, rows or lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from limpet.ground.formats.markdown import Section, one_line, plain_lines
from limpet.ground.text.folding import fold
from limpet.ground.text.words import split_words

File = tuple[str, str]
SECTION_KINDS = {
    **dict.fromkeys("new create created add added novo nova novos novas criar criado criados".split(), "new"),
    **dict.fromkeys("modify modified edit edited change changed update updated".split(), "modify"),
    **dict.fromkeys("modificar modificado modificados alterar alterado alterados editar".split(), "modify"),
    **dict.fromkeys("delete deleted remove removed excluir excluidos remover removidos apagar".split(), "delete"),
}
"""What may happen to a file, by the words for it."""
_MARKER = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?")
_EMPHASIS = re.compile(r"\*\*|__(?=\W|$)|(?<!\w)__|~~")
_LINK = re.compile(r"\[`?([^\]`]+)`?\]\([^)]*\)")
# ``New: `` before a path; a path in a code span; what parts a path without one from a remark.
_LABEL = re.compile(r"[\[(]?([^\W\d]+)[\])]?[:：]?\s+(?=[`\w.@/])|[+~]\s+")
_SPAN = re.compile(r"`([^`]+)`\s*(?:(?:,|&|\+|and|e)\s+(?=`))?")
_REMARK = re.compile(r"\s+(?:[-—–:|→]|->|<-)+\s+|\s*[—–:]\s+|\s+(?=\([^()]*\)(?:\s|[.,:;—–-]|$)|\[[^\]]*\])|\s*$")
_PATH = re.compile(r"(?=.*[/\\.])[^\s`*?<>|\"]+|[A-Z][a-z]*file|justfile|LICENSE|CODEOWNERS")
_WITH_BLANKS = re.compile(r"(?=.*/)[^`*?<>|\":]+\.\w{1,8}")
_LINES = re.compile(r"(?::\d+(?:[-,:]\d+)*|#L\d+(?:-L?\d+)?)$")
_BRACKETED = re.compile(r"(.*\S)\s*\(([^()]*)\)", re.DOTALL)
_NO_FILE = re.compile(r"n/?a|tbd|tba|e\.?g\.?|i\.?e\.?|etc\.?|v?\d+(?:\.\d+)+|https?:.*|and/or|\W*", re.IGNORECASE)


def read_story_files(found: object) -> tuple[File, ...]:
    """Return the (path, new|modify|delete or nothing) of a list; what has no path is left out."""
    files = [story_from_text(item) for item in found] if isinstance(found, list) else []
    return tuple(file for file in files if file[0])


def story_from_text(item: object) -> File:
    """Return (path, change) of ``src/a.py (new)``, ``src/a.py`` or ``{path: ..., change: new}``."""
    if isinstance(item, Mapping):
        path = item.get("path") or item.get("file")
        return _clean(str(path or "")), _kind(str(item.get("change") or item.get("action") or ""))
    text = one_line(str(item)) if isinstance(item, str) else ""
    found = _BRACKETED.fullmatch(text)
    if found and _kind(found[2]):
        return _clean(found[1]), _kind(found[2])
    listed = list(_listed(text)) if "`" in text else []
    return listed[0] if listed else (_clean(text), "")


def read_file_section(text: str, section: Section) -> Iterator[File]:
    """What the file's own line does not say of it, its list's lead does: "Deleted:", "### New files"."""
    lead, in_item = "", False
    for _, line in plain_lines(text, section.body, section.end):
        marker = _MARKER.match(line)
        if not line.strip() or (in_item and not marker and line[:1].isspace()):
            in_item = in_item and bool(line.strip())
            continue
        in_item = bool(marker)
        if line.lstrip().startswith("|"):
            yield from _of_row([cell.strip() for cell in line.strip().strip("|").split("|")], lead)
            continue
        said = line[marker.end() :] if marker else line.strip().lstrip("#> ")
        files = list(_listed(said))
        yield from ((path, kind or lead) for path, kind in files)
        if not files:
            kinds = {SECTION_KINDS[word] for word in split_words(fold(said)) if word in SECTION_KINDS}
            lead = kinds.pop() if len(kinds) == 1 else ""


def is_file_path(text: str) -> bool:
    is_said = _NO_FILE.fullmatch(text) or not {*split_words(fold(text))} - {*SECTION_KINDS}
    return bool(_PATH.fullmatch(text)) and not is_said


def _of_row(cells: list[str], lead: str) -> Iterator[File]:
    named = [files for cell in cells if (files := list(_listed(cell)))]
    kind = next(filter(None, map(_kind, cells)), lead)
    yield from ((path, own or kind) for path, own in (named[0] if named else ()))


def _listed(text: str) -> Iterator[File]:
    """The files that a line begins with, perhaps behind a word on what happens to them."""
    text = _EMPHASIS.sub("", _LINK.sub(r"`\1`", text)).strip()
    label = _LABEL.match(text)
    kind = _kind(label[1] or "") if label else ""
    if label and (kind or not label[1]):
        text = text[label.end() :]
    paths, place = list[str](), 0
    while span := _SPAN.match(text, place):
        paths.append(span[1])
        place = span.end()
    if not paths and (end := _REMARK.search(text)):
        bare = text[: end.start()]
        paths = [bare] if _WITH_BLANKS.fullmatch(bare) else list(map(str.strip, bare.split(", ")))
        place = end.start()
    clean = [_LINES.sub("", _clean(path)) for path in paths]
    if clean and all(is_file_path(path) or _WITH_BLANKS.fullmatch(path) for path in clean):
        kind = kind or _of_remark(text[place:])
        yield from ((path, kind) for path in clean)


def _of_remark(text: str) -> str:
    """``(new)``, ``— new module``; "removed an import" is said of a file that stays."""
    words = split_words(fold(text))
    kind = SECTION_KINDS.get(words[0], "") if words else ""
    return "" if kind == "delete" and len(words) > 1 else kind


def _clean(path: str) -> str:
    return path.strip().strip("`").strip()


def _kind(word: str) -> str:
    return SECTION_KINDS.get(" ".join(split_words(fold(word))), "")
