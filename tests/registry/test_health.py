"""Every fault that is planted is found by ``limpet health``, with its file, and the status follows whose it is."""

import base64
import hashlib
import json
import os
import subprocess
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest

from limpet.registry import files
from limpet.registry.files import recorded_files
from limpet.registry.inventory import RegisteredFile, checksums

WRONG_HEADER = "metadata: {entity_count: 48}\nentities: {}\n"
LOWERED = "## Articles\n\n### IV. Security (INFO)\n- MUST x.\n"
LACKING = "---\ntype: template\npurpose: T\nplaceholders: [user]\n---\n# T\n"
POET = "name: odes\nsteps: [{agent: poet, state: build, mode: build}]\n"
AGENT = "---\nmission: Writes\ninputs: A\noutputs: B\ncriteria: C\n---\n# Scribe\n"


def health(run, *options):
    done = run("health", "--json", *options)
    return json.loads(done.stdout)


def faults(found):
    return [(check["name"], fault["where"]) for check in found["checks"] for fault in check["faults"]]


def edited(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def shipped(plant):
    return lambda framework, own: plant(framework)


def of_project(path, text):
    return lambda framework, own: own(path, text)


def map_of(path, checksum=""):
    entry = f"{{path: {path}, type: service, purpose: Mail, checksum: '{checksum}'}}"
    return f"metadata: {{entity_count: 1}}\nentities: {{services: {{mail: {entry}}}}}\n"


PLANTED = {
    "a shipped file is gone": (
        shipped(lambda it: (it / "agents/dev.md").unlink()),
        "Entities",
        "framework/agents/dev.md",
        "BROKEN",
    ),
    "a registered file of the project is gone": (
        of_project("registry.yaml", map_of("src/mail.py")),
        "Entities",
        "src/mail.py",
        "DEGRADED",
    ),
    "the map's header counts wrongly": (
        of_project("registry.yaml", WRONG_HEADER),
        "Entities",
        ".limpet/registry.yaml",
        "DEGRADED",
    ),
    "a shipped schema is no JSON": (
        shipped(lambda it: (it / "schemas/story.schema.json").write_text("{")),
        "Schemas",
        "framework/schemas/story.schema.json",
        "BROKEN",
    ),
    "a schema of the project is none": (
        of_project("schemas/rota.schema.json", "[]"),
        "Schemas",
        ".limpet/schemas/rota.schema.json",
        "BROKEN",
    ),
    "an article is gone": (
        shipped(lambda it: edited(it / "constitution.md", "### XI. ", "## ")),
        "Constitution",
        "framework/constitution.md",
        "BROKEN",
    ),
    "an article of the project lowers a severity": (
        of_project("constitution.md", LOWERED),
        "Constitution",
        ".limpet/constitution.md",
        "BROKEN",
    ),
    "a shipped agent has no outputs": (
        shipped(lambda it: edited(it / "agents/ux.md", "outputs: ", "aliases: []\n# ")),
        "Agents",
        "framework/agents/ux.md",
        "BROKEN",
    ),
    "an agent of the project has no criteria": (
        of_project("agents/scribe.md", AGENT.replace("criteria: C\n", "")),
        "Agents",
        ".limpet/agents/scribe.md",
        "DEGRADED",
    ),
    "a shipped template lacks a placeholder": (
        shipped(lambda it: edited(it / "templates/qa-gate.md", "{verdict}", "PASS")),
        "Templates",
        "framework/templates/qa-gate.md",
        "BROKEN",
    ),
    "a template of the project lacks one": (
        of_project("templates/talk.md", LACKING),
        "Templates",
        ".limpet/templates/talk.md",
        "DEGRADED",
    ),
    "a shipped file was changed": (
        shipped(lambda it: edited(it / "rules/global", "Read", "Do not read")),
        "Checksums",
        "framework/rules/global",
        "BROKEN",
    ),
    "an agent needs a template that nobody has": (
        of_project("agents/scribe.md", AGENT.replace("inputs", "templates: [ode]\ninputs")),
        "Dependencies",
        ".limpet/agents/scribe.md",
        "DEGRADED",
    ),
    "a workflow names an agent that nobody has": (
        of_project("workflows/odes.yaml", POET),
        "Dependencies",
        ".limpet/workflows/odes.yaml",
        "DEGRADED",
    ),
}


@pytest.mark.parametrize(("plant", "check", "where", "status"), PLANTED.values(), ids=PLANTED)
def test_a_planted_fault_is_found(plant, check, where, status, run, framework, own):
    """The check names the file; another check may name it too."""
    plant(framework, own)
    found = health(run)
    assert (check, where) in faults(found)
    assert found["status"] == status
    assert {each for _, each in faults(found)} == {where}


def test_a_file_of_the_project_that_changed_since_the_map_was_written_is_found(run, framework, own):
    """And is in order once it is written again."""
    path = own("agents/scribe.md", AGENT)
    assert "1 artifact " in run("registry", "list", "--write").stdout
    assert health(run)["status"] == "HEALTHY"
    edited(path, "Writes", "Rewrites")
    assert faults(health(run)) == [("Checksums", ".limpet/agents/scribe.md")]
    run("registry", "list", "--write")
    assert health(run)["status"] == "HEALTHY"


def test_a_file_of_the_project_is_compared_with_the_last_commit(run, workspace, own):
    """Without one there is no baseline, which is no fault and no match."""
    path = own("agents/scribe.md", AGENT)
    assert health(run)["checks"][5]["says"] == "no baseline"
    for words in (("init", "-q"), ("add", "."), ("-c", "user.name=a", "-c", "user.email=b", "commit", "-qm", "c")):
        subprocess.run(("git", *words), cwd=workspace.root, check=True)
    assert "1/1 match" in health(run)["checks"][5]["says"]
    edited(path, "Writes", "Rewrites")
    assert faults(health(run)) == [("Checksums", ".limpet/agents/scribe.md")]


def test_a_fresh_project_is_healthy_and_the_table_is_the_seeds(run, framework):
    """chati.dev V7.1 5.3."""
    rows = [line.split() for line in run("health").stdout.splitlines()]
    assert [row[0] for row in rows] == [
        *("Entities:", "Schemas:", "Constitution:", "Agents:", "Templates:", "Checksums:", "Dependencies:", "Status:")
    ]
    assert rows[-1] == ["Status:", "HEALTHY"]
    assert all(row[1].split("/")[0] == row[1].split("/")[1] for row in rows[:-1])
    assert ["Constitution:", "16/16", "articles"] in rows and ["Agents:", "13/13", "complete"] in rows


def test_it_advises_unless_it_shall_be_strict(run, framework):
    """Article XIV: it never stops anybody."""
    assert [run("health", *more).returncode for more in ((), ("--strict",))] == [0, 0]
    (framework / "templates/prd.md").unlink()
    assert [run("health", *more).returncode for more in ((), ("--strict",))] == [0, 1]


def test_this_repository_is_healthy_but_for_what_is_being_edited(monkeypatch):
    """Every shipped file that is not as the last commit has it is one that git calls changed."""
    monkeypatch.undo()
    found = files.read_inventory(None)
    changed = {file.path for file in found.files if file.is_changed}
    folder = Path(files.FRAMEWORK)
    words = ("git", "status", "--porcelain", "--untracked-files=no", "-z", "--", ".")
    told = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    if told.returncode:
        pytest.skip("the sources are in no git repository")
    edited_ones = {f"framework/{line[3:].rpartition('/framework/')[2]}" for line in told.stdout.split("\0") if line}
    assert changed <= edited_ones
    assert {file.path for file in found.files if not file.recorded} <= edited_ones


def test_what_an_installation_recorded_is_read(tmp_path, monkeypatch):
    """RECORD has SHA-256 in base 64 without padding; that of another place does not count."""
    place = tmp_path / "limpet" / "framework"
    place.mkdir(parents=True)
    (place / "constitution.md").write_bytes(b"x")
    about = tmp_path / "limpet-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Name: limpet\n")
    value = base64.urlsafe_b64encode(hashlib.sha256(b"x").digest()).decode().rstrip("=")
    line = f"limpet/framework/constitution.md,sha256={value},1\n"
    (about / "RECORD").write_text(f"limpet/__init__.py,,\n{line}")
    monkeypatch.setattr(files, "FRAMEWORK", str(place))
    recorded = recorded_files(PathDistribution(about))
    assert recorded == {"constitution.md": checksums(b"x")[0]}
    assert not RegisteredFile("constitution.md", b"x", recorded["constitution.md"]).is_changed
    monkeypatch.setattr(files, "FRAMEWORK", str(tmp_path / "elsewhere"))
    assert recorded_files(PathDistribution(about)) == {}


