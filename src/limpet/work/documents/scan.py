"""Finds candidates for tracking: files that look like a known type of document, types that the project lacks, and what
an agent of a workflow made."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from limpet.ground.event_log import Actor
from limpet.ground.recording import record
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.work.documents.form import write_timestamp
from limpet.work.documents.manifest import DIRECTORY, KEY, Artifact, DocumentsManifest
from limpet.work.documents.project_files import PathIndex, ProjectFiles, is_file
from limpet.work.documents.rubrics import Rubric, load_rubrics
from limpet.work.documents.store import DocumentState, read_documents_manifest, transact

SCANNED = "spec.scanned"
_ENDINGS = (".md", ".mdx", ".markdown", ".rst", ".adoc", ".txt")
_NUMBERED = re.compile(r"-(?:v?\d[\w-]*)")
_SAMPLES = 3
_ELSEWHERE = 3
"""The place of what lies in none of the folders for documents."""


class DocumentCandidate(Value):
    """``path``: "" where the document is yet to be written. ``type``: its rubric, "" where the key names it."""

    key: str
    path: str
    why: str
    type: str = ""


def scan_documents(workspace: Workspace) -> tuple[DocumentCandidate, ...]:
    """Return documents that the manifest does not track, or without a file. Raise LimpetError for a broken manifest."""
    manifest = read_documents_manifest(workspace)
    return find_documents(ProjectFiles(workspace.root).paths, manifest, lambda path: is_file(workspace.root, path))


def write_candidates(workspace: Workspace, candidates: Sequence[DocumentCandidate], actor: Actor) -> None:
    """Track the candidates, in a new manifest where there is none. Raise LimpetError."""
    day = write_timestamp(actor.now)[0]

    def work(state: DocumentState) -> None:
        state.begin(os.path.basename(workspace.root), day)
        manifest = state.manifest
        for one in candidates:
            before = manifest.artifact(one.key)
            if one.path or not before:  # else it is tracked since it was looked for
                after = before or Artifact(one.key)
                status = "draft" if one.path else "missing"
                after = after.replace(path=one.path, type=one.type or one.key, status=status)
                manifest = manifest.with_artifact(after)
        if candidates:
            line = f"Scanned: {', '.join(one.key for one in candidates)}"
            manifest = manifest.logged(day, line, state.limits["log"])
        state.put(manifest)

    transact(workspace, work)
    record(workspace, actor, SCANNED, {"artifacts": [candidate.key for candidate in candidates]})


def find_documents(
    files: Sequence[str], manifest: DocumentsManifest | None, is_there: Callable[[str], bool]
) -> tuple[DocumentCandidate, ...]:
    """Return the four core types, and others for which the project has a document or files. ``files`` are from the
    root; ``is_there``: a tracked document's file exists."""
    known = {one.key: one for one in manifest.artifacts} if manifest else {}
    directory = manifest.directory if manifest else DIRECTORY
    index = PathIndex(files)
    documents: dict[str, list[str]] = {}
    for path in filter(_is_document, files):
        documents.setdefault(_stem(path), []).append(path)
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


def find_outputs(
    paths: Iterable[str], manifest: DocumentsManifest | None, is_there: Callable[[str], bool]
) -> tuple[DocumentCandidate, ...]:
    """Return those of the types that agents make, among the files of an agent of a workflow (from the root). A second
    document of a type is tracked by its own name."""
    known = {one.key: one.path for one in manifest.artifacts} if manifest else {}
    found: list[DocumentCandidate] = []
    for path in map(posixpath.normpath, paths):
        kind = _made_type(path)
        if not kind or path in known.values() or not is_there(path):
            continue
        free = [key for key in (kind, _stem(path)) if not known.get(key) or not is_there(known[key])]
        if free and KEY.fullmatch(free[0]):
            known[free[0]] = path
            found.append(DocumentCandidate(free[0], path, "an agent made it", kind))
    return tuple(found)


def _candidate(
    rubric: Rubric, index: PathIndex, documents: Mapping[str, list[str]], directory: str, taken: set[str]
) -> DocumentCandidate | None:
    folders = (f"{directory}/", "docs/", "doc/")

    def distance(path: str) -> tuple[int, int, str]:
        """The project's own documents folder first, then ``docs``, then what is nearest to the root."""
        place = next((place for place, folder in enumerate(folders) if path.startswith(folder)), _ELSEWHERE)
        return place, path.count("/"), path

    named: list[str] = []
    for name in rubric.names:
        named += sorted(documents.get(name, ()), key=distance)
    # What a workflow makes is with the documents, or in the root: elsewhere its name says nothing.
    named = [path for path in named if not rubric.made or distance(path)[0] < _ELSEWHERE or "/" not in path]
    # Of several records the last one: their names begin with numbers or days.
    later = sorted(filter(_is_document, index.match(rubric.places)), reverse=True)
    path = next((path for path in (*named, *later) if path not in taken), "")
    if path or rubric.core:
        return DocumentCandidate(rubric.type, path, "found" if path else "every project needs it")
    signs = () if rubric.made else sorted({*index.match(rubric.watch), *index.match(rubric.watch_names)})
    return DocumentCandidate(rubric.type, "", f"the project has {', '.join(signs[:_SAMPLES])}") if signs else None


def _made_type(path: str) -> str:
    stem, index = _stem(path), PathIndex([path])
    for rubric in load_rubrics().values() if _is_document(path) else ():
        numbered = [name for name in rubric.names if rubric.made and stem.startswith(name)]
        is_numbered = any(_NUMBERED.fullmatch(stem[len(name) :]) for name in numbered)
        if rubric.agents and (stem in rubric.names or is_numbered or index.match(rubric.places)):
            return rubric.type
    return ""


def _is_document(path: str) -> bool:
    return path.lower().endswith(_ENDINGS)


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0].lower().replace("_", "-").replace(" ", "-")
