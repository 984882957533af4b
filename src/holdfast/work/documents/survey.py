"""A survey of all documents: the manifest, a glance at each detail file, and which of the project's files changed.

Git or the disk is asked once, whatever the number of documents.
"""

from __future__ import annotations

from holdfast.ground.config.settings import load_settings
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.work.documents.backlog import rank
from holdfast.work.documents.dates import seconds_of_day
from holdfast.work.documents.detail import Glance, detail_name
from holdfast.work.documents.limits import Limits, read_limits
from holdfast.work.documents.manifest import Artifact, Manifest
from holdfast.work.documents.priority import rank_statuses
from holdfast.work.documents.staleness import Change, change_since, latest_changes
from holdfast.work.documents.status import DocumentStatus, judge, rubric_for
from holdfast.work.documents.store import read_glances, read_manifest
from holdfast.work.documents.tree import is_file, read_changes


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
    """Return the survey of a project, None where it has no manifest. Raises HoldfastError where that cannot be read."""
    manifest = read_manifest(workspace)
    if manifest is None:
        return None
    glances = read_glances(workspace, [artifact.key for artifact in manifest.artifacts])
    changed = _changes(workspace.root, manifest, glances)
    # Sorted backwards, so that of several problems the most urgent one stays.
    needs = {item.artifact: item.priority for item in sorted(manifest.backlog, key=rank, reverse=True)}
    found = [
        judge(one, glances.get(one.key), is_file(workspace.root, one.path), changed[one.key], needs.get(one.key, ""))
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
    return [f"read only: a newer holdfast wrote {name}" for name in names]


def _changes(root: str, manifest: Manifest, glances: dict[str, Glance]) -> dict[str, Change | None]:
    """Return the change since each document's evaluation, by key."""
    dated = {one.key: seconds_of_day(one.day, one.time) for one in manifest.artifacts if one.day}
    documents = [one.path for one in manifest.artifacts if is_file(root, one.path)]
    times = read_changes(root, min(dated.values()), documents) if dated else {}
    watches = {one.key: _watch(one, glances.get(one.key)) for one in manifest.artifacts}
    latest = latest_changes(times, watches.values())
    return {
        one.key: change_since(dated[one.key], one.path, watches[one.key], times, latest) if one.key in dated else None
        for one in manifest.artifacts
    }


def _watch(artifact: Artifact, glance: Glance | None) -> tuple[str, ...]:
    rubric = rubric_for(artifact, glance)
    return rubric.watch if rubric else ()
