"""The project's own map of artifacts, as chati.dev V7.1 5.1 writes it: YAML of maps by category. What was computed of
files takes the place of what it says of them; it has the rest, and the checksums of when it was written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from limpet.ground.formats.yaml_text import load_yaml
from limpet.ground.values import Value
from limpet.registry.artifacts import ADAPTABILITY, SHARED, RegistryArtifact

FOREIGN = "chati.dev/data/entity-registry.yaml"
"""Where chati.dev keeps it, from the project's root."""
VERSION = "1.0.0"
_PLURALS = {"governance": "governance", "intelligence": "intelligence"}


class RegistryMap(Value):
    """``path``: from the project's root, "" for none. ``artifacts``: as the file has them, with its checksums.
    ``problems``: what is wrong in it. ``raw``: the whole, of which keys that are not ours are kept."""

    path: str = ""
    artifacts: tuple[RegistryArtifact, ...] = ()
    problems: tuple[str, ...] = ()
    raw: Mapping[str, Any] = {}


def read_map(text: str, path: str) -> RegistryMap:
    """Raise LimpetError with ``file:line`` for a file that is no YAML."""
    data = load_yaml(text, path)
    entities = data.get("entities") if isinstance(data, dict) else None
    if not isinstance(data, dict) or not isinstance(entities, dict):
        return RegistryMap(path=path, problems=("has no mapping `entities`",))
    found: list[RegistryArtifact] = []
    problems: list[str] = []
    for category, entries in entities.items():
        if not isinstance(entries, dict):
            problems.append(f"{category} is no mapping from names to entries")
            continue
        for name, about in entries.items():
            if isinstance(about, dict):
                found.append(_artifact(str(category), str(name), about))
            else:
                problems.append(f"{category}.{name} is no mapping")
    stated = data.get("metadata", {}).get("entity_count") if isinstance(data.get("metadata"), dict) else None
    if stated is not None and stated != len(found):
        problems.append(f"metadata.entity_count says {stated}, but {len(found)} are listed")
    return RegistryMap(path=path, artifacts=tuple(found), problems=tuple(problems), raw=data)


def render_map(artifacts: Sequence[RegistryArtifact], former: RegistryMap, updated: str) -> str:
    """``updated``: ISO 8601. Keys of the former file that are not ours are kept, comments are not."""
    entities: dict[str, dict[str, Any]] = {}
    before = former.raw.get("entities")
    for artifact in sorted(artifacts, key=lambda each: each.id):
        category = category_of(artifact.type)
        kept = before.get(category, {}).get(artifact.name, {}) if isinstance(before, dict) else {}
        entities.setdefault(category, {})[artifact.name] = {**kept, **_entry(artifact)}
    stated = former.raw.get("metadata")
    metadata = {
        **(stated if isinstance(stated, dict) else {"version": VERSION}),
        "last_updated": updated,
        "entity_count": len(artifacts),
        "checksum_algorithm": "sha256",
    }
    whole = {**former.raw, "metadata": metadata, "entities": entities}
    return yaml.safe_dump(whole, sort_keys=False, allow_unicode=True, width=120)


def category_of(kind: str) -> str:
    """The plural that groups a type: ``agents``."""
    return _PLURALS.get(kind, f"{kind}s")


def _entry(artifact: RegistryArtifact) -> dict[str, Any]:
    return {
        "path": artifact.path,
        "type": artifact.type,
        "purpose": artifact.purpose,
        "keywords": list(artifact.keywords),
        "dependencies": list(artifact.dependencies),
        "adaptability": artifact.adaptability,
        "checksum": artifact.checksum,
    }


def _artifact(category: str, name: str, about: Mapping[str, Any]) -> RegistryArtifact:
    kind = str(about.get("type") or category.removesuffix("s"))
    share = about.get("adaptability")
    stated = str(about.get("checksum") or "")
    return RegistryArtifact(
        id=f"{kind}/{name}",
        type=kind,
        path=str(about.get("path") or ""),
        purpose=" ".join(str(about.get("purpose") or "").split()),
        keywords=tuple(map(str, about.get("keywords") or ())),
        dependencies=tuple(map(str, about.get("dependencies") or ())),
        adaptability=float(share) if isinstance(share, (int, float)) else ADAPTABILITY.get(kind, SHARED),
        checksum="" if stated.startswith("<") else stated,
        own=True,
    )
