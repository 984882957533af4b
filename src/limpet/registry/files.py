"""Reads the artifacts of the package and of a project from the disk, and what their files were when they were
recorded."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator, Mapping
from importlib.metadata import Distribution, PackageNotFoundError, distribution

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.git import HEAD, git
from limpet.ground.storage.confinement import leads_out, lies_in
from limpet.ground.storage.files import names_in, read_bytes
from limpet.ground.storage.text_file import read_strictly
from limpet.ground.workspace import FOLDER, REGISTRY, Workspace
from limpet.registry.artifacts import (
    AGENT,
    GATE,
    GOVERNANCE,
    INTELLIGENCE,
    RULE,
    SCHEMA,
    TEMPLATE,
    WORKFLOW,
    RegistryArtifact,
    describe,
    describe_documents,
    resolve,
)
from limpet.registry.inventory import Inventory, RegisteredFile
from limpet.registry.map import FOREIGN, RegistryMap, read_map
from limpet.rules.plan.places import plain_rule_name
from limpet.rules.plan.sources import FRAMEWORK

SHIPPED = "framework"
# Folder -> type and ending of the files in it.
_FOLDERS = {
    "agents": (AGENT, ".md"),
    "templates": (TEMPLATE, ".md"),
    "quality-gates": (GATE, ".md"),
    "intelligence": (INTELLIGENCE, ".md"),
    "workflows": (WORKFLOW, ".yaml"),
    "schemas": (SCHEMA, ".schema.json"),
    "rules": (RULE, ""),
}
_SINGLE = {"constitution.md": GOVERNANCE, "spec-protocol.md": INTELLIGENCE}
_DOCUMENTS = "rubrics.json"
_NO_RULES = ("manifest",)


def read_inventory(workspace: Workspace | None) -> Inventory:
    """Raise LimpetError for a map that is no YAML."""
    found: dict[str, RegistryArtifact] = {}
    shipped = {f"{SHIPPED}/{path}": read_bytes(os.path.join(FRAMEWORK, path)) for path in _paths(FRAMEWORK)}
    recorded = shipped_record()
    files = []
    for path in sorted(shipped.keys() | recorded.keys()):
        raw = shipped.get(path)
        files.append(RegisteredFile(path=path, raw=raw, recorded=recorded.get(path, "")))
        for artifact in _described(path.removeprefix(f"{SHIPPED}/"), path, raw, False):
            found[artifact.id] = artifact
    if workspace is None:
        return Inventory(resolve(tuple(found.values())), tuple(files))
    known = _read_own_map(workspace)
    own = _read_own(workspace)
    written = {entry.path: entry.checksum for entry in known.artifacts if entry.checksum}
    committed = _committed(workspace.root, FOLDER) if own else {}
    for path, raw in own.items():
        files.append(RegisteredFile(path, raw, written.get(path) or committed.get(path, ""), True))
        for artifact in _described(path.removeprefix(f"{FOLDER}/"), path, raw, True):
            found[artifact.id] = artifact
    for entry in known.artifacts:
        if entry.path not in own:
            files.append(_file_of(workspace, entry))
            found[entry.id] = entry
    return Inventory(resolve(tuple(found.values())), tuple(files), known)


def _paths(folder: str) -> Iterator[str]:
    """From the folder, with ``/``."""
    for name in (*_SINGLE, _DOCUMENTS):
        if os.path.isfile(os.path.join(folder, name)):
            yield name
    for place, (_, ending) in _FOLDERS.items():
        for name in names_in(os.path.join(folder, place)):
            if name.endswith(ending) and os.path.isfile(os.path.join(folder, place, name)) and name[:1] != ".":
                yield f"{place}/{name}"


def _described(place: str, path: str, raw: bytes | None, own: bool) -> Iterator[RegistryArtifact]:
    """``place``: from the folder of the framework or of the project. A file that is missing has its place's name."""
    folder, _, name = place.rpartition("/")
    if place == _DOCUMENTS and not own:
        try:
            yield from describe_documents(path, raw or b"")
        except (ValueError, KeyError, TypeError):
            return
    elif place in _SINGLE:
        plain = name.rpartition(".")[0]
        yield describe(_SINGLE[place], f"project-{plain}" if own else plain, path, raw or b"", own)
    elif folder in _FOLDERS and name not in _NO_RULES:
        kind, ending = _FOLDERS[folder]
        plain = plain_rule_name(name) if kind == RULE else name.removesuffix(ending).lower()
        yield describe(kind, plain.lower().replace("_", "-"), path, raw or b"", own)


def _read_own(workspace: Workspace) -> dict[str, bytes | None]:
    found = {}
    for place in () if leads_out(workspace.home, workspace.root) else _paths(workspace.home):
        path = workspace.path(*place.split("/"))
        if place != _DOCUMENTS and not leads_out(path, workspace.root):
            found[f"{FOLDER}/{place}"] = read_bytes(path, STATE_BYTES)
    return found


def _read_own_map(workspace: Workspace) -> RegistryMap:
    for path in (f"{FOLDER}/{REGISTRY}", FOREIGN):
        full = os.path.join(workspace.root, *path.split("/"))
        if text := read_strictly(full, path):
            return read_map(text, path)
    return RegistryMap()


def _file_of(workspace: Workspace, entry: RegistryArtifact) -> RegisteredFile:
    """An entry may name a folder, which has no checksum; what lies outside the project is not looked at."""
    full = os.path.normpath(os.path.join(workspace.root, entry.path))
    if not (entry.path and lies_in(workspace.root, full)) or leads_out(full, workspace.root):
        return RegisteredFile(entry.path, None, entry.checksum, True)
    if os.path.isdir(full):
        return RegisteredFile(entry.path, b"", "", True)
    return RegisteredFile(entry.path, read_bytes(full, STATE_BYTES), entry.checksum, True)


def shipped_record() -> Mapping[str, str]:
    """Path -> checksum of what is shipped: as the installation recorded it, else as the last commit of a checkout has
    it."""
    try:
        recorded = recorded_files(distribution("limpet"))
    except PackageNotFoundError:
        recorded = {}
    found = recorded or _committed(FRAMEWORK, "")
    return {f"{SHIPPED}/{path}": checksum for path, checksum in found.items() if _is_artifact(path)}


def recorded_files(installed: Distribution) -> dict[str, str]:
    """Path from the framework's folder -> SHA-256; none where this package is not what was installed."""
    found = {}
    for file in installed.files or ():
        place = file.as_posix().partition("limpet/framework/")[2]
        if place and file.hash and os.path.normpath(str(file.locate())) == os.path.normpath(f"{FRAMEWORK}/{place}"):
            padded = file.hash.value + "=" * (-len(file.hash.value) % 4)
            found[place] = base64.urlsafe_b64decode(padded).hex()
    return found


def _is_artifact(path: str) -> bool:
    folder, _, name = path.rpartition("/")
    return path in (*_SINGLE, _DOCUMENTS) or (folder in _FOLDERS and name.endswith(_FOLDERS[folder][1]))


def _committed(root: str, folder: str) -> dict[str, str]:
    """Path from ``root`` -> git's id of its content in the last commit; none where git cannot tell."""
    done = git(root, "ls-tree", "-r", "-z", HEAD, *([f"{folder}/"] if folder else []))
    found = {}
    for line in done.stdout.split(b"\0") if done and not done.returncode else ():
        about, _, path = line.partition(b"\t")
        if path:
            found[os.fsdecode(path)] = about.split()[2].decode("ascii")
    return found
