"""Whether the framework and what a project adds to it is whole: the seven checks of chati.dev V7.1 5.3. Pure, over what
was read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence

from limpet.ground.errors import LimpetError
from limpet.ground.formats.frontmatter import split_described
from limpet.ground.values import Value
from limpet.registry.artifacts import find_id
from limpet.registry.inventory import Inventory, RegisteredFile
from limpet.registry.map import FOREIGN
from limpet.roles.agents import parse_agent
from limpet.roles.roster import plain_id
from limpet.rules.format.constitution import merge, read_constitution

HEALTHY, DEGRADED, BROKEN = "HEALTHY", "DEGRADED", "BROKEN"
ENTITIES, SCHEMAS, CONSTITUTION = "Entities", "Schemas", "Constitution"
AGENTS, TEMPLATES, CHECKSUMS, DEPENDENCIES = "Agents", "Templates", "Checksums", "Dependencies"
# Check -> what its number counts.
COUNTED = {
    ENTITIES: "present",
    SCHEMAS: "valid",
    CONSTITUTION: "articles",
    AGENTS: "complete",
    TEMPLATES: "valid",
    CHECKSUMS: "match",
    DEPENDENCIES: "known",
}
REINSTALL = "install Limpet again"
RECORD = "if it was meant, commit it or run `limpet registry list --write`"
_ENDS = "\n## How it ends\n"
_SHIPPED_CONSTITUTION = "framework/constitution.md"
FaultsOf = Callable[[RegisteredFile], Iterator[str]]


class HealthFault(Value):
    """``where``: a file, or an artifact's id. ``own``: it is the project's, and not of what is shipped."""

    where: str
    what: str
    own: bool
    hint: str


class HealthCheck(Value):
    """``passed`` of ``total``; ``unknown``: files whose checksum has nothing to be compared with."""

    name: str
    passed: int
    total: int
    faults: tuple[HealthFault, ...] = ()
    unknown: int = 0

    @property
    def says(self) -> str:
        compared = self.total - self.unknown
        if self.unknown and not compared:
            return "no baseline"
        return f"{self.passed}/{compared} {COUNTED[self.name]}" + (
            f", {self.unknown} no baseline" if self.unknown else ""
        )


class Health(Value):
    status: str
    checks: tuple[HealthCheck, ...]


def examine_health(found: Inventory, numerals: Sequence[str]) -> Health:
    """``numerals``: of the articles that the constitution has."""
    checks = (
        _entities(found),
        _counted(SCHEMAS, _files(found, "schemas/", ".json"), _schema_faults),
        _constitution(found, numerals),
        _counted(AGENTS, _files(found, "agents/", ".md"), _agent_faults),
        _counted(TEMPLATES, _files(found, "templates/", ".md"), _template_faults),
        _checksums(found),
        _dependencies(found),
    )
    return Health(_status(checks), checks)


def _status(checks: Iterable[HealthCheck]) -> str:
    status = HEALTHY
    for check in checks:
        if any(not fault.own or check.name in (SCHEMAS, CONSTITUTION) for fault in check.faults):
            return BROKEN
        status = DEGRADED if check.faults else status
    return status


def _entities(found: Inventory) -> HealthCheck:
    missing = {file.path: file for file in found.files if file.raw is None}
    gone = [artifact for artifact in found.artifacts if artifact.path in missing]
    faults = []
    for file in missing.values():
        hint = "put it back, or take its entry out of the registry" if file.own else REINSTALL
        faults.append(HealthFault(file.path, "is missing or cannot be read", file.own, hint))
    hint = "correct it there" if found.map.path == FOREIGN else "correct it there, or run `limpet health --fix`"
    faults += [HealthFault(found.map.path, problem, True, hint) for problem in found.map.problems]
    return HealthCheck(ENTITIES, len(found.artifacts) - len(gone), len(found.artifacts), tuple(faults))


def _constitution(found: Inventory, numerals: Sequence[str]) -> HealthCheck:
    texts = {file.path: file.text for file in found.files if file.path.endswith("/constitution.md")}
    shipped = read_constitution(texts.pop(_SHIPPED_CONSTITUTION, ""))
    whole = {article.numeral for article in shipped.articles if article.duties}
    faults = []
    for numeral in numerals:
        if numeral not in whole:
            faults.append(
                HealthFault(_SHIPPED_CONSTITUTION, f"Article {numeral} is missing or empty", False, REINSTALL)
            )
    for line, what in shipped.problems:
        faults.append(HealthFault(f"{_SHIPPED_CONSTITUTION}:{line}", what, False, REINSTALL))
    for path, text in texts.items():
        for line, what in merge(shipped, read_constitution(text)).problems[len(shipped.problems) :]:
            faults.append(HealthFault(f"{path}:{line}" if line else path, what, True, "correct it there"))
    return HealthCheck(CONSTITUTION, len(whole.intersection(numerals)), len(numerals), tuple(faults))


def _checksums(found: Inventory) -> HealthCheck:
    faults, known = [], [file for file in found.files if file.raw is not None]
    unknown = sum(not file.recorded for file in known)
    for file in known:
        if file.is_changed:
            hint = RECORD if file.own else f"{REINSTALL}, or in a checkout commit the change"
            faults.append(HealthFault(file.path, "is not as it was recorded", file.own, hint))
    return HealthCheck(CHECKSUMS, len(known) - unknown - len(faults), len(known), tuple(faults), unknown)


def _dependencies(found: Inventory) -> HealthCheck:
    total, faults = 0, []
    for artifact in found.artifacts:
        total += len(artifact.dependencies)
        for name in artifact.dependencies:
            if not find_id(found.artifacts, name):
                hint = "correct the name, or make what it names" if artifact.own else REINSTALL
                faults.append(
                    HealthFault(artifact.path, f"{artifact.id} needs {name}, which does not exist", artifact.own, hint)
                )
    return HealthCheck(DEPENDENCIES, total - len(faults), total, tuple(faults))


def _files(found: Inventory, folder: str, ending: str) -> list[RegisteredFile]:
    """Those that are there, below the folder of the framework or of the project."""
    placed = []
    for file in found.files:
        place = file.path.partition("/")[2]
        if file.raw is not None and place.startswith(folder) and place.endswith(ending):
            placed.append(file)
    return placed


def _counted(name: str, files: Sequence[RegisteredFile], faults_of: FaultsOf) -> HealthCheck:
    faults, failed = [], 0
    for file in files:
        hint = "correct it there" if file.own else REINSTALL
        wrong = [HealthFault(file.path, what, file.own, hint) for what in faults_of(file)]
        faults += wrong
        failed += bool(wrong)
    return HealthCheck(name, len(files) - failed, len(files), tuple(faults))


def _schema_faults(file: RegisteredFile) -> Iterator[str]:
    try:
        schema = json.loads(file.text)
    except ValueError as error:
        yield f"is no valid JSON: {error}"
        return
    if not isinstance(schema, dict) or not {"type", "properties", "$ref"} & schema.keys():
        yield "is no JSON schema: it has neither type nor properties"


def _agent_faults(file: RegisteredFile) -> Iterator[str]:
    name = plain_id(file.path.rpartition("/")[2].removesuffix(".md"))
    try:
        agent, _ = parse_agent(file.text, name, file.path)
    except LimpetError as error:
        yield error.what
        return
    criteria = agent.criteria or agent.checklist or _ENDS in f"\n{agent.body}\n"
    for section, text in (("inputs", agent.inputs), ("outputs", agent.outputs), ("criteria", criteria)):
        if not text:
            yield f"has no {section}"


def _template_faults(file: RegisteredFile) -> Iterator[str]:
    """A project's own form need not say which placeholders it has."""
    about, body = split_described(file.text, file.path)
    required = about.get("placeholders")
    if not isinstance(required, list) or not required:
        if not file.own:
            yield "does not say which placeholders it has"
        return
    for name in required:
        if f"{{{name}}}" not in body:
            yield f"lacks the placeholder {{{name}}}"
