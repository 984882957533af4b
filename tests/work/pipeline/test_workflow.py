"""Workflow files: the shipped ones, the project's own, and what is wrong with one."""

import json
import os

import jsonschema
import pytest

import limpet
from limpet.ground.errors import LimpetError
from limpet.ground.formats.schema import load_schema
from limpet.ground.formats.yaml_text import load_yaml
from limpet.work.pipeline.workflow import parse_workflow, read_workflow, workflow_names

FRAMEWORK = os.path.join(os.path.dirname(limpet.__file__), "framework")
STEP = "{agent: dev, state: build, mode: build}"


def write(workspace, name, text):
    os.makedirs(workspace.path("workflows"), exist_ok=True)
    with open(workspace.path("workflows", f"{name}.yaml"), "w", encoding="utf-8") as file:
        file.write(text)


SHIPPED = [
    "solo", "brownfield", "brownfield-discovery", "brownfield-service", "brownfield-ui", "greenfield", "quick-flow",
]  # fmt: skip


def test_the_shipped_workflows_are_these(workspace):
    """The four of step 8 and the seed's three that ask for less than the whole pipeline."""
    assert workflow_names(workspace) == SHIPPED


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_workflow_is_valid_by_the_schema_and_by_its_own_standard(workspace, name):
    """The schema obeys the draft that it names, and the file obeys the schema."""
    with open(os.path.join(FRAMEWORK, "schemas", "workflow.schema.json"), encoding="utf-8") as file:
        jsonschema.Draft202012Validator.check_schema(json.load(file))
    with open(os.path.join(FRAMEWORK, "workflows", f"{name}.yaml"), encoding="utf-8") as file:
        jsonschema.Draft202012Validator(load_schema("workflow")).validate(load_yaml(file.read(), name))
    workflow = read_workflow(workspace, name)
    assert (workflow.name, {step.gate for step in workflow.steps}) == (name, {None})


def test_the_rules_that_shipped_steps_bring_are_shipped(workspace):
    """A domain that nobody wrote would be a promise only."""
    rules = {name.upper() for name in os.listdir(os.path.join(FRAMEWORK, "rules"))}
    found = {
        domain
        for name in workflow_names(workspace)
        for step in read_workflow(workspace, name).steps
        for domain in step.domains
    }
    assert found <= rules


def test_the_projects_own_workflow_takes_the_shipped_ones_place(workspace):
    """By its name; the others stay."""
    write(workspace, "greenfield", f"name: greenfield\nsteps:\n  - {STEP}\n")
    write(workspace, "hotfix", f"steps: [{STEP}]\n")
    assert [step.agent for step in read_workflow(workspace, "greenfield").steps] == ["dev"]
    assert read_workflow(workspace, "hotfix").name == "hotfix"
    assert workflow_names(workspace) == sorted([*SHIPPED, "hotfix"], key=lambda name: (name != "solo", name))


@pytest.mark.parametrize(
    ("name", "workflow"),
    [
        *((name, "greenfield") for name in ("greenfield-fullstack", "Greenfield_Fullstack")),
        *((name, "quick-flow") for name in ("Quick_Flow", " quick-flow ", "QUICK-FLOW")),
        *((name, None) for name in ("", "../session", "a/b", "nothing", "..", "a b")),
    ],
)
def test_a_name_is_read_whatever_its_case_and_underscores(workspace, name, workflow):
    """Also the seed's longer one; no path leads out of the folder."""
    assert read_workflow(workspace, name) == (workflow and read_workflow(workspace, workflow))


def test_an_alias_means_the_projects_own_workflow_too_unless_it_has_a_file(workspace):
    """Who writes that means it."""
    write(workspace, "brownfield", f"steps: [{STEP}]\n")
    assert [step.agent for step in read_workflow(workspace, "brownfield-fullstack").steps] == ["dev"]
    write(workspace, "brownfield-fullstack", f"steps: [{STEP}, {STEP.replace('dev', 'qa')}]\n")
    assert read_workflow(workspace, "brownfield-fullstack").name == "brownfield-fullstack"
    assert len(read_workflow(workspace, "brownfield").steps) == 1


