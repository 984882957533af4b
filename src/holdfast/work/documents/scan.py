"""Finds candidates for tracking: files that look like a known type of document, and types that the project lacks.

Used for the first run, and later for what was added since.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from holdfast.ground.event_log.record import record
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.work.documents.dates import write_timestamp
from holdfast.work.documents.manifest import (
    DIRECTORY,
    Artifact,
    Manifest,
    add_log_line,
    new_manifest_text,
    read_manifest_text,
    refuse_newer,
    set_artifact,
)
from holdfast.work.documents.rubrics import Rubric, load_rubrics, watched
from holdfast.work.documents.store import Author, Files, read_manifest, transact
from holdfast.work.documents.tree import is_file, list_files

SCANNED = "spec.scanned"
_ENDINGS = (".md", ".mdx", ".markdown", ".rst", ".adoc", ".txt")
_SAMPLES = 3


class Candidate(Value):
    """A document to track.

    ``path``: from the project's root, "" where it is yet to be written.
    ``why``: the reason to track it, for people.
    """

    key: str
    path: str
    why: str


def scan(workspace: Workspace) -> tuple[Candidate, ...]:
    """Return the candidates: documents that the manifest does not track, or without a file. Raises HoldfastError for a
    broken manifest."""
    manifest = read_manifest(workspace)
    return find_candidates(list_files(workspace.root), manifest, lambda path: is_file(workspace.root, path))


def write_candidates(workspace: Workspace, candidates: Sequence[Candidate], name: str, author: Author) -> None:
    """Track the candidates, in a new manifest where there is none. Raises HoldfastError."""
    transact(workspace, lambda files: _write(files, candidates, name, author))
    record(workspace, author, SCANNED, {"artifacts": [candidate.key for candidate in candidates]})


def find_candidates(
    files: Sequence[str], manifest: Manifest | None, is_there: Callable[[str], bool]
) -> tuple[Candidate, ...]:
    """Return the candidates among ``files``, paths from the root: the four core types, and others for which the project
    has a document or files.

    ``is_there``: returns whether a tracked document's file exists.
    """
    known = {one.key: one for one in manifest.artifacts} if manifest else {}
    directory = manifest.directory if manifest else DIRECTORY
    documents = _by_stem(path for path in files if path.lower().endswith(_ENDINGS))
    taken = {one.path for one in known.values() if one.path}
    found = []
    for rubric in load_rubrics().values():
        before = known.get(rubric.type)
        if before and before.path and is_there(before.path):
            continue
        candidate = _candidate(rubric, files, documents, directory, taken)
        if candidate and (before is None or candidate.path and candidate.path != before.path):
            found.append(candidate)
            taken.add(candidate.path)
    return tuple(found)


def _candidate(
    rubric: Rubric, files: Sequence[str], documents: Mapping[str, list[str]], directory: str, taken: set[str]
) -> Candidate | None:
    for name in rubric.names:
        paths = [path for path in documents.get(name, ()) if path not in taken]
        if paths:
            best = min(paths, key=lambda path: _distance(path, directory))
            return Candidate(rubric.type, best, "found")
    if rubric.core:
        return Candidate(rubric.type, "", "every project needs it")
    signs = watched(files, rubric.watch)[:_SAMPLES]
    return Candidate(rubric.type, "", f"the project has {', '.join(signs)}") if signs else None


def _by_stem(paths: Iterable[str]) -> dict[str, list[str]]:
    """Return the paths by file name without its ending, in the form of names."""
    found: dict[str, list[str]] = {}
    for path in paths:
        stem = path.rpartition("/")[2].partition(".")[0].lower().replace("_", "-").replace(" ", "-")
        found.setdefault(stem, []).append(path)
    return found


def _distance(path: str, directory: str) -> tuple[int, int, str]:
    """Return a sort key: the project's own documents folder first, then ``docs``, then what is nearest to the root."""
    folders = (f"{directory}/", "docs/", "doc/")
    place = next((index for index, folder in enumerate(folders) if path.startswith(folder)), len(folders))
    return place, path.count("/"), path


def _write(files: Files, candidates: Sequence[Candidate], name: str, author: Author) -> None:
    day = write_timestamp(author.now)[0]
    text = files.manifest or new_manifest_text(name, day)
    manifest = read_manifest_text(text)
    refuse_newer(manifest)
    for candidate in candidates:
        before = manifest.artifact(candidate.key)
        if before and not candidate.path:
            continue  # tracked since it was looked for
        after = (before or Artifact(candidate.key)).replace(path=candidate.path, type=candidate.key)
        text = set_artifact(text, before, after.replace(status="draft" if candidate.path else "missing"))
    if candidates:
        line = f"Scanned: {', '.join(candidate.key for candidate in candidates)}"
        text = add_log_line(text, day, line, author.limits.log)
    files.put_manifest(text)
