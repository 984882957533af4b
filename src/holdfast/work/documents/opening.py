"""Opens manifest and details for the actions: refuses files that are missing or that a newer version wrote."""

from __future__ import annotations

from collections.abc import Iterable

from holdfast.ground.errors import HoldfastError
from holdfast.ground.text.lookup import did_you_mean
from holdfast.work.documents.detail import Detail, detail_name, new_detail_text, read_detail_text
from holdfast.work.documents.manifest import VERSION, Manifest, read_manifest_text, refuse_newer
from holdfast.work.documents.store import Files


def open_manifest(files: Files) -> tuple[str, Manifest]:
    """Return text and value of the manifest. Raises HoldfastError where there is none, or one that may not be
    written."""
    text = files.manifest
    manifest = existing(read_manifest_text(text) if text else None)
    refuse_newer(manifest)
    return text, manifest


def open_detail(files: Files, key: str, kind: str = "") -> tuple[str, Detail]:
    """Return text and value of a detail, new ones where there is no file. Raises HoldfastError for one that may not be
    written."""
    text = files.detail(key) or new_detail_text(key, kind)
    detail = read_detail_text(key, text)
    if detail.newer:
        what = f"Version {detail.version} is newer than this Holdfast supports ({VERSION})"
        raise HoldfastError(what, detail_name(key), "Update Holdfast; until then the file is read-only.")
    return text, detail


def existing(manifest: Manifest | None) -> Manifest:
    """Return the manifest. Raises HoldfastError for None."""
    if manifest is None:
        raise HoldfastError("No spec state yet", "", "Run: holdfast spec scan --write")
    return manifest


def untracked(key: str, known: Iterable[str] = ()) -> HoldfastError:
    """Return the error for a document that the manifest does not name, with the most similar of the ``known`` keys."""
    advice = did_you_mean(key, known) or "Run: holdfast spec status, or holdfast spec scan"
    return HoldfastError(f"Document {key!r} is not tracked", "", advice)
