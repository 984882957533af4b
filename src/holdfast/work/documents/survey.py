"""A survey of all documents: the manifest, a glance at each detail file, and what changed since each was judged.

Git or the disk is asked once, whatever the number of documents, and only where one watches other files.
"""

from __future__ import annotations

from holdfast.ground.config.settings import load_settings
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.work.documents.backlog import rank
from holdfast.work.documents.detail import Glance, detail_name
from holdfast.work.documents.limits import Limits, read_limits
from holdfast.work.documents.manifest import Artifact, Manifest
from holdfast.work.documents.priority import rank_statuses
from holdfast.work.documents.requirements.touched import Touched, changed_requirements, with_mentions
from holdfast.work.documents.rubrics import Watch
from holdfast.work.documents.staleness.baseline import Baseline
from holdfast.work.documents.staleness.judgement import watched_change
from holdfast.work.documents.status import DocumentStatus, judge, rubric_for
from holdfast.work.documents.store import read_detail, read_glances, read_manifest, read_stories
from holdfast.work.documents.tree import ProjectFiles, document_id, is_file, read_document


class Survey(Value):
    """The state of all documents.

    ``statuses``: those that need work most first.
    ``problems``: lines on what does not count or may not be written.
    """

    manifest: Manifest
    statuses: tuple[DocumentStatus, ...]
    problems: tuple[str, ...]
    limits: Limits


def make_survey(workspace: Workspace) -> Survey | None:
    """Return the survey of a project, None where it has no manifest. Raise HoldfastError where that cannot be read."""
    manifest = read_manifest(workspace)
    if manifest is None:
        return None
    glances = read_glances(workspace, [artifact.key for artifact in manifest.artifacts])
    look = _Look(workspace, manifest, glances)
    # Sorted backwards, so that of several problems the most urgent one stays.
    needs = {item.artifact: item.priority for item in sorted(manifest.backlog, key=rank, reverse=True)}
    found = [
        judge(
            artifact=one,
            glance=glances.get(one.key),
            exists=is_file(workspace.root, one.path),
            change=look.change(one),
            need=needs.get(one.key, ""),
            requirements=look.requirements(one),
        )
        for one in manifest.artifacts
    ]
    return Survey(
        manifest=manifest,
        statuses=tuple(rank_statuses(found)),
        problems=(*_read_only(manifest, glances), *manifest.problems),
        limits=read_limits(load_settings(workspace)[0]),
    )


def _read_only(manifest: Manifest, glances: dict[str, Glance]) -> list[str]:
    names = ["the manifest"] if manifest.newer else []
    names += [detail_name(key) for key, glance in glances.items() if glance.newer]
    return [f"read-only: a newer Holdfast wrote {name}" for name in names]


class _Look:
    """A look at what changed since the evaluations."""

    def __init__(self, workspace: Workspace, manifest: Manifest, glances: dict[str, Glance]) -> None:
        self._workspace, self._artifacts, self._glances = workspace, manifest.artifacts, glances
        self._files = ProjectFiles(workspace.root)

    def change(self, artifact: Artifact) -> str:
        """Return what changed since the document's evaluation, "" for nothing and where there is no baseline."""
        glance = self._judged(artifact)
        if glance is None:
            return ""
        if self._is_changed(artifact, glance):
            return f"{artifact.path} changed"
        rubric = rubric_for(artifact, glance)
        known = Baseline(glance.document, glance.watched, glance.by)
        watch = rubric.watch if rubric else Watch()
        return watched_change(self._files, artifact.path, watch, known, lambda: self._baseline(artifact))

    def requirements(self, artifact: Artifact) -> tuple[Touched, ...]:
        """Return the requirements of the document that changed, with what mentions them."""
        rubric, glance = rubric_for(artifact, self._glances.get(artifact.key)), self._judged(artifact)
        if glance is None or not rubric or not rubric.requirements or not self._is_changed(artifact, glance):
            return ()
        root = self._workspace.root
        found = changed_requirements(self._baseline(artifact).requirements, read_document(root, artifact.path))
        if not found:
            return ()
        others = {one.key: read_document(root, one.path) for one in self._artifacts if one.key != artifact.key}
        return with_mentions(found, read_stories(self._workspace), others)

    def _judged(self, artifact: Artifact) -> Glance | None:
        """Return the glance at a document that was evaluated with a baseline, and whose file is there."""
        glance = self._glances.get(artifact.key)
        is_judged = artifact.day and glance and glance.document and is_file(self._workspace.root, artifact.path)
        return glance if is_judged else None

    def _is_changed(self, artifact: Artifact, glance: Glance) -> bool:
        return document_id(self._workspace.root, artifact.path) != glance.document

    def _baseline(self, artifact: Artifact) -> Baseline:
        return read_detail(self._workspace, artifact.key).baseline
