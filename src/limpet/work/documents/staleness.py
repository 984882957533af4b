"""Whether a document still stands as it was judged: compares what its type watches with the baseline of then."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from limpet.work.documents.detail import Baseline
from limpet.work.documents.paths import PathIndex
from limpet.work.documents.project_files import ProjectFiles, content_id, digest, read_document
from limpet.work.documents.requirements import requirement_ids
from limpet.work.documents.rubrics import Rubric

EVERYTHING = "*"
DEPTH = 3
"""Folders are told apart down to here: what is deeper is a matter of the code."""
MOST_READ = 1_000
"""Files of one type whose content counts; of the rest only that they are there."""
THERE = "there"
_DEEPEST = 6
_NOTHING = Rubric("")


def take_baseline(root: str, path: str, rubric: Rubric | None, most: int) -> Baseline:
    """Return what a document at ``path`` is judged against now; ``most`` files are named one by one."""
    files, kind = ProjectFiles(root), rubric or _NOTHING
    document = read_document(root, path) or b""
    entries = watched_entries(files.index, kind, path, files.content_id) if _patterns(kind) else {}
    level = fold_level(entries, most)
    return Baseline(
        document_hash=content_id(document),
        watched_hash=digest(entries),
        watched_by=_patterns_id(kind),
        watched_level=level,
        watched=fold(entries, level),
        requirements=requirement_ids(document) if kind.requirements else {},
    )


def watched_change(files: ProjectFiles, path: str, rubric: Rubric | None, before: Baseline) -> str:
    """Return what changed of the files that a document at ``path`` was judged against, "" for nothing."""
    kind = rubric or _NOTHING
    if before.watched_by != _patterns_id(kind):
        return _change_by_other_patterns(files, before)
    if not _patterns(kind):
        return ""
    for identify in (files.quick_id, files.content_id):
        entries = watched_entries(files.index, kind, path, identify)
        if digest(entries) == before.watched_hash:
            return ""
    return explain(before, entries) or "what its type watches changed"


def watched_entries(
    index: PathIndex, rubric: Rubric, own: str, identify: Callable[[str], str | None]
) -> dict[str, str]:
    """Return path -> id of all that a document at ``own`` is judged against.

    ``identify``: returns the id of a file's content, None where it is none any more.
    """
    files = sorted(path for path in index.match(rubric.watch) if path != own)
    names = {*index.match(rubric.watch_names), *files[MOST_READ:]} - {own}
    found = dict.fromkeys((*names, *index.folders(rubric.watch_folders, DEPTH)), THERE)
    known = {path: identify(path) for path in files[:MOST_READ]}
    return found | {path: identity for path, identity in known.items() if identity is not None}


def fold(entries: Mapping[str, str], level: int) -> Mapping[str, str]:
    """Return one entry for all that share their first ``level - 1`` folders; with level 0 the entries as they are."""
    if not level:
        return entries
    groups: dict[str, dict[str, str]] = {}
    for path, identity in entries.items():
        folders = path.split("/")[:-1][: level - 1]
        groups.setdefault("/".join([*folders, EVERYTHING]), {})[path] = identity
    return {name: digest(group) for name, group in groups.items()}


def fold_level(entries: Mapping[str, str], most: int) -> int:
    """Return the finest level at which there are at most ``most`` entries."""
    levels = (0, *range(_DEEPEST, 1, -1))
    return next((level for level in levels if len(fold(entries, level)) <= most), 1)


def explain(before: Baseline, entries: Mapping[str, str]) -> str:
    """Return what differs from the baseline in a phrase, "" for nothing that its entries tell."""
    old, new = before.watched, fold(entries, before.watched_level)
    changed = [_words(path, "changed") for path in sorted(old) if path in new and new[path] != old[path]]
    gone = [_words(path, "was deleted") for path in sorted(old) if path not in new]
    added = [_words(path, "is new") for path in sorted(new) if path not in old]
    found = [*changed, *gone, *added]
    return found[0] + (f", and {len(found) - 1} more" if len(found) > 1 else "") if found else ""


def _patterns(rubric: Rubric) -> tuple[str, ...]:
    return (*rubric.watch, *rubric.watch_names, *rubric.watch_folders)


def _patterns_id(rubric: Rubric) -> str:
    """Return an id of the patterns: entries made by others cannot be compared whole."""
    files, names = "\n".join(rubric.watch), "\n".join(rubric.watch_names)
    return digest({"files": files, "names": names, "folders": repr(rubric.watch_folders)})[:8]


def _change_by_other_patterns(files: ProjectFiles, before: Baseline) -> str:
    """Return what changed of the files that are named: by which patterns the evaluation found them does not matter."""
    if before.watched_level:
        return ""
    named = {path: was for path, was in before.watched.items() if not path.endswith("/") and was != THERE}
    now = {path: found for path in named if (found := files.content_id(path))}
    return explain(before.replace(watched=named), now)


def _words(path: str, what: str) -> str:
    if path == EVERYTHING:
        return "what its type watches changed"
    if path.endswith(f"/{EVERYTHING}"):
        return f"{path.removesuffix(EVERYTHING)} changed"
    return f"{path} {what}"
