"""An artifact of the framework or of a project as a value, made of its file's text, name and place."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.formats.frontmatter import split_described, split_frontmatter
from limpet.ground.formats.markdown import plain_lines
from limpet.ground.formats.yaml_text import load_yaml
from limpet.ground.values import Value
from limpet.registry.symbols.symbol import Symbol
from limpet.roles.agent import BESIDE

AGENT, TEMPLATE, WORKFLOW, RULE, GATE = "agent", "template", "workflow", "rule", "gate"
INTELLIGENCE, SCHEMA, GOVERNANCE, DOCUMENT = "intelligence", "schema", "governance", "document"
ADAPTABILITY = {
    AGENT: 0.4, TEMPLATE: 0.6, WORKFLOW: 0.4, RULE: 0.6, GATE: 0.3,
    INTELLIGENCE: 0.2, SCHEMA: 0.2, GOVERNANCE: 0.1, DOCUMENT: 0.5,
}  # fmt: skip
"""How safely an artifact of a type is changed, 0 to 1, where nobody says so."""
SHARED = 0.5
"""The same of any other type."""

# What a file of a type is read by.
_NEEDS = {AGENT: ("schema/agent",), WORKFLOW: ("schema/workflow",)}
_LONGEST_PURPOSE = 300


class RegistryArtifact(Value):
    """``id``: ``type/name``; ``path``: that of a shipped one begins with ``framework/``, another's is from the
    project's root. ``dependencies``: ids, as written where none is meant. ``checksum``: SHA-256 of the
    file, "" for none. ``own``: it is the project's. ``body``: its text, or words of it."""

    id: str
    type: str
    path: str
    purpose: str
    keywords: tuple[str, ...] = ()
    dependencies: tuple[str, ...] = ()
    adaptability: float = SHARED
    checksum: str = ""
    own: bool = False
    body: str = ""

    @property
    def name(self) -> str:
        """Without the type, of code also without the place."""
        return self.id.partition("/")[2].rpartition(":")[2]


def describe(kind: str, name: str, path: str, raw: bytes, own: bool = False) -> RegistryArtifact:
    """A file that cannot be read as what it is has no more than its place tells."""
    text = raw.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")
    about, body = _read(path, text)
    stated = about.get("adaptability")
    return RegistryArtifact(
        id=f"{kind}/{name}",
        type=kind,
        path=path,
        purpose=_purpose(about, body),
        keywords=_words(about.get("keywords")) or tuple(_headings(about, body)),
        dependencies=tuple(dict.fromkeys(_dependencies(kind, name, about))),
        adaptability=_share(stated, ADAPTABILITY.get(kind, SHARED)),
        checksum=hashlib.sha256(raw).hexdigest(),
        own=own,
        body=body or _descriptions(about),
    )


def describe_documents(path: str, raw: bytes) -> Iterator[RegistryArtifact]:
    """The kinds of document that the framework knows how to judge, all in one file."""
    table = json.loads(raw)
    for name, about in table["types"].items():
        questions = " ".join(str(item["id"]).replace("_", " ") for item in about["items"])
        yield RegistryArtifact(
            id=f"{DOCUMENT}/{name}",
            type=DOCUMENT,
            path=path,
            purpose=f"What a good {name} document answers: {questions}",
            keywords=tuple(map(str, about.get("names", ()))),
            dependencies=tuple(f"{AGENT}/{agent}" for agent in about.get("agents", ())),
            adaptability=ADAPTABILITY[DOCUMENT],
            checksum=hashlib.sha256(raw).hexdigest(),
        )


def describe_symbol(symbol: Symbol) -> RegistryArtifact:
    return RegistryArtifact(
        id=f"{symbol.kind}/{symbol.path}:{symbol.name}",
        type=symbol.kind,
        path=f"{symbol.path}:{symbol.line}",
        purpose=symbol.purpose,
        keywords=(symbol.name, symbol.signature),
        own=True,
        body=" ".join(symbol.body),
    )


def resolve(artifacts: Sequence[RegistryArtifact]) -> tuple[RegistryArtifact, ...]:
    """With ids for what dependencies name: ``brief-template`` and ``brief`` where only one has the name."""
    found = []
    for artifact in artifacts:
        known = (find_id(artifacts, name) or name for name in artifact.dependencies)
        found.append(artifact.replace(dependencies=tuple(dict.fromkeys(known))))
    return tuple(found)


