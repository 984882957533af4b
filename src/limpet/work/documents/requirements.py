"""Reads the numbered requirements of a Markdown document, and tells which changed since an evaluation and what mentions
them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from limpet.ground.values import Value
from limpet.work.documents.project_files import content_id

CHANGED, NEW, GONE = "changed", "is new", "is gone"
MOST = 300
"""Requirements of one document that are told apart."""
_KINDS = "FR|NFR|R|BR|UR|SR|TR|IR|DR|CR|QR|REQ|C|CON|AC|UC|US"
_ID = rf"(?:{_KINDS})(?:-[A-Z][A-Z0-9]{{0,9}})*-[0-9]{{1,4}}(?:\.[0-9]{{1,3}})*"
_MENTION = re.compile(rf"(?<![\w-])({_ID})(?!\w|-\w|\.\d)")
_START = rf"[*_`\[(]*(?P<id>{_ID})(?!\w|-\w|\.\d)"
_HEADING = re.compile(r" {0,3}(#{1,6})(?:\s|$)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ITEM = re.compile(r"\s*(?:[-*+]|[0-9]{1,9}[.)])\s+")
_BEGINNINGS = {
    "heading": re.compile(rf"{_HEADING.pattern}\s*{_START}"),
    "item": re.compile(rf"{_ITEM.pattern}(?:\[[ xX]\]\s+)?{_START}"),
    "row": re.compile(rf"\s*\|\s*{_START}[*_`\])]*\s*\|"),
    "paragraph": re.compile(rf"(?:\*\*|__){_START}"),
}
_TICK = re.compile(r"\[[ xX]\]")


class Touched(Value):
    """A requirement that is no longer what it was when its document was judged.

    ``change``: CHANGED, NEW or GONE.
    ``stories``, ``documents``: ids of the stories and keys of the documents that mention it.
    """

    id: str
    change: str
    stories: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()


def requirement_ids(document: bytes) -> dict[str, str]:
    """Return id -> id of the text of each requirement in a document."""
    found = read_requirements(document.decode("utf-8", "replace"))
    return {name: content_id(what.encode()) for name, what in found.items()}


def changed_requirements(before: Mapping[str, str], document: bytes) -> tuple[Touched, ...]:
    """Return the requirements of a document that are not as they were ``before``, in the text's order, those that are
    gone last."""
    now = requirement_ids(document)
    found = [Touched(name, CHANGED if name in before else NEW) for name in now if before.get(name) != now[name]]
    return (*found, *(Touched(name, GONE) for name in before if name not in now))


def with_mentions(
    found: Iterable[Touched], stories: Mapping[str, str], documents: Mapping[str, str]
) -> tuple[Touched, ...]:
    """Return the requirements with the stories and documents, texts by their names, that mention them."""
    in_stories, in_documents = (
        {name: mentioned(text) for name, text in texts.items()} for texts in (stories, documents)
    )
    return tuple(
        one.replace(
            stories=tuple(name for name, ids in in_stories.items() if one.id in ids),
            documents=tuple(name for name, ids in in_documents.items() if one.id in ids),
        )
        for one in found
    )


def describe_touched(one: Touched) -> str:
    """Return the requirement in a line."""
    parts = (("story", "stories", one.stories), ("document", "documents", one.documents))
    told = [f"{single if len(names) == 1 else many} {', '.join(names)}" for single, many, names in parts if names]
    return f"{one.id} {one.change}: {'; '.join(told) or 'no story and no document mentions it'}"


def in_short(found: Iterable[Touched]) -> str:
    """Return all in a phrase: ``FR-3, FR-9 changed, NFR-1 is gone``."""
    known: dict[str, list[str]] = {}
    for one in found:
        known.setdefault(one.change, []).append(one.id)
    are = {CHANGED: "changed", NEW: "are new", GONE: "are gone"}
    return ", ".join(f"{', '.join(ids)} {change if len(ids) == 1 else are[change]}" for change, ids in known.items())


def mentioned(text: str) -> set[str]:
    """Return the ids of requirements that the text names."""
    return set(_MENTION.findall(text))


def read_requirements(text: str) -> dict[str, str]:
    """Return id -> text of each requirement: a heading with what is below it, an item of a list, a row of a table, or a
    paragraph, that begins with an id such as ``FR-3``.

    Line breaks, white space and ticks do not count. Of several with one id the first is meant; at most MOST.
    """
    lines = text.splitlines()
    is_code = list(_code(lines))
    found: dict[str, str] = {}
    for place, line in enumerate(lines):
        kind, name = ("", "") if is_code[place] else _begin(line)
        if name and name not in found and len(found) < MOST:
            after = range(place + 1, len(lines))
            end = next((one for one in after if not is_code[one] and _ends(kind, lines, place, one)), len(lines))
            found[name] = " ".join(_TICK.sub("", "\n".join(lines[place:end])).split())
    return found


def _begin(line: str) -> tuple[str, str]:
    """Return (heading, item, row or paragraph; the id) of a line that begins a requirement, else ("", "")."""
    matches = ((kind, shape.match(line)) for kind, shape in _BEGINNINGS.items())
    return next(((kind, match["id"]) for kind, match in matches if match), ("", ""))


def _ends(kind: str, lines: Sequence[str], start: int, place: int) -> bool:
    """Return whether a requirement that begins at ``start`` has ended before the line at ``place``."""
    line, heading = lines[place], _HEADING.match(lines[place])
    if kind == "heading":
        opened = _HEADING.match(lines[start])
        is_higher = bool(heading and opened and len(heading[1]) <= len(opened[1]))
        return is_higher or _begin(line)[0] == "heading"
    if kind == "item":
        is_deeper = _indent(line) > _indent(lines[start])
        is_own = is_deeper or not (_ITEM.match(line) or not lines[place - 1].strip())
        return bool(line.strip()) and bool(heading or not is_own)
    return kind == "row" or not line.strip() or bool(heading or _begin(line)[0])


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
