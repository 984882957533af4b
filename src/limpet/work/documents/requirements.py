"""Reads the numbered requirements of a Markdown document, and tells what changed since an evaluation: requirements,
with what mentions them, and the files that the document was judged against."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache

from limpet.ground.formats.markdown import line_kinds
from limpet.ground.values import Value
from limpet.work.documents.detail import Baseline
from limpet.work.documents.project_files import PathIndex, ProjectFiles, content_id, digest_file, read_project_document
from limpet.work.documents.rubrics import Rubric

CHANGED, NEW, GONE = "changed", "is new", "is gone"
MOST = 300
"""Requirements of one document that are told apart."""
_KINDS = "FR|NFR|R|BR|UR|SR|TR|IR|DR|CR|QR|REQ|C|CON|AC|UC|US"
_ID = rf"(?:{_KINDS})(?:-[A-Z][A-Z0-9]{{0,9}})*-[0-9]{{1,4}}(?:\.[0-9]{{1,3}})*"
_MENTION = re.compile(rf"(?<![\w-])({_ID})(?!\w|-\w|\.\d)")
_START = rf"[*_`\[(]*(?P<id>{_ID})(?!\w|-\w|\.\d)"
_HEADING = re.compile(r" {0,3}(#{1,6})(?:\s|$)")
_ITEM = re.compile(r"\s*(?:[-*+]|[0-9]{1,9}[.)])\s+")
_TICK = re.compile(r"\[[ xX]\]")
EVERYTHING = "*"
DEPTH = 3
"""Folders are told apart down to here: what is deeper is a matter of the code."""
MOST_READ = 1_000
"""Files of one type whose content counts; of the rest only that they are there."""
THERE = "there"
_DEEPEST = 6
_NOTHING = Rubric("")


class Touched(Value):
    """A requirement that is no longer what it was when its document was judged: CHANGED, NEW or GONE. ``stories``,
    ``documents``: ids and keys of those that mention it."""

    id: str
    change: str
    stories: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()


def requirement_ids(document: bytes) -> dict[str, str]:
    found = read_requirements(document.decode("utf-8", "replace"))
    return {name: content_id(what.encode()) for name, what in found.items()}


def changed_requirements(before: Mapping[str, str], document: bytes) -> tuple[Touched, ...]:
    """In the text's order, those that are gone last."""
    now = requirement_ids(document)
    found = [Touched(name, CHANGED if name in before else NEW) for name in now if before.get(name) != now[name]]
    return (*found, *(Touched(name, GONE) for name in before if name not in now))


def with_mentions(
    found: Iterable[Touched], stories: Mapping[str, str], documents: Mapping[str, str]
) -> tuple[Touched, ...]:
    in_stories = {name: mentioned(text) for name, text in stories.items()}
    in_documents = {name: mentioned(text) for name, text in documents.items()}

    def names(one: Touched, mentions: Mapping[str, Collection[str]]) -> tuple[str, ...]:
        return tuple(name for name, ids in mentions.items() if one.id in ids)

    return tuple(one.replace(stories=names(one, in_stories), documents=names(one, in_documents)) for one in found)


def describe_touched(one: Touched) -> str:
    parts = (("story", "stories", one.stories), ("document", "documents", one.documents))
    told = [f"{single if len(names) == 1 else many} {', '.join(names)}" for single, many, names in parts if names]
    return f"{one.id} {one.change}: {'; '.join(told) or 'no story and no document mentions it'}"


def in_short(found: Iterable[Touched]) -> str:
    """Return ``FR-3, FR-9 changed, NFR-1 is gone``."""
    known: dict[str, list[str]] = {}
    for one in found:
        known.setdefault(one.change, []).append(one.id)
    are = {CHANGED: "changed", NEW: "are new", GONE: "are gone"}
    return ", ".join(f"{', '.join(ids)} {change if len(ids) == 1 else are[change]}" for change, ids in known.items())


def mentioned(text: str) -> set[str]:
    return set(_MENTION.findall(text))


def read_requirements(text: str) -> dict[str, str]:
    """Return id -> text of each requirement: a heading with what is below it, an item of a list, a row of a table, or a
    paragraph, that begins with an id such as ``FR-3``. Line breaks, white space and ticks do not count. Of several with
    one id the first is meant; at most MOST."""
    lines = text.splitlines()
    is_code = list(map(bool, line_kinds(lines)))
    found: dict[str, str] = {}
    for place, line in enumerate(lines):
        kind, name = ("", "") if is_code[place] else _begin(line)
        if name and name not in found and len(found) < MOST:
            after = range(place + 1, len(lines))
            end = next((one for one in after if not is_code[one] and _ends(kind, lines, place, one)), len(lines))
            found[name] = " ".join(_TICK.sub("", "\n".join(lines[place:end])).split())
    return found


