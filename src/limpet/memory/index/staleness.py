"""Staleness: the cited files that changed after an entry was written, and the flags for that, and for names that are
gone, in the index. Disk and git are asked once for all entries."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Mapping
from itertools import islice
from math import inf

from limpet.ground.clock import Patience
from limpet.ground.git import commit_times, listed_files, uncommitted
from limpet.ground.storage.walking import files_below
from limpet.memory.index.gone import find_naming, has_changed

PATIENCE = Patience(0.5)
_NEVER = -1.0
_CITED = """SELECT c.serial, max(c.created, c.last_evidence), i.path FROM citations i CROSS JOIN cards c
    ON c.serial = i.serial WHERE i.serial = ? AND c.state = 'current'"""
# Files that are looked through where there is no git.
MOST_FILES = 20_000
# Folders of what was installed or built: their files bear every name.
_INSTALLED = frozenset(("node_modules", "venv", "__pycache__", "site-packages", "dist", "build", "target"))


def flag_stale(connection: sqlite3.Connection, root: str, serials: Iterable[int], missed: Mapping[str, float]) -> None:
    """Bring up to date the flags of these new cards, and of all that cite a file which changed since it was last looked
    at; ``root`` is the folder from which entries cite files. ``missed``: names of code that is gone."""
    fresh = set(serials)
    find = "SELECT DISTINCT path FROM citations WHERE serial = ?"
    given: list[tuple[str, int]] = []
    for serial in fresh:
        given += [(path, serial) for (path,) in connection.execute(find, (serial,))]
    files = resolve_citations(root, {path for path, _ in given})
    moved = [(files[path], path, serial) for path, serial in given if files[path] not in ("", path)]
    gone = [(path, serial) for path, serial in given if not files[path]]
    connection.executemany("UPDATE citations SET path = ? WHERE path = ? AND serial = ?", moved)
    connection.executemany("DELETE FROM citations WHERE path = ? AND serial = ?", gone)
    judged = fresh | _touched(connection, root)
    is_renewed = has_changed(connection, missed)
    naming = find_naming(connection, missed) if is_renewed or (missed and judged) else set()
    if is_renewed:
        flagged = (serial for (serial,) in connection.execute("SELECT serial FROM cards WHERE stale = 1"))
        judged |= naming.union(flagged)
    cited: dict[str, tuple[list[str], float]] = {}
    for serial in sorted(judged):
        for _, since, path in connection.execute(_CITED, (serial,)):
            cited.setdefault(str(serial), ([], since))[0].append(path)
    stale = find_stale(cited, root) if cited else {}
    flags = [(str(serial) in stale or serial in naming, serial) for serial in judged]
    connection.executemany("UPDATE cards SET stale = ? WHERE serial = ?", flags)


def find_stale(cited: Mapping[str, tuple[Iterable[str], float]], root: str) -> dict[str, tuple[str, ...]]:
    """Return id -> the cited paths that changed, for entries that have any; ``cited`` is id -> (paths, time of writing
    in seconds since 1970). An entry without a time (0) is never stale."""
    dated = {name: (tuple(paths), since) for name, (paths, since) in cited.items() if since > 0}
    every: dict[str, None] = {}
    for paths, _ in dated.values():
        every.update(dict.fromkeys(paths))
    changes = read_changes(root, every, min((since for _, since in dated.values()), default=inf))
    stale = {}
    for name, (paths, since) in dated.items():
        # Entries know whole seconds: within that one is none.
        if changed := tuple(path for path in paths if changes.get(path, -inf) >= int(since) + 1):
            stale[name] = changed
    return stale


def read_changes(root: str, paths: Iterable[str], since: float) -> dict[str, float]:
    """Return path -> time of its last change after ``since``; infinity for a file that is gone. Left out are folders,
    files outside ``root``, and files that never were. A file's own time only tells that it may have changed (a checkout
    writes it again): git, where there is any, tells whether it did."""
    places = {path: place for path in paths if (place := citation_place_of(root, path))}
    times = {path: at for path, place in places.items() if (at := _file_time(root, place)) is not None}
    missing = {path: places[path] for path, at in times.items() if at == inf}
    touched = {path: places[path] for path, at in times.items() if since < at < inf}
    committed = _commit_times(root, sorted(set(touched.values())), since)
    known = {path: at for path, at in times.items() if path not in missing}
    changed = {path: min(times[path], committed.get(place, inf)) for path, place in touched.items()}
    return known | changed | _removal_times(root, missing, since)


def resolve_citations(root: str, paths: Iterable[str]) -> dict[str, str]:
    """Return each path -> the file that it stands for, from ``root`` with ``/``; "" for what cites no file. A last name
    stands for the one file of the project with it; where several do, or none, it cites nothing. A path with a folder
    stands for itself, or for the one file whose path ends so; where there is neither, it stands for a file that is
    gone, or not there yet."""
    places = {path: citation_place_of(root, path) for path in paths}
    unsure = set()
    for place in set(places.values()) - {""}:
        full = os.path.join(root, place)
        if not os.path.isdir(full) and not ("/" in place and os.path.lexists(full)):
            unsure.add(place)
    bearers = _bearers(root, unsure) if unsure else {}
    return {path: bearers.get(place, place) for path, place in places.items()}


def citation_place_of(root: str, path: str) -> str:
    """Return the path from ``root``, with ``/``; "" for a path outside, a URL, or none at all."""
    if not path or any(sign in path for sign in "\0\n") or "://" in path or path.startswith("~"):
        return ""
    top = os.path.abspath(root)
    place = os.path.normpath(os.path.join(top, path))
    if not place.startswith(top.rstrip(os.sep) + os.sep):
        return ""
    return os.path.relpath(place, top).replace(os.sep, "/")


def _touched(connection: sqlite3.Connection, root: str) -> set[int]:
    """Return the cards that cite a file with another time than when it was last looked at."""
    known = dict(connection.execute("SELECT path, modified FROM cited_files"))
    paths = [path for (path,) in connection.execute("SELECT DISTINCT path FROM citations")]
    times = {}
    for path in paths:
        try:
            times[path] = os.path.getmtime(os.path.join(root, path))
        except (OSError, ValueError):
            times[path] = _NEVER
    changed = [path for path in paths if times[path] != known.get(path)]
    connection.executemany(
        "INSERT OR REPLACE INTO cited_files VALUES (?, ?)", [(path, times[path]) for path in changed]
    )
    gone = [(path,) for path in known if path not in times]
    connection.executemany("DELETE FROM cited_files WHERE path = ?", gone)
    citing = "SELECT serial FROM citations WHERE path = ?"
    serials: set[int] = set()
    for path in changed:
        serials.update(serial for (serial,) in connection.execute(citing, (path,)))
    return serials


def _removal_times(root: str, missing: Mapping[str, str], since: float) -> dict[str, float]:
    """Of those that are known to have been there: git knows it, or, without git, the folder in which they lay."""
    places = sorted(set(missing.values()))
    times = commit_times(root, places, since, PATIENCE) if places else None
    if times is None:
        folders = {path: place.rpartition("/")[0] for path, place in missing.items()}
        return {path: inf for path, folder in folders.items() if folder and os.path.isdir(os.path.join(root, folder))}
    tracked = set(listed_files(root, PATIENCE) or ())
    gone = {place: inf if place in tracked else times.get(place) for place in places}
    return {path: at for path, place in missing.items() if (at := gone[place]) is not None}


def _commit_times(root: str, places: list[str], since: float) -> dict[str, float]:
    """Return place -> when git took in its content, -inf for before ``since``; only where git can tell."""
    if not places:
        return {}
    times = commit_times(root, places, since, PATIENCE)
    loose = uncommitted(root, places, PATIENCE) if times is not None else None
    if times is None or loose is None:
        return {}
    return {place: times.get(place, -inf) for place in places if place not in loose}


def _file_time(root: str, place: str) -> float | None:
    """Return None for a folder and for what cannot be judged."""
    try:
        found = os.path.getmtime(os.path.join(root, place)), os.path.isdir(os.path.join(root, place))
    except (FileNotFoundError, NotADirectoryError):
        return inf
    except OSError:
        return None
    return None if found[1] else found[0]


def _bearers(root: str, places: set[str]) -> dict[str, str]:
    """Return each place -> the one file whose path is or ends so, "" for a last name that not exactly one has."""
    files = listed_files(root, PATIENCE)
    names = files
    if names is None:
        names = list(islice(files_below(root, enters=_is_looked_into), MOST_FILES + 1))
        names = names if len(names) <= MOST_FILES else []  # too many to be looked through
    found: dict[str, set[str]] = {place: set() for place in places}
    lasts: dict[str, list[str]] = {}
    for place in places:
        lasts.setdefault(place.rpartition("/")[2], []).append(place)
    for name in names:
        for place in lasts.get(name.rpartition("/")[2], ()):
            if name == place or name.endswith(f"/{place}"):
                found[place].add(name)
    chosen = {}
    for place, bearing in found.items():
        otherwise = place if "/" in place else ""
        chosen[place] = bearing.pop() if len(bearing) == 1 else otherwise
    return chosen


def _is_looked_into(folder: str) -> bool:
    return not folder.startswith(".") and folder not in _INSTALLED
