"""The documents' state on disk, and the only file of this room that touches ``.limpet``. One process writes at a time,
each file atomically; details first and the manifest last, so that the manifest never names what is not there."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TypeVar

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.config.settings import load_settings
from limpet.ground.errors import LimpetError
from limpet.ground.storage.files import names_in, read_text
from limpet.ground.storage.text_file import fair_lock, read_strictly, replace_text, sole_writer
from limpet.ground.text.lookup import did_you_mean
from limpet.ground.trust.in_place import specs_home
from limpet.ground.workspace import Workspace
from limpet.work.documents.detail import Detail, detail_name, edit_detail, read_detail_text
from limpet.work.documents.form import refuse_newer_form
from limpet.work.documents.manifest import (
    KEY,
    NAME,
    DocumentsManifest,
    check_key,
    edit_manifest,
    new_manifest_text,
    read_manifest_text,
)

PATIENCE = 20.0
TRIES = 5
MOST_STORIES = 500
MODE = 0o644
"""The state belongs into git, for the whole team."""

Result = TypeVar("Result")


class DocumentState:
    """Manifest and details as they are on disk and as they are to be written. Only ``transact`` makes one."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._found: dict[str, str] = {}
        self._texts: dict[str, str] = {}

    @cached_property
    def limits(self) -> dict[str, int]:
        return read_document_limits(self._workspace)

    @property
    def manifest(self) -> DocumentsManifest:
        """Raise LimpetError where there is none, or one that may not be written."""
        text = self._text("")
        manifest = _existing(read_manifest_text(text) if text else None)
        refuse_newer_form(manifest.version, NAME)
        return manifest

    def detail(self, key: str) -> Detail:
        """Return an empty one where there is no file. Raise LimpetError for one that may not be written."""
        detail = read_detail_text(check_key(key), self._text(key))
        refuse_newer_form(detail.version, detail_name(key))
        return detail

    def begin(self, name: str, day: str) -> None:
        if not self._text(""):
            self._texts[""] = new_manifest_text(name, day)

    def put(self, value: DocumentsManifest | Detail) -> None:
        if isinstance(value, DocumentsManifest):
            self._texts[""] = edit_manifest(self._text(""), value)
        else:
            self._texts[value.key] = edit_detail(self._text(value.key), value)

    def write(self) -> bool:
        """Write the files that changed; False where one that was read is not the same on disk any more."""
        if any(_read(self._workspace, key) != text for key, text in self._found.items()):
            return False
        for key in sorted(self._texts, reverse=True):  # the manifest's "" comes last
            if self._texts[key] != self._found[key]:
                replace_text(_path(self._workspace, key), self._texts[key], detail_name(key) if key else NAME, MODE)
        return True

    def _text(self, key: str) -> str:
        if key not in self._texts:
            self._texts[key] = self._found[key] = _read(self._workspace, key)
        return self._texts[key]


def transact(workspace: Workspace, work: Callable[[DocumentState], Result]) -> Result:
    """Run ``work`` on the state, then write what it changed: exclusively, and again where somebody's editor wrote
    meanwhile. Raise LimpetError; then the manifest was not written, and no detail unless the disk failed in between."""
    path = workspace.kept("locks", "spec.lock")
    with sole_writer(path, NAME, PATIENCE, fair_lock):
        for _ in range(TRIES):
            state = DocumentState(workspace)
            result = work(state)
            if state.write():
                return result
    raise LimpetError("Another process is writing the file", NAME, "Try again.")


def read_documents_manifest(workspace: Workspace) -> DocumentsManifest | None:
    """Return None where there is none. Raise LimpetError with ``file:line``."""
    return read_manifest_text(_read(workspace, "")) if os.path.lexists(_path(workspace, "")) else None


def need_manifest(workspace: Workspace) -> DocumentsManifest:
    return _existing(read_documents_manifest(workspace))


def read_detail(workspace: Workspace, key: str) -> Detail:
    """Return an empty one where there is no file. Raise LimpetError with ``file:line``."""
    return read_detail_text(check_key(key), _read(workspace, key))


def detail_keys(workspace: Workspace) -> list[str]:
    names = names_in(os.path.join(specs_home(workspace), "artifacts"))
    keys = [name.removesuffix(".yaml") for name in names if name.endswith(".yaml")]
    return sorted(key for key in keys if KEY.fullmatch(key))


def read_document_limits(workspace: Workspace) -> dict[str, int]:
    found: dict[str, int] = load_settings(workspace)[0]["work"]["spec"]
    return found


def read_stories(workspace: Workspace) -> dict[str, str]:
    """Return id -> text, at most MOST_STORIES; one that cannot be read is left out."""
    folder = workspace.path("stories")
    texts = {
        name: read_text(os.path.join(folder, name, "story.md"), STATE_BYTES) for name in names_in(folder)[:MOST_STORIES]
    }
    return {name: text for name, text in texts.items() if text is not None}


def untracked(key: str, known: Iterable[str] = ()) -> LimpetError:
    advice = did_you_mean(key, known) or "Run: limpet work spec status, or limpet work spec scan"
    return LimpetError(f"Document {key!r} is not tracked", "", advice)


def _existing(manifest: DocumentsManifest | None) -> DocumentsManifest:
    if manifest is None:
        raise LimpetError("No spec state yet", "", "Run: limpet work spec scan --write")
    return manifest


def _path(workspace: Workspace, key: str) -> str:
    home = specs_home(workspace)
    return os.path.join(home, "artifacts", f"{key}.yaml") if key else os.path.join(home, "manifest.yaml")


def _read(workspace: Workspace, key: str) -> str:
    path = _path(workspace, key)
    return read_strictly(path, os.path.relpath(path, workspace.root))
