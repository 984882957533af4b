"""A survey of all documents: the manifest, the details, and what changed since each document was judged.

Git or the disk is asked once, whatever the number of documents, and only where one watches other files.
"""

from __future__ import annotations

from collections.abc import Mapping

from limpet.ground.errors import LimpetError
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.work.documents.backlog import rank
from limpet.work.documents.detail import Detail, detail_name
from limpet.work.documents.manifest import Artifact, Manifest
from limpet.work.documents.priority import rank_statuses
from limpet.work.documents.project_files import ProjectFiles, content_id, read_document
from limpet.work.documents.requirements import Touched, changed_requirements, with_mentions
from limpet.work.documents.rubrics import rubric_of
from limpet.work.documents.staleness import watched_change
from limpet.work.documents.status import DocumentStatus, judge
from limpet.work.documents.store import read_detail, read_limits, read_manifest, read_stories


class Survey(Value):
    """The state of all documents.

    ``statuses``: those that need work most first.
    ``problems``: lines on what does not count or may not be written.
    ``limits``: the settings ``work.spec``.
    """

    manifest: Manifest
    statuses: tuple[DocumentStatus, ...]
    problems: tuple[str, ...]
    limits: Mapping[str, int]


def make_survey(workspace: Workspace) -> Survey | None:
    """Return the survey of a project, None where it has no manifest. Raise LimpetError where that cannot be read."""
    manifest = read_manifest(workspace)
    if manifest is None:
        return None
    # Sorted backwards, so that of several problems the most urgent one stays.
    needs = {item.artifact: item.priority for item in sorted(manifest.backlog, key=rank, reverse=True)}
    files, statuses = ProjectFiles(workspace.root), []
    read_only = ["read-only: a newer Limpet wrote the manifest"] if manifest.newer else []
    for artifact in manifest.artifacts:
        document = read_document(workspace.root, artifact.path)
        detail: Detail | LimpetError
        change, touched = "", tuple[Touched, ...]()
        try:
            detail = read_detail(workspace, artifact.key)
        except LimpetError as error:
            detail = error
        else:
            read_only += [f"read-only: a newer Limpet wrote {detail_name(artifact.key)}"] if detail.newer else []
            if artifact.last_evaluated and detail.baseline.document_hash and document is not None:
                change, touched = _change(workspace, manifest, artifact, detail, document, files)
        need = needs.get(artifact.key, "")
        statuses.append(judge(artifact, detail, document is not None, change, need, touched))
    limits = read_limits(workspace)
    return Survey(manifest, tuple(rank_statuses(statuses)), (*read_only, *manifest.problems), limits)


def _change(
    workspace: Workspace, manifest: Manifest, artifact: Artifact, detail: Detail, document: bytes, files: ProjectFiles
) -> tuple[str, tuple[Touched, ...]]:
    """Return (what changed since a document was evaluated, "" for nothing; its requirements that did)."""
    rubric, baseline = rubric_of(artifact.key, artifact.type or detail.type), detail.baseline
    if content_id(document) == baseline.document_hash:
        return watched_change(files, artifact.path, rubric, baseline), ()
    found = changed_requirements(baseline.requirements, document) if rubric and rubric.requirements else ()
    if found:
        others = {one.key: read_document(workspace.root, one.path) or b"" for one in manifest.artifacts}
        texts = {key: data.decode("utf-8", "replace") for key, data in others.items() if key != artifact.key}
        found = with_mentions(found, read_stories(workspace), texts)
    return f"{artifact.path} changed", found
