"""Workflows as values, and their YAML files: the shipped ones, and the project's own, which override them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import limpet
from limpet.ground.errors import LimpetError
from limpet.ground.formats.schema import Fault, KeyPath, Schema, explain_fault, load_schema, nearest, sift
from limpet.ground.formats.yaml_text import compose_yaml, key_lines, load_yaml
from limpet.ground.late import LateModule
from limpet.ground.storage.files import names_in
from limpet.ground.storage.text_file import read_strictly
from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER, Workspace
from limpet.roles.roster import plain_id
from limpet.work.in_force import find_in_force

if TYPE_CHECKING:
    import yaml
else:
    yaml = LateModule("yaml")

SCHEMA_VERSION = 1
_AGENT = re.compile(r"[a-z0-9][a-z0-9.-]*")
WORKFLOWS, ENDING = "workflows", ".yaml"
# The workflow that is offered first.
FIRST = "solo"
# Other name of a shipped workflow -> its own; a file of that other name comes before it.
ALIASES = {"greenfield-fullstack": "greenfield", "brownfield-fullstack": "brownfield"}


class Criterion(Value):
    """A sentence that the step's outputs show to be true or not; ``weight``: its part of the score."""

    text: str
    weight: float = 1


class WorkflowStep(Value):
    """An agent's part of a workflow. ``domains``: the rule domains that it brings. ``gate``: the least score in
    percent, None for the configured one. ``evidence_required``: the configured checks have to succeed, whatever the
    mode. ``output``: the file that it makes, or the folder, with ``/`` at its end, in which it makes files, as
    ``outputs.output_path`` fills it in. ``criteria``: those that its score is counted from; none where its own document
    names them."""

    agent: str
    label: str
    state: str
    mode: str
    domains: tuple[str, ...] = ()
    gate: float | None = None
    evidence_required: bool = False
    output: str = ""
    criteria: tuple[Criterion, ...] = ()


class Disqualifier(Value):
    """A fact that rules a workflow out by this ``answer``; ``says``: the reason, for people. ``above``: the number that
    the fact must not exceed, None for a fact that is yes or no."""

    fact: str
    says: str
    above: float | None = None
    answer: bool | None = None


class Workflow(Value):
    """A pipeline. ``issues``: the agent that fixes each kind of issue. ``confidence`` (0 to 1), ``confirmation``: what
    it needs to start. ``source``: the file that it was read from."""

    name: str
    description: str
    project_type: str
    steps: tuple[WorkflowStep, ...]
    issues: Mapping[str, str]
    confidence: float
    confirmation: bool
    disqualifiers: tuple[Disqualifier, ...]
    source: str

    def step_of(self, agent: str) -> WorkflowStep | None:
        return next((step for step in self.steps if step.agent == agent), None)

    def place_of(self, agent: str) -> int:
        """Return the number of its step, from 0. Raise LimpetError, naming the agents, for one that has none."""
        for place, step in enumerate(self.steps):
            if step.agent == agent:
                return place
        names = [step.agent for step in self.steps]
        known = f"Its agents: {', '.join(names)}{nearest(agent, names)}"
        raise LimpetError(f"{self.name} has no agent {agent}", self.source, known)


def read_workflow(workspace: Workspace, name: str) -> Workflow | None:
    """Return the project's workflow of this name or alias, else the shipped one; None where there is neither. ``_`` is
    read as ``-`` and case does not count. Raise LimpetError with ``file:line`` for a file that is no workflow."""
    found = find_workflow_file(workspace, name)
    return parse_workflow(read_strictly(*found), name_of(found[0]), found[1]) if found else None


def workflow_under_way(workspace: Workspace, session: Mapping[str, Any]) -> Workflow | None:
    """Return the workflow that the session names; None without one, and for a name that brings rules only. Raise
    LimpetError with ``file:line`` for a file that is no workflow."""
    return read_workflow(workspace, find_in_force(session).workflow)


@lru_cache(maxsize=32)
def parse_workflow(text: str, name: str, where: str) -> Workflow:
    """``where`` names the file in errors. Raise LimpetError with ``file:line``."""
    data = load_yaml(text, where)
    schema = load_schema("workflow")
    _, faults = sift(data, schema)
    root = compose_yaml(text, where)
    pairs = root.value if isinstance(root, yaml.MappingNode) else []
    steps = next((value for key, value in pairs if key.value == "steps"), None)
    nodes = steps.value if isinstance(steps, yaml.SequenceNode) else []
    lines = [node.start_mark.line + 1 for node in nodes]
    if faults:
        raise _mistake(faults[0], data, schema, key_lines(text, where), lines, where)
    assert isinstance(data, dict)
    _refuse(data, name, lines, where)
    return _workflow(data, name, where)


def plain_name(name: str) -> str:
    """As names are compared: ``Story_Cycle`` is ``story-cycle``."""
    return name.strip().lower().replace("_", "-")


def find_workflow_file(workspace: Workspace, name: str) -> tuple[str, str] | None:
    """Return (path, its name in messages) of the project's workflow of this name or alias, else of the shipped one;
    None where there is neither. However the name is spelled on disk, it is found."""
    plain = plain_name(name)
    found = _find(workspace, plain)
    return _find(workspace, ALIASES[plain]) if found is None and plain in ALIASES else found


def own_workflow_file(workspace: Workspace, name: str) -> str:
    """Return the path of the project's own file of this workflow, or where it would lie."""
    found = find_workflow_file(workspace, name)
    folder = workspace.path(WORKFLOWS)
    own = found is not None and os.path.dirname(found[0]) == folder
    return found[0] if found and own else os.path.join(folder, f"{plain_name(name)}{ENDING}")