def take_baseline(root: str, path: str, rubric: Rubric | None, most: int) -> Baseline:
    files, kind = ProjectFiles(root), rubric or _NOTHING
    document = read_project_document(root, path) or b""
    entries = watched_entries(files.index, kind, path, files.content_id) if _patterns(kind) else {}
    level = fold_level(entries, most)
    return Baseline(
        document_hash=content_id(document),
        watched_hash=digest_file(entries),
        watched_by=_patterns_id(kind),
        watched_level=level,
        watched=fold_requirement(entries, level),
        requirements=requirement_ids(document) if kind.requirements else {},
    )


def watched_change(files: ProjectFiles, path: str, rubric: Rubric | None, before: Baseline) -> str:
    kind = rubric or _NOTHING
    if before.watched_by != _patterns_id(kind):
        if before.watched_level:
            return ""
        named = {path: was for path, was in before.watched.items() if not path.endswith("/") and was != THERE}
        now = {path: found for path in named if (found := files.content_id(path))}
        return explain_stale(before.replace(watched=named), now)
    if not _patterns(kind):
        return ""
    for identify in (files.quick_id, files.content_id):
        entries = watched_entries(files.index, kind, path, identify)
        if digest_file(entries) == before.watched_hash:
            return ""
    return explain_stale(before, entries) or "what its type watches changed"


def watched_entries(
    index: PathIndex, rubric: Rubric, own: str, identify: Callable[[str], str | None]
) -> dict[str, str]:
    """Return path -> id of all but ``own``. ``identify`` returns None for what is no file any more."""
    files = sorted(path for path in index.match(rubric.watch) if path != own)
    names = {*index.match(rubric.watch_names), *files[MOST_READ:]} - {own}
    found = dict.fromkeys((*names, *index.folders(rubric.watch_folders, DEPTH)), THERE)
    known = {path: identify(path) for path in files[:MOST_READ]}
    return found | {path: identity for path, identity in known.items() if identity is not None}


def fold_requirement(entries: Mapping[str, str], level: int) -> Mapping[str, str]:
    """Return one entry for all that share their first ``level - 1`` folders; with level 0 the entries as they are."""
    if not level:
        return entries
    groups: dict[str, dict[str, str]] = {}
    for path, identity in entries.items():
        folders = path.split("/")[:-1][: level - 1]
        groups.setdefault("/".join([*folders, EVERYTHING]), {})[path] = identity
    return {name: digest_file(group) for name, group in groups.items()}


def fold_level(entries: Mapping[str, str], most: int) -> int:
    """Return the finest level at which there are at most ``most`` entries."""
    levels = (0, *range(_DEEPEST, 1, -1))
    return next((level for level in levels if len(fold_requirement(entries, level)) <= most), 1)


def explain_stale(before: Baseline, entries: Mapping[str, str]) -> str:
    old, new = before.watched, fold_requirement(entries, before.watched_level)
    changed = [_words(path, "changed") for path in sorted(old) if path in new and new[path] != old[path]]
    gone = [_words(path, "was deleted") for path in sorted(old) if path not in new]
    added = [_words(path, "is new") for path in sorted(new) if path not in old]
    found = [*changed, *gone, *added]
    if len(found) > 1:
        return f"{found[0]}, and {len(found) - 1} more"
    return found[0] if found else ""


def _begin(line: str) -> tuple[str, str]:
    """Return (heading, item, row or paragraph; the id) of a line that begins a requirement, else ("", "")."""
    matches = ((kind, shape.match(line)) for kind, shape in _beginnings().items())
    found = next(((kind, match.groupdict()) for kind, match in matches if match), ("", {}))
    return found[0], (found[1].get("id") or found[1].get("name") or "").strip()


@cache
def _beginnings() -> dict[str, re.Pattern[str]]:
    """Compiled when a document is read: every command that refreshes the mirror imports this module."""
    return {
        "heading": re.compile(rf"{_HEADING.pattern}\s*(?:{_START}|Requirement:\s*(?P<name>\S.{{0,79}}))"),
        "item": re.compile(rf"{_ITEM.pattern}(?:\[[ xX]\]\s+)?{_START}"),
        "row": re.compile(rf"\s*\|\s*{_START}[*_`\])]*\s*\|"),
        "paragraph": re.compile(rf"(?:\*\*|__){_START}"),
    }


def _ends(kind: str, lines: Sequence[str], start: int, place: int) -> bool:
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


def _patterns(rubric: Rubric) -> tuple[str, ...]:
    return (*rubric.watch, *rubric.watch_names, *rubric.watch_folders)


def _patterns_id(rubric: Rubric) -> str:
    """Entries made by other patterns cannot be compared whole."""
    files, names = "\n".join(rubric.watch), "\n".join(rubric.watch_names)
    return digest_file({"files": files, "names": names, "folders": repr(rubric.watch_folders)})[:8]


def _words(path: str, what: str) -> str:
    if path == EVERYTHING:
        return "what its type watches changed"
    if path.endswith(f"/{EVERYTHING}"):
        return f"{path.removesuffix(EVERYTHING)} changed"
    return f"{path} {what}"
