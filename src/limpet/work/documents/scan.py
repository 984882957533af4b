"""Finds candidates for tracking: files that look like a known type of document, types that the project lacks, and what
an agent of a workflow made."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from limpet.ground.event_log import Actor
from limpet.ground.recording import record
from limpet.ground.storage.files import read_shipped
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
    """``path``: "" where the document is yet to be written. ``type``: its rubric, "" where the key names it.
    ``proposed``: it does not hold yet, so that it is not tracked."""

    key: str
    path: str
    why: str
    type: str = ""
    proposed: bool = False


def scan_documents(workspace: Workspace) -> tuple[DocumentCandidate, ...]:
    """Return documents that the manifest does not track, or without a file. Raise LimpetError for a broken manifest."""
    manifest = read_documents_manifest(workspace)
    return find_documents(ProjectFiles(workspace.root).paths, manifest, lambda path: is_file(workspace.root, path))


def write_candidates(workspace: Workspace, candidates: Sequence[DocumentCandidate], actor: Actor) -> None:
    """Track the candidates, in a new manifest where there is none. Raise LimpetError."""
    day = write_timestamp(actor.now)[0]
    candidates = [one for one in candidates if not one.proposed]

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
    layouts = read_shipped("rubrics")
    elsewhere = index.match(tuple(layouts["others"]))
    for path in (path for path in files if _is_document(path) and path not in elsewhere):
        documents.setdefault(_stem(path), []).append(path)
    taken = {one.path for one in known.values() if one.path}
    found = []
    for rubric in load_rubrics().values():
        before = known.get(rubric.type)
        if before and before.path and is_there(before.path):
            continue
        candidate = _candidate(rubric, index, documents, directory, taken, elsewhere)
        if candidate and (before is None or candidate.path and candidate.path != before.path):
            found.append(candidate)
            taken.add(candidate.path)
    return (*found, *_of_features(layouts, index, taken, {*known}))


def story_folders(root: str) -> tuple[str, ...]:
    """Where other tools keep stories in this project."""
    found = ProjectFiles(root).index.match(tuple(read_shipped("rubrics")["stories"]))
    return tuple(sorted({posixpath.dirname(path) for path in found}))


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


def _of_features(
    layouts: Mapping[str, Any], index: PathIndex, taken: Collection[str], keys: set[str]
) -> Iterator[DocumentCandidate]:
    over = index.match(tuple(layouts["over"]))
    for row in layouts["features"]:
        for path in sorted(index.match((row["place"],)) - over - {*taken}):
            folder, name = posixpath.split(path)
            words = re.sub(r"[^a-z0-9]+", "-", f"{posixpath.basename(folder)}-{_stem(name)}".lower()).strip("-")
            free = (f"{words[:60]}{number}" for number in ("", *range(-2, -99, -1)))
            key = next(key for key in free if key not in keys)
            keys.add(key)
            is_proposed = row.get("proposed", False)
            why = f"{row['tool']}, proposed" if is_proposed else row["tool"]
            yield DocumentCandidate(key, path, why, row["type"], is_proposed)


def _candidate(
    rubric: Rubric,
    index: PathIndex,
    documents: Mapping[str, list[str]],
    directory: str,
    taken: Collection[str],
    elsewhere: Collection[str],
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
    signs = () if rubric.made else sorted({*index.match(rubric.watch), *index.match(rubric.watch_names)} - {*elsewhere})
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