def test_fix_names_each_file_and_touches_no_others(run, framework, own, workspace, monkeypatch):
    """What is gone from a checkout comes back, the map is made true; a change stays, and so does the project's file."""
    for words in (("init", "-q"), ("add", "."), ("-c", "user.name=a", "-c", "user.email=b", "commit", "-qm", "c")):
        subprocess.run(("git", *words), cwd=framework, check=True)
    monkeypatch.setattr("limpet.operations.registry.FRAMEWORK", str(framework))
    before = (framework / "agents/dev.md").read_bytes()
    (framework / "agents/dev.md").unlink()
    edited(framework / "rules/global", "Read", "Do not read")
    path = own("agents/scribe.md", AGENT.replace("criteria: C\n", ""))
    own("registry.yaml", WRONG_HEADER)
    said = run("health", "--fix").stdout.splitlines()
    assert [line for line in said if line.startswith("Writing")] == [
        "Writing framework/agents/dev.md",
        "Writing .limpet/registry.yaml",
    ]
    assert (framework / "agents/dev.md").read_bytes() == before
    assert "Do not read" in (framework / "rules/global").read_text()
    assert "criteria" not in path.read_text()
    assert faults(health(run)) == [("Agents", ".limpet/agents/scribe.md"), ("Checksums", "framework/rules/global")]


def test_the_seeds_registry_in_a_project_is_read_and_its_faults_told(run, framework, workspace):
    """The header counts 48, none of its files is there, and one template that it needs is in no list."""
    place = Path(workspace.root, "chati.dev", "data", "entity-registry.yaml")
    place.parent.mkdir(parents=True)
    place.write_text(Path(__file__).with_name("seed_registry.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    found = health(run)
    told = [fault["what"] for check in found["checks"] for fault in check["faults"]]
    assert found["status"] == "DEGRADED"
    assert "metadata.entity_count says 48, but 28 are listed" in told
    assert told.count("is missing or cannot be read") == 28
    assert "agent/architect needs architecture-template, which does not exist" in told


def test_a_map_leads_nowhere_outside_the_project(run, framework, own, tmp_path):
    outside = tmp_path / "outside.py"
    outside.write_text("x")
    own("registry.yaml", map_of(os.path.relpath(outside, tmp_path / "project")))
    assert [name for name, _ in faults(health(run))] == ["Entities"]
