"""Staleness: the cited files that changed after an entry was written. Disk and git are asked once for all entries."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from math import inf

from holdfast.ground.git import commit_times, listed_files, uncommitted
from holdfast.memory.index.citations import place_of

PATIENCE = 4.0


def find_stale(
    cited: Mapping[str, tuple[Iterable[str], float]], root: str, patience: float = PATIENCE
) -> dict[str, tuple[str, ...]]:
    """Return id -> the cited paths that changed, for entries that have any; ``cited`` is id -> (paths, time of
    writing).

    Times are seconds since 1970; an entry without one (0) is never stale.
    """
    dated = {name: (tuple(paths), since) for name, (paths, since) in cited.items() if since > 0}
    paths = dict.fromkeys(path for paths, _ in dated.values() for path in paths)
    changes = read_changes(root, paths, min((since for _, since in dated.values()), default=inf), patience)
    stale = {name: stale_paths(paths, since, changes) for name, (paths, since) in dated.items()}
    return {name: paths for name, paths in stale.items() if paths}


def stale_paths(paths: Iterable[str], since: float, changes: Mapping[str, float]) -> tuple[str, ...]:
    """Return those of ``paths`` that changed after ``since``; entries know whole seconds: within that one is none."""
    return tuple(path for path in paths if changes.get(path, -inf) >= int(since) + 1)


def read_changes(root: str, paths: Iterable[str], since: float, patience: float = PATIENCE) -> dict[str, float]:
    """Return path -> time of its last change, so far as that is after ``since``; infinity for a file that is gone.

    Left out are folders, files outside ``root``, and files that never were. A file's own time only tells that it may
    have changed (a checkout writes it again): git, where there is any, tells whether it did. It is given ``patience``
    seconds.
    """
    places = {path: place for path in paths if (place := place_of(root, path))}
    times = {path: at for path, place in places.items() if (at := _file_time(root, place)) is not None}
    missing = {path: places[path] for path, at in times.items() if at == inf}
    touched = {path: places[path] for path, at in times.items() if since < at < inf}
    committed = _commit_times(root, sorted(set(touched.values())), since, patience)
    known = {path: at for path, at in times.items() if path not in missing}
    changed = {path: min(times[path], committed.get(place, inf)) for path, place in touched.items()}
    return known | changed | _removal_times(root, missing, since, patience)


def _removal_times(root: str, missing: Mapping[str, str], since: float, patience: float) -> dict[str, float]:
    """Return path -> when the file that it names was removed, for those that are known to have been there: git knows
    it, or, where there is no git, the folder in which it lay."""
    places = sorted(set(missing.values()))
    times = commit_times(root, places, since, patience / 2) if places else None
    if times is None:
        return {path: inf for path, place in missing.items() if _has_folder(root, place)}
    tracked = set(listed_files(root, patience / 4) or ())
    gone = {place: inf if place in tracked else times.get(place) for place in places}
    return {path: at for path, place in missing.items() if (at := gone[place]) is not None}


def _has_folder(root: str, place: str) -> bool:
    folder = place.rpartition("/")[0]
    return bool(folder) and os.path.isdir(os.path.join(root, folder))


def _commit_times(root: str, places: list[str], since: float, patience: float) -> dict[str, float]:
    """Return place -> when git took in what the file holds, minus infinity for before ``since``; only where git can
    tell."""
    if not places:
        return {}
    times = commit_times(root, places, since, patience / 2)
    loose = uncommitted(root, places, patience / 4) if times is not None else None
    if times is None or loose is None:
        return {}
    return {place: times.get(place, -inf) for place in places if place not in loose}


def _file_time(root: str, place: str) -> float | None:
    """Return the file's time, None for a folder and for what cannot be judged."""
    try:
        found = os.path.getmtime(os.path.join(root, place)), os.path.isdir(os.path.join(root, place))
    except (FileNotFoundError, NotADirectoryError):
        return inf
    except OSError:
        return None
    return None if found[1] else found[0]
