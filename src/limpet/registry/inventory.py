"""What was found of artifacts and their files, as values."""

from __future__ import annotations

import hashlib

from limpet.ground.values import Value
from limpet.registry.artifacts import RegistryArtifact
from limpet.registry.map import RegistryMap


class RegisteredFile(Value):
    """``raw``: None where it is missing or cannot be read. ``recorded``: a checksum, SHA-256 or of git; "" for no
    baseline. ``own``: it is the project's."""

    path: str
    raw: bytes | None
    recorded: str = ""
    own: bool = False

    @property
    def is_changed(self) -> bool:
        return bool(self.recorded) and self.raw is not None and self.recorded not in checksums(self.raw)

    @property
    def text(self) -> str:
        return (self.raw or b"").decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")


class Inventory(Value):
    """All artifacts, a project's in place of packaged ones of the same id; and all files, of those that were recorded
    also what is gone."""

    artifacts: tuple[RegistryArtifact, ...]
    files: tuple[RegisteredFile, ...]
    map: RegistryMap = RegistryMap()


def checksums(raw: bytes) -> tuple[str, ...]:
    """All that a baseline may hold for this content."""
    blob = b"blob %d\0%b" % (len(raw), raw)
    return hashlib.sha256(raw).hexdigest(), hashlib.sha1(blob).hexdigest(), hashlib.sha256(blob).hexdigest()
