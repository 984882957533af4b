"""Detects stale documents: the document, or a file that its type watches, changed after its last evaluation.

A change that does not matter is reported too, rather than one that matters be missed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from holdfast.ground.values import Value
from holdfast.work.documents.rubrics import watched

GRAIN = 0.02
"""Seconds by which the clock of a file system lags behind the clock."""
OURS = (".holdfast/", ".git/", ".claude/settings.local.json", ".claude/skills/holdfast/")
"""What git and Holdfast itself put into a project."""

Latest: TypeAlias = "Mapping[tuple[str, ...], Change | None]"


class Change(Value):
    """A file and when it last changed, in seconds since 1970."""

    path: str
    changed_at: float


def latest_changes(
    changes: Mapping[str, float], watches: Iterable[tuple[str, ...]]
) -> dict[tuple[str, ...], Change | None]:
    """Return the latest change of a watched file, by watch patterns; ``changes`` is the time of change by path."""
    foreign = [path for path in changes if not path.startswith(OURS)]
    return {watch: _latest(changes, watched(foreign, watch)) for watch in set(watches)}


def change_since(
    evaluated_at: float, path: str, watch: tuple[str, ...], changes: Mapping[str, float], latest: Latest
) -> Change | None:
    """Return the change after the evaluation: of the document at ``path`` itself, else of a watched file, else None."""
    own = Change(path, changes.get(path, 0.0))
    candidates = (own, latest.get(watch))
    return next((change for change in candidates if change and change.changed_at > evaluated_at - GRAIN), None)


def _latest(changes: Mapping[str, float], paths: list[str]) -> Change | None:
    newest = max(paths, key=lambda path: (changes[path], path), default=None)
    return None if newest is None else Change(newest, changes[newest])
