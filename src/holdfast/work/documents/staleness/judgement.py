"""Judges whether documents still stand: takes the baseline of an evaluation, and compares one with the present."""

from __future__ import annotations

from collections.abc import Callable

from holdfast.work.documents.requirements.touched import requirement_ids
from holdfast.work.documents.rubrics import Rubric, Watch
from holdfast.work.documents.staleness.baseline import Baseline, explain, make_baseline
from holdfast.work.documents.staleness.content import digest
from holdfast.work.documents.staleness.scope import patterns_id, watched_entries
from holdfast.work.documents.tree import ProjectFiles, document_id, read_document


def take_baseline(root: str, path: str, rubric: Rubric | None, most: int) -> Baseline:
    """Return what a document at ``path`` is judged against now; ``most`` files are named one by one."""
    watch, files = rubric.watch if rubric else Watch(), ProjectFiles(root)
    entries = watched_entries(files.index, watch, path, files.content_id) if watch != Watch() else {}
    requirements = requirement_ids(read_document(root, path)) if rubric and rubric.requirements else {}
    return make_baseline(document_id(root, path), patterns_id(watch), entries, requirements, most)


def watched_change(
    files: ProjectFiles, path: str, watch: Watch, known: Baseline, read_whole: Callable[[], Baseline]
) -> str:
    """Return what changed of the files that a document at ``path`` was judged against, "" for nothing.

    ``known``: the ids of its baseline, without entries.
    ``read_whole``: returns the baseline with its entries, which are read where the ids differ.
    """
    if known.by != patterns_id(watch):
        return _change_by_other_patterns(files, read_whole())
    if watch == Watch():
        return ""
    for identify in (files.quick_id, files.content_id):
        entries = watched_entries(files.index, watch, path, identify)
        if digest(entries) == known.watched:
            return ""
    return explain(read_whole(), entries) or "what its type watches changed"


def _change_by_other_patterns(files: ProjectFiles, before: Baseline) -> str:
    """Return what changed of the files that are named: by which patterns the evaluation found them does not matter."""
    if before.level:
        return ""
    named = {path: was for path, was in before.entries.items() if not path.endswith("/") and was != "there"}
    now = {path: files.content_id(path) for path in named}
    return explain(before.replace(entries=named), {path: found for path, found in now.items() if found})