def workflow_names(workspace: Workspace) -> list[str]:
    """The one to offer first comes before the others in their order."""
    return sorted({name_of(path) for path, _ in _files(workspace)}, key=lambda name: (name != FIRST, name))


def names_and_aliases(workspace: Workspace) -> list[str]:
    return [*workflow_names(workspace), *ALIASES]


def name_of(path: str) -> str:
    """Return "" for what is no workflow's file."""
    file = os.path.basename(path)
    name = plain_name(file[: -len(ENDING)]) if file.lower().endswith(ENDING) else ""
    sound = name[:1].isalnum() and name.replace("-", "").isalnum() and name.isascii()
    return name if sound else ""


def _mistake(
    fault: Fault, data: Any, schema: Schema, keys: Mapping[KeyPath, int], lines: list[int], where: str
) -> LimpetError:
    what, line = explain_fault(fault, schema), keys.get(fault.path, 1)
    if fault.path[:1] == ("steps",) and isinstance(data["steps"], list):
        each = schema["properties"]["steps"]["items"]
        number = next(number for number, step in enumerate(data["steps"], 1) if sift(step, each)[1])
        what, line = f"step {number}: {what}", lines[number - 1]
    return LimpetError(what, f"{where}:{line}", "Fix the file; it is ignored until then.")


def _refuse(data: Mapping[str, Any], name: str, lines: list[int], where: str) -> None:
    """Raise LimpetError for mistakes that the schema cannot express."""
    version, steps = data.get("schema_version", SCHEMA_VERSION), data.get("steps") or []
    if version > SCHEMA_VERSION:
        what = f"schema_version {version} is newer than this Limpet supports ({SCHEMA_VERSION})"
        raise LimpetError(what, where, "Update Limpet.")
    if plain_name(data.get("name", name)) != name:
        raise LimpetError(f"Workflow is named {data['name']}", where, f"Name it {name}, like its file.")
    if not steps:
        raise LimpetError("Workflow has no steps", where, "Each step needs agent, state and mode.")
    for number, (step, line) in enumerate(zip(steps, lines, strict=True), 1):
        lost = [key for key in ("agent", "state", "mode") if not step.get(key)]
        if lost:
            what = f"step {number} has no {lost[0]}"
            raise LimpetError(what, f"{where}:{line}", "Each step needs agent, state and mode.")
        if not all(_text_of(one).strip() for one in step.get("criteria", ())):
            raise LimpetError(
                f"step {number} has a criterion without text", f"{where}:{line}", "Write what must be true."
            )
    _refuse_agents([plain_id(step["agent"]) for step in steps], data.get("issues", {}), lines, where)


def _refuse_agents(agents: list[str], issues: Mapping[str, str], lines: list[int], where: str) -> None:
    for place, (agent, line) in enumerate(zip(agents, lines, strict=True)):
        if not _AGENT.fullmatch(agent):
            raise LimpetError(f"Invalid agent id {agent!r}", f"{where}:{line}", "Use letters, digits, dots and dashes.")
        if agent in agents[:place]:
            what = f"{agent} is in two steps"
            raise LimpetError(what, f"{where}:{line}", "Use each agent in one step only.")
    for kind, agent in issues.items():
        if plain_id(agent) not in agents:
            raise LimpetError(f"issues of {kind} go to {agent}, which has no step", where, "Name the agent of a step.")


def _workflow(data: Mapping[str, Any], name: str, where: str) -> Workflow:
    requires = data.get("requires", {})
    return Workflow(
        name=name,
        description=data.get("description", ""),
        project_type=data.get("project_type", ""),
        steps=tuple(_step(step) for step in data["steps"]),
        issues={kind: plain_id(agent) for kind, agent in data.get("issues", {}).items()},
        confidence=float(requires.get("confidence", 0)),
        confirmation=bool(requires.get("confirmation", False)),
        disqualifiers=tuple(
            Disqualifier(fact=fact, says=row.get("says", fact), above=row.get("above"), answer=row.get("is"))
            for fact, row in data.get("disqualifiers", {}).items()
        ),
        source=where,
    )


def _step(step: Mapping[str, Any]) -> WorkflowStep:
    agent = plain_id(step["agent"])
    words = [part.upper() if len(part) == 2 else part.capitalize() for part in agent.split("-")]
    criteria = []
    for written in step.get("criteria", ()):
        weight = 1 if isinstance(written, str) else written.get("weight", 1)
        criteria.append(Criterion(text=" ".join(_text_of(written).split()), weight=weight))
    return WorkflowStep(
        agent=agent,
        label=step.get("label") or "-".join(words),
        state=step["state"],
        mode=step["mode"],
        domains=tuple(step.get("domains", ())),
        gate=step.get("gate"),
        evidence_required=step.get("evidence") == "required",
        output=step.get("output", ""),
        criteria=tuple(criteria),
    )


def _text_of(written: str | Mapping[str, Any]) -> str:
    return written if isinstance(written, str) else str(written.get("text") or "")


def _find(workspace: Workspace, plain: str) -> tuple[str, str] | None:
    return next((found for found in _files(workspace) if name_of(found[0]) == plain), None)


def _files(workspace: Workspace) -> Iterator[tuple[str, str]]:
    """Yield (path, shown), the project's first; of two spellings of a name the plain one comes first."""
    shipped = os.path.join(os.path.dirname(limpet.__file__), "framework", WORKFLOWS)
    for folder, shown in ((workspace.path(WORKFLOWS), f"{FOLDER}/{WORKFLOWS}"), (shipped, f"framework/{WORKFLOWS}")):
        for file in sorted(names_in(folder), key=lambda each: each != plain_name(each)):
            path = os.path.join(folder, file)
            if name_of(path):
                yield path, f"{shown}/{file}"
