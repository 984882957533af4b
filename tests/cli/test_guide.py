"""`limpet guide`: prints what an agent works by; the form of a task is a story."""

import json
import os
import re

import pytest

from limpet.operations.framework import GUIDES

from ..conversation import write


def test_the_guides_are_listed(run, workspace):
    lines = run("guide").stdout.splitlines()
    assert lines[0].split() == ["name", "file", "title"]
    assert ["templates/prd", "framework/templates/prd.md"] in [line.split()[:2] for line in lines]
    assert {one["kind"] for one in json.loads(run("guide", "--json").stdout)["guides"]} == set(GUIDES)


@pytest.mark.parametrize("kind, one", [("agents", "dev"), ("workflows", "brownfield-ui"), ("schemas", "agent")])
def test_a_kind_is_listed(run, workspace, kind, one):
    """What people rarely read stands in a list of its own."""
    assert f"{kind}/{one}" in [line.split()[0] for line in run("guide", kind).stdout.splitlines()]


def test_the_constitution_is_printed(run, workspace):
    assert run("guide", "constitution").stdout.startswith("# The Limpet constitution\n")


def test_a_copy_counts_at_once(run, workspace):
    """And no second one is written over it."""
    assert run("guide", "agents/dev", "--copy").stdout.startswith("Created .limpet/agents/dev.md.")
    file = workspace.path("agents", "dev.md")
    with open(file, encoding="utf-8") as read:
        text = read.read()
    with open(file, "w", encoding="utf-8") as write:
        write.write(text.replace("mission: ", "mission: Ours. ", 1))
    assert "Ours." in run("agent", "show", "dev").stdout
    again = run("guide", "agents/dev", "--copy")
    assert (again.returncode, "File exists already" in again.stderr) == (1, True)


@pytest.mark.parametrize("name, said", [("constitution", "Add articles in"), ("schemas/agent", "cannot be replaced")])
def test_what_binds_everybody_is_not_copied(run, workspace, name, said):
    done = run("guide", name, "--copy")
    assert (done.returncode, said in done.stderr) == (1, True)


def test_a_guide_is_printed_and_the_projects_own_comes_first(run, workspace):
    assert run("guide", "planning").stdout.startswith("# Quality gate: planning\n")
    os.makedirs(workspace.path("quality-gates"))
    with open(workspace.path("quality-gates", "planning.md"), "w", encoding="utf-8") as file:
        file.write("# Ours\n")
    assert run("guide", "planning").stdout == "# Ours\n"


def test_a_broken_guide_is_told_on_stderr(run, workspace):
    os.makedirs(workspace.path("templates"))
    with open(workspace.path("templates", "prd.md"), "wb") as file:
        file.write(b"\xff")
    done = run("guide", "prd")
    assert done.stdout.startswith("# Requirements") and done.returncode == 0
    assert ".limpet/templates/prd.md" in done.stderr and "The packaged text is used." in done.stderr


def test_a_broken_agent_is_told_in_the_list_of_agents(run, workspace):
    """With its file; the packaged text is listed in its place."""
    for name in ("dev", "scribe"):
        write(workspace.path("agents", f"{name}.md"), "---\nmission: [\n---\n")
    done = run("guide", "agents")
    rows = {line.split()[0]: line.split()[1] for line in done.stdout.splitlines()}
    assert (rows["agents/dev"], rows["agents/scribe"]) == ("framework/agents/dev.md", ".limpet/agents/scribe.md")
    first, second = done.stderr.splitlines()
    assert first.startswith("limpet: .limpet/agents/dev.md:3: Invalid YAML")
    assert first.endswith(". The packaged text is used.") and "agents/scribe.md:3" in second


def test_the_form_of_a_task_filled_in_is_a_story(run, workspace):
    """Each placeholder replaced by words, it can be checked, started and read back."""
    form = run("guide", "task").stdout
    first = form.replace("{id}", "S-1").replace("{agent, worker, human or clone}", "agent")
    os.makedirs(workspace.path("stories", "S-1"))
    with open(workspace.path("stories", "S-1", "story.md"), "w", encoding="utf-8") as file:
        file.write(re.sub(r"\{[^{}]*\}", "words", first))
    checked = run("story", "check", "S-1")
    assert checked.returncode == 0, checked.stdout
    shown = run("story", "show", "S-1").stdout
    assert "Executor: @dev (agent)" in shown
    assert shown.count("- [ ] Given words, when words, then words") == 2
