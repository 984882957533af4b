"""The documents' state on disk, and the only file of this room that touches ``.holdfast``.

One process writes at a time, each file atomically; details first and the manifest last, so that the manifest
never names what is not there.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from holdfast.ground.config.defaults import STATE_BYTES
from holdfast.ground.errors import HoldfastError
from holdfast.ground.event_log.append import Actor
from holdfast.ground.storage.fair_lock import fair_lock
from holdfast.ground.storage.files import read_text
from holdfast.ground.storage.text_file import not_locked, read_strictly, replace_text
from holdfast.ground.workspace import Workspace
from holdfast.work.documents.detail import Detail, Glance, detail_name, glance_at, read_detail_text
from holdfast.work.documents.limits import STANDARD, Limits
from holdfast.work.documents.manifest import KEY, NAME, Manifest, read_manifest_text

PATIENCE = 20.0
TRIES = 5
MOST_STORIES = 500
MODE = 0o644
"""The state belongs into git, for the whole team."""

Result = TypeVar("Result")


class Author(Actor):
    """The one who writes documents, with the configuration's ``limits`` on them."""

    limits: Limits = STANDARD


class Files:
    """The texts of manifest and details, as they are on disk and as they are to be written; "" for a file that does not
    exist. Only ``transact`` makes one."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._found: dict[str, str] = {}
        self._changed: dict[str, str] = {}

    @property
    def manifest(self) -> str:
        """The manifest's text. Raise HoldfastError, as ``detail`` does, for what cannot be read without loss."""
        return self._text("")

    def detail(self, key: str) -> str:
        """Return the text of a detail file."""
        return self._text(key)

    def put_manifest(self, text: str) -> None:
        """Set the manifest's text, to be written after the details."""
        self._changed[""] = text

    def put_detail(self, key: str, text: str) -> None:
        """Set a detail file's text, to be written."""
        self._changed[key] = text

    def is_fresh(self) -> bool:
        """Return whether every file that was read is still the same on disk."""
        return all(_read(self._workspace, key) == text for key, text in self._found.items())

    def write(self) -> None:
        """Write the files that changed."""
        for key in sorted(self._changed, reverse=True):  # the manifest's "" comes last
            if self._changed[key] != self._found.get(key):
                replace_text(_path(self._workspace, key), self._changed[key], _name(key), MODE)

    def _text(self, key: str) -> str:
        if key in self._changed:
            return self._changed[key]
        if key not in self._found:
            self._found[key] = _read(self._workspace, key)
        return self._found[key]


def read_manifest(workspace: Workspace) -> Manifest | None:
    """Return the manifest, None where there is none. Raise HoldfastError with ``file:line``."""
    if not os.path.lexists(_path(workspace, "")):
        return None
    return read_manifest_text(_read(workspace, ""))


def read_detail(workspace: Workspace, key: str) -> Detail:
    """Return the detail of a document, an empty one where there is no file. Raise HoldfastError with ``file:line``."""
    return read_detail_text(key, _read(workspace, key))


def read_glances(workspace: Workspace, keys: Iterable[str]) -> dict[str, Glance]:
    """Key -> what a look at the detail file tells, for those that have one."""
    texts = {key: read_text(_path(workspace, key), STATE_BYTES) for key in keys}
    return {key: glance_at(key, text) for key, text in texts.items() if text is not None}


def detail_keys(workspace: Workspace) -> list[str]:
    """Return the keys of the documents that have a detail file."""
    folder = workspace.path("artifacts")
    names = os.listdir(folder) if os.path.isdir(folder) else []
    keys = [name.removesuffix(".yaml") for name in names if name.endswith(".yaml")]
    return sorted(key for key in keys if KEY.fullmatch(key))


def read_stories(workspace: Workspace) -> dict[str, str]:
    """Return id -> text of the project's stories, at most MOST_STORIES; one that cannot be read is left out."""
    folder = workspace.path("stories")
    names = sorted(os.listdir(folder))[:MOST_STORIES] if os.path.isdir(folder) else []
    texts = {name: read_text(os.path.join(folder, name, "story.md"), STATE_BYTES) for name in names}
    return {name: text for name, text in texts.items() if text is not None}


def transact(workspace: Workspace, work: Callable[[Files], Result]) -> Result:
    """Run ``work`` on the files, then write what it changed: exclusively, and again where somebody's editor wrote
    meanwhile.

    Raises HoldfastError; then the manifest was not written, and no detail unless the disk failed in between.
    """
    with _sole_writer(workspace):
        for _ in range(TRIES):
            files = Files(workspace)
            result = work(files)
            if files.is_fresh():
                files.write()
                return result
    raise HoldfastError("Another process is writing the file", NAME, "Try again.")


@contextmanager
def _sole_writer(workspace: Workspace) -> Iterator[None]:
    path = workspace.path("cache", "locks", "spec.lock")
    with fair_lock(path, PATIENCE) as held:
        if not held:
            raise not_locked(path, NAME)
        yield


def _path(workspace: Workspace, key: str) -> str:
    return workspace.path("artifacts", f"{key}.yaml") if key else workspace.path("manifest.yaml")


def _name(key: str) -> str:
    return detail_name(key) if key else NAME


def _read(workspace: Workspace, key: str) -> str:
    return read_strictly(_path(workspace, key), _name(key))
