"""Recognizes the documents among the files that an agent of a workflow made, so that they are tracked by themselves."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable

from holdfast.work.documents.manifest import KEY, Manifest
from holdfast.work.documents.rubrics import Rubric, load_rubrics
from holdfast.work.documents.scan import Candidate, is_document, stem_of
from holdfast.work.documents.staleness.paths import PathIndex

_NUMBERED = re.compile(r"-(?:v?\d[\w-]*)")
WHY = "an agent made it"


def find_outputs(
    paths: Iterable[str], manifest: Manifest | None, is_there: Callable[[str], bool]
) -> tuple[Candidate, ...]:
    """Return the documents to track among ``paths``, files from the project's root, of the types that agents make.

    A second document of a type is tracked by its own name. ``is_there``: returns whether a file exists.
    """
    known = {one.key: one.path for one in manifest.artifacts} if manifest else {}
    found: list[Candidate] = []
    for path in map(posixpath.normpath, paths):
        kind = type_of(path)
        if not kind or path in known.values() or not is_there(path):
            continue
        key = next((key for key in (kind, stem_of(path)) if _is_free(known.get(key), is_there)), "")
        if KEY.fullmatch(key):
            known[key] = path
            found.append(Candidate(key, path, WHY, kind))
    return tuple(found)


def type_of(path: str) -> str:
    """Return the type of document that agents make and whose name or place ``path`` has, "" for none."""
    made = [rubric for rubric in load_rubrics().values() if rubric.agents]
    return next((rubric.type for rubric in made if is_document(path) and _is_one(path, rubric)), "")


def _is_one(path: str, rubric: Rubric) -> bool:
    stem = stem_of(path)
    if stem in rubric.names or PathIndex([path]).match(rubric.places):
        return True
    return rubric.made and any(
        stem.startswith(name) and _NUMBERED.fullmatch(stem[len(name) :]) for name in rubric.names
    )


def _is_free(path: str | None, is_there: Callable[[str], bool]) -> bool:
    """Return whether a key stands for no file: not tracked, not written yet, or gone."""
    return not path or not is_there(path)