@pytest.mark.parametrize("file", ["story_development", "Story_Development", "story-development"])
@pytest.mark.parametrize("name", ["story_development", "story-development", "STORY-Development"])
def test_a_file_is_found_however_its_name_is_spelled(workspace, file, name):
    """Every id of SYNAPSE's workflows has underscores, in the file's name and in the file."""
    write(workspace, file, f"name: {file}\nsteps: [{STEP}]\n")
    assert read_workflow(workspace, name).name == "story-development"
    assert "story-development" in workflow_names(workspace)


def test_of_two_spellings_the_plain_one_counts(workspace):
    """Whichever the folder lists first; the project's own comes before a shipped one in any spelling."""
    write(workspace, "quick_flow", "steps: [{agent: ux, state: plan, mode: planning}]\n")
    assert read_workflow(workspace, "quick-flow").steps[0].agent == "ux"
    write(workspace, "quick-flow", f"steps: [{STEP}]\n")
    assert read_workflow(workspace, "quick_flow").steps[0].agent == "dev"


def test_a_step_has_a_label_domains_gate_and_evidence():
    """All but agent, state and mode may be left out."""
    text = (
        "steps:\n  - {agent: qa-planning, state: plan, mode: planning}\n  - {agent: dev, label: Build, state: build, "
    )
    text += "mode: build, gate: 90, evidence: required, domains: [QA]}\n"
    first, second = parse_workflow(text, "x", "f").steps
    assert (first.label, first.gate, first.domains, first.evidence_required) == ("QA-Planning", None, (), False)
    assert (second.label, second.gate, second.domains, second.evidence_required) == ("Build", 90, ("QA",), True)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("steps: [\n", "f.yaml:2"),
        ("- a\n", "must be a mapping"),
        ("", "f.yaml:1: The file must be a mapping"),
        ("# nothing yet\n", "f.yaml:1: The file must be a mapping"),
        ("name: x\n", "Workflow has no steps: f.yaml"),
        ("steps: []\n", "Workflow has no steps: f.yaml"),
        ("name: x\nsteps: dev\n", "f.yaml:2: steps must be a list"),
        (f"steps:\n  - {STEP}\n  - dev\n", "f.yaml:3: step 2: steps must be a mapping"),
        (f"steps:\n  - {STEP}\n  - {{agent: qa, state: build}}\n", "f.yaml:3: step 2 has no mode"),
        (
            "steps:\n  - {agent: dev, state: fast, mode: build}\n",
            "f.yaml:2: step 1: steps.state must be one of discover",
        ),
        (f"steps:\n  - {STEP}\n  - {{agent: qa, stat: build}}\n", "f.yaml:3: step 2: Unknown key: steps.stat"),
        ("steps:\n  - {agent: the dev, state: build, mode: build}\n", "f.yaml:2: Invalid agent id 'the dev'"),
        ("steps:\n  - {agent: ../dev, state: build, mode: build}\n", "f.yaml:2: Invalid agent id '../dev'"),
        (f"steps:\n  - {STEP}\n  - {{agent: '@Dev', state: build, mode: build}}\n", "f.yaml:3: dev is in two steps"),
        (f"name: x\nsteps: [{STEP}]\nsteeps: 1\n", "f.yaml:3: Unknown key: steeps"),
        (f"steps: [{STEP}, {STEP}]\n", "dev is in two steps"),
        (f"name: z\nsteps: [{STEP}]\n", "is named z"),
        (f"steps: [{STEP}]\nissues: {{spec: detail}}\n", "issues of spec go to detail, which has no step"),
        (f"schema_version: 2\nsteps: [{STEP}]\n", "schema_version 2"),
    ],
)
def test_a_mistake_is_told_with_its_place(text, what):
    """Nothing of such a file counts."""
    with pytest.raises(LimpetError, match=what):
        parse_workflow(text, "x", "f.yaml")


def test_a_projects_broken_workflow_is_not_replaced_by_the_shipped_one(workspace):
    """That would be another pipeline than the project wants."""
    write(workspace, "greenfield", "steps:\n<<<<<<< HEAD\n")
    with pytest.raises(LimpetError, match=r"\.limpet/workflows/greenfield\.yaml:2: Unresolved merge conflict"):
        read_workflow(workspace, "greenfield")
