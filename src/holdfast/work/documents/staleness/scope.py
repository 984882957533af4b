"""What a type of document is judged against: the entries of a project's files that tell whether it still holds."""

from __future__ import annotations

from collections.abc import Callable

from holdfast.work.documents.rubrics import Watch
from holdfast.work.documents.staleness.content import digest
from holdfast.work.documents.staleness.paths import PathIndex

OURS = (".holdfast/", ".git/", ".claude/settings.local.json", ".claude/skills/holdfast/")
"""What git and Holdfast itself put into a project."""
DEPTH = 3
"""Folders are told apart down to here: what is deeper is a matter of the code."""
MOST_READ = 1_000
"""Files of one type whose content counts; of the rest only that they are there."""
THERE = "there"


def watched_entries(index: PathIndex, watch: Watch, own: str, identify: Callable[[str], str | None]) -> dict[str, str]:
    """Return path -> id of all that a document at ``own`` is judged against.

    ``identify``: returns the id of a file's content, None where it is none any more.
    """
    files = sorted(path for path in index.match(watch.files) if path != own)
    names = {*index.match(watch.names), *files[MOST_READ:]} - {own}
    found = dict.fromkeys((*names, *index.folders(watch.folders, DEPTH)), THERE)
    known = {path: identify(path) for path in files[:MOST_READ]}
    return found | {path: identity for path, identity in known.items() if identity is not None}


def patterns_id(watch: Watch) -> str:
    """Return an id of the patterns: entries made by others cannot be compared whole."""
    return digest({"files": "\n".join(watch.files), "names": "\n".join(watch.names), "folders": repr(watch.folders)})[
        :8
    ]
