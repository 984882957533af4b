"""The registry of artifacts, the decision and the health of the framework, as doors ask for them."""

from __future__ import annotations

import os
from collections.abc import Iterator

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.ground.git import HEAD, entries_at, read_contents
from limpet.ground.storage.durable import make_shared_folders, write_durably
from limpet.ground.storage.files import read_shipped
from limpet.ground.text.lookup import did_you_mean
from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER, REGISTRY, Workspace
from limpet.registry.artifacts import RegistryArtifact, dependents, describe_symbol, find_id
from limpet.registry.decision import Advice, decide
from limpet.registry.files import SHIPPED, read_inventory
from limpet.registry.health import Health, examine_health
from limpet.registry.inventory import Inventory
from limpet.registry.map import render_map
from limpet.registry.symbols.index import read_symbols
from limpet.rules.plan.sources import FRAMEWORK

MAP = f"{FOLDER}/{REGISTRY}"


class Repair(Value):
    """``path``: absolute; ``shown``: as it is named; ``raw``: what is to be in the file."""

    path: str
    shown: str
    raw: bytes


def find_artifact(found: Inventory, name: str) -> RegistryArtifact:
    """Raise LimpetError for one that is not known, or more than one."""
    known = find_id(found.artifacts, name)
    for artifact in found.artifacts:
        if artifact.id == known:
            return artifact
    same = [one.id for one in found.artifacts if one.name == name.strip().lower()]
    if same:
        raise LimpetError("More than one artifact has this name", name, f"Say which: {', '.join(same)}")
    hint = did_you_mean(name, [one.id for one in found.artifacts]) or "To see them all, run: limpet registry list"
    raise LimpetError("No artifact has this name", name, hint[:1].upper() + hint[1:])


def needed_by(found: Inventory, artifact: RegistryArtifact) -> tuple[str, ...]:
    return dependents(found.artifacts, artifact.id)


def write_map(workspace: Workspace, now: float) -> tuple[str, int]:
    """Return the map's path and how many artifacts of the project's own it has."""
    found = read_inventory(workspace)
    own = [artifact for artifact in found.artifacts if artifact.own]
    _write(_map_path(workspace), render_map(own, found.map, iso(now)).encode("utf-8"))
    return MAP, len(own)


def advise(workspace: Workspace | None, intent: str) -> Advice:
    """Over the artifacts and what was scanned of code. Raise LimpetError for an intent that says nothing."""
    symbols = map(describe_symbol, read_symbols(workspace)) if workspace else ()
    advice = decide(intent, (*read_inventory(workspace).artifacts, *symbols))
    if not advice.words:
        raise LimpetError("No word of it says what is wanted", intent, "Say it in a sentence.")
    return advice


def check_health(workspace: Workspace | None) -> Health:
    articles = read_shipped("constitution-checks")["articles"]
    return examine_health(read_inventory(workspace), tuple(articles))


def plan_repairs(workspace: Workspace | None, now: float) -> Iterator[Repair]:
    """Files of a checkout that are gone, as its last commit has them, and the project's map where it is not true of
    what it lists. What was changed is nobody's to undo."""
    found = read_inventory(workspace)
    gone = [file.path.removeprefix(f"{SHIPPED}/") for file in found.files if file.raw is None and not file.own]
    committed = entries_at(FRAMEWORK, HEAD, gone) if gone else None
    ids = {place: content for place, (content, _) in (committed or {}).items()}
    contents = read_contents(FRAMEWORK, ids.values()) if ids else {}
    for place, content in ids.items():
        if content in contents:
            yield Repair(os.path.join(FRAMEWORK, place), f"{SHIPPED}/{place}", contents[content])
    missing = {file.path for file in found.files if file.raw is None and file.path.startswith(f"{FOLDER}/")}
    listed = [entry for entry in found.map.artifacts if entry.path not in missing]
    if workspace and found.map.path == MAP and (found.map.problems or len(listed) < len(found.map.artifacts)):
        raw = render_map(listed, found.map, iso(now)).encode("utf-8")
        yield Repair(_map_path(workspace), MAP, raw)


def repair(planned: Repair) -> None:
    _write(planned.path, planned.raw)


def _map_path(workspace: Workspace) -> str:
    return workspace.path(REGISTRY)


def _write(path: str, raw: bytes) -> None:
    try:
        make_shared_folders(os.path.dirname(path))
        write_durably(path, raw, mode=0o644)
    except OSError as error:
        raise LimpetError(f"Cannot write the file ({error.strerror})", path) from error