def find_id(artifacts: Sequence[RegistryArtifact], name: str) -> str:
    """The id that a person's or a file's word means; "" where no artifact or more than one is meant."""
    plain = name.strip().lower().replace("_", "-")
    ids = {artifact.id for artifact in artifacts}
    stem, _, kind = plain.rpartition("-")
    for wanted in (plain, f"{kind}/{stem}"):
        if wanted in ids:
            return wanted
    named = {artifact.id for artifact in artifacts if plain in (artifact.name, artifact.path.lower())}
    return named.pop() if len(named) == 1 else ""


def dependents(artifacts: Sequence[RegistryArtifact], changed: str) -> tuple[str, ...]:
    """The ids of what needs this one, directly or through others; nearest first."""
    found: dict[str, None] = {}
    waiting = [changed]
    while waiting:
        wanted = waiting.pop(0)
        for artifact in artifacts:
            if wanted in artifact.dependencies and artifact.id not in found and artifact.id != changed:
                found[artifact.id] = None
                waiting.append(artifact.id)
    return tuple(found)


def _read(path: str, text: str) -> tuple[Mapping[str, Any], str]:
    """(What the file says of itself, the rest for people)."""
    try:
        if path.endswith(".json"):
            data = json.loads(text)
            return (data if isinstance(data, dict) else {}), ""
        if path.endswith((".yaml", ".yml")):
            data = load_yaml(text, path)
            return (data if isinstance(data, dict) else {}), ""
        about, body = split_described(text, path)
        if about or not text.startswith("---"):
            return about, body
        parts = split_frontmatter(text, path)
        data = load_yaml(parts.yaml, path)
        return (data if isinstance(data, dict) else {}), parts.rest[parts.body :]
    except (LimpetError, ValueError):
        return {}, text


def _purpose(about: Mapping[str, Any], body: str) -> str:
    said = [about.get("purpose") or about.get("mission") or about.get("description"), about.get("outputs")]
    found = "; ".join(" ".join(str(each).split()) for each in said if each)
    return (found or _opening(body))[:_LONGEST_PURPOSE]


def _opening(body: str) -> str:
    """The first paragraph, a rule file's first remark, else its first rule."""
    lines: list[str] = []
    heading = ""
    for line in (line.strip() for _, line in plain_lines(body)):
        if line.startswith("# ") and not lines:
            heading = heading or line[2:].strip()
        elif line and not line.startswith(("#", "<!--", "*")):
            lines.append(line.partition("=")[2] if line.partition("=")[0].isupper() else line)
        elif lines:
            break
    return " ".join(filter(None, (heading and f"{heading.rstrip('.')}.", *lines)))


def _headings(about: Mapping[str, Any], body: str) -> Iterator[str]:
    """What a file is divided into: the keys of a schema, the sections of a text."""
    properties = about.get("properties")
    yield from properties if isinstance(properties, dict) else ()
    for _, line in plain_lines(body):
        if line.startswith(("## ", "### ")):
            yield line.lstrip("#").partition("(")[0].strip()


def _descriptions(about: object) -> str:
    """What the keys of a schema, or the steps of a workflow, say of themselves."""
    if isinstance(about, list):
        return " ".join(map(_descriptions, about))
    if not isinstance(about, dict):
        return about if isinstance(about, str) else ""
    return " ".join(_descriptions(value) for key, value in about.items() if key not in ("pattern", "$schema"))


def _dependencies(kind: str, name: str, about: Mapping[str, Any]) -> Iterator[str]:
    yield from _words(about.get("dependencies"))
    yield from _NEEDS.get(kind, ())
    if kind == AGENT:
        yield from (f"{TEMPLATE}/{form}" for form in _words(about.get("templates")))
        yield from BESIDE.get(name, ())
        yield from (f"{AGENT}/{other}" for other in _words(about.get("handoff")))
    steps = about.get("steps") if kind == WORKFLOW else None
    for step in steps if isinstance(steps, list) else ():
        if isinstance(step, dict):
            yield f"{AGENT}/{str(step.get('agent')).strip().lower().removeprefix('@').replace('_', '-')}"
            yield from (f"{RULE}/{domain.lower().replace('_', '-')}" for domain in _words(step.get("domains")))


def _words(found: object) -> tuple[str, ...]:
    return tuple(str(each) for each in found if each) if isinstance(found, list) else ()


def _share(found: object, other: float) -> float:
    if isinstance(found, bool) or not isinstance(found, (int, float)) or not 0 <= found <= 1:
        return other
    return float(found)
