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
from holdfast.work.documents.rubrics import Rubric, load_rubrics
from holdfast.work.documents.staleness.paths import PathIndex
from holdfast.work.documents.store import Author, Files, read_manifest, transact
from holdfast.work.documents.tree import is_file, list_files

SCANNED = "spec.scanned"
_ENDINGS = (".md", ".mdx", ".markdown", ".rst", ".adoc", ".txt")
_SAMPLES = 3
_ELSEWHERE = 3
"""The place of what lies in none of the folders for documents."""


class Candidate(Value):
    """A document to track.

    ``path``: from the project's root, "" where it is yet to be written.
    ``why``: the reason to track it, for people.
    ``type``: its rubric, "" where the key names it.
    """

    key: str
    path: str
    why: str
    type: str = ""


def scan(workspace: Workspace) -> tuple[Candidate, ...]:
    """Return the candidates: documents that the manifest does not track, or without a file. Raise HoldfastError for a
    broken manifest."""
    manifest = read_manifest(workspace)
    return find_candidates(list_files(workspace.root), manifest, lambda path: is_file(workspace.root, path))


def write_candidates(workspace: Workspace, candidates: Sequence[Candidate], name: str, author: Author) -> None:
    """Track the candidates, in a new manifest where there is none. Raise HoldfastError."""
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
    index = PathIndex(files)
    documents = _by_stem(path for path in files if is_document(path))
    taken = {one.path for one in known.values() if one.path}
    found = []
    for rubric in load_rubrics().values():
        before = known.get(rubric.type)
        if before and before.path and is_there(before.path):
            continue
        candidate = _candidate(rubric, index, documents, directory, taken)
        if candidate and (before is None or candidate.path and candidate.path != before.path):
            found.append(candidate)
            taken.add(candidate.path)
    return tuple(found)


def is_document(path: str) -> bool:
    """Return whether the path's ending is that of a text for people."""
    return path.lower().endswith(_ENDINGS)


def stem_of(path: str) -> str:
    """Return the file's name without its ending, in the form of the rubrics' names."""
    return path.rpartition("/")[2].partition(".")[0].lower().replace("_", "-").replace(" ", "-")


def _candidate(
    rubric: Rubric, index: PathIndex, documents: Mapping[str, list[str]], directory: str, taken: set[str]
) -> Candidate | None:
    found = (path for name in rubric.names for path in _best(documents.get(name, ()), rubric, directory))
    # Of several records the last one: their names begin with numbers or days.
    later = sorted((path for path in index.match(rubric.places) if is_document(path)), reverse=True)
    path = next((path for path in (*found, *later) if path not in taken), "")
    if path:
        return Candidate(rubric.type, path, "found")
    if rubric.core:
        return Candidate(rubric.type, "", "every project needs it")
    signs = () if rubric.made else sorted({*index.match(rubric.watch.files), *index.match(rubric.watch.names)})
    return Candidate(rubric.type, "", f"the project has {', '.join(signs[:_SAMPLES])}") if signs else None


def _best(paths: Iterable[str], rubric: Rubric, directory: str) -> list[str]:
    """Return the paths, the likeliest first. What a workflow makes is with the documents, or in the root: elsewhere
    its name says nothing."""
    ranked = sorted((_distance(path, directory), path) for path in paths)
    return [path for (place, depth, _), path in ranked if not rubric.made or place < _ELSEWHERE or not depth]


def _by_stem(paths: Iterable[str]) -> dict[str, list[str]]:
    """Return the paths by file name without its ending, in the form of names."""
    found: dict[str, list[str]] = {}
    for path in paths:
        found.setdefault(stem_of(path), []).append(path)
    return found


def _distance(path: str, directory: str) -> tuple[int, int, str]:
    """Return a sort key: the project's own documents folder first, then ``docs``, then what is nearest to the root."""
    folders = (f"{directory}/", "docs/", "doc/")
    place = next((index for index, folder in enumerate(folders) if path.startswith(folder)), _ELSEWHERE)
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
        after = (before or Artifact(candidate.key)).replace(path=candidate.path, type=candidate.type or candidate.key)
        text = set_artifact(text, before, after.replace(status="draft" if candidate.path else "missing"))
    if candidates:
        line = f"Scanned: {', '.join(candidate.key for candidate in candidates)}"
        text = add_log_line(text, day, line, author.limits.log)
    files.put_manifest(text)
