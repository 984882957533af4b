"""Documents as spec-kit, OpenSpec and BMAD keep them."""

import json
import os

import pytest

FILES = {
    "spec-kit": {
        "specs/001-tide/spec.md": "prd",
        "specs/001-tide/plan.md": "phases",
        "specs/001-tide/tasks.md": "tasks",
        "specs/012-ebb/spec.md": "prd",
        ".specify/memory/constitution.md": "conventions",
    },
    "openspec": {"openspec/specs/auth/spec.md": "prd", "openspec/project.md": "conventions"},
    "bmad": {
        "_bmad-output/planning-artifacts/prd.md": "prd",
        "_bmad-output/planning-artifacts/architecture.md": "architecture",
        "docs/project-brief.md": "brief",
    },
}
PROPOSED = ("proposal.md", "design.md", "tasks.md", "specs/auth/spec.md")
NONE = {
    "spec-kit": ("specs/001-tide/data-model.md", "specs/001-tide/checklists/api.md", ".specify/templates/overview.md"),
    "openspec": ("openspec/changes/archive/2026-01-01-x/design.md", "openspec/AGENTS.md"),
    "bmad": ("_bmad/bmm/templates/architecture.md", "bmad-core/tasks.md"),
}


def put(root, path, text="# Title\n"):
    full = os.path.join(root, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with open(full, "w", encoding="utf-8") as file:
        file.write(text)


def scan(run, *arguments):
    return {one["path"]: one for one in json.loads(run("work", "spec", "scan", "--json", *arguments).stdout)["found"]}


@pytest.mark.parametrize("tool", FILES)
def test_each_document_is_found_by_its_place(workspace, run, tool):
    """What the tool itself brings, and what no longer holds, is none."""
    for path in (*FILES[tool], *NONE[tool]):
        put(workspace.root, path)
    found = scan(run, "--write")
    types = {path: one["type"] or one["key"] for path, one in found.items() if path}
    assert types == FILES[tool]
    assert {None} >= {*scan(run)}


def test_a_proposed_change_is_told_and_not_tracked(workspace, run):
    """Its design is not the project's architecture."""
    put(workspace.root, "openspec/specs/auth/spec.md")
    for name in PROPOSED:
        put(workspace.root, f"openspec/changes/add-login/{name}")
    found = scan(run, "--write")
    assert {path for path, one in found.items() if one["proposed"]} == {
        f"openspec/changes/add-login/{name}" for name in PROPOSED
    }
    with open(workspace.path("manifest.yaml"), encoding="utf-8") as file:
        manifest = file.read()
    assert "openspec/specs/auth/spec.md" in manifest and "add-login" not in manifest


def test_a_requirement_without_an_id_is_named(workspace, run):
    """As OpenSpec writes it: by its name, with its scenarios."""
    text = "# Auth\n\n### Requirement: Login\nIt SHALL ask.\n\n#### Scenario: Right\n- **THEN** it opens in {}\n"
    put(workspace.root, "openspec/specs/auth/spec.md", text.format(1))
    scan(run, "--write")
    asked = run("work", "spec", "evaluate", "auth-spec").stdout.splitlines()
    ids = [line.split()[1] for line in asked if line.strip()[:1] in ("+", "-")]
    put(workspace.root, "answers.yaml", "".join(f"{one}: no\n" for one in ids))
    run("work", "spec", "evaluate", "auth-spec", "--answers", "answers.yaml")
    put(workspace.root, "openspec/specs/auth/spec.md", text.format(2))
    assert "Login changed" in run("work", "spec", "status", "auth-spec").stdout


def test_where_stories_are_is_said(workspace, run):
    put(workspace.root, "docs/stories/1.1.tide.md")
    put(workspace.root, "specs/001-tide/tasks.md")
    said = run("work", "spec", "scan").stdout
    for path in ("docs/stories", "specs/001-tide/tasks.md"):
        assert f"limpet work story import {path}" in said
