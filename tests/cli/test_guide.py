"""`holdfast guide`: prints what an agent works by; the form of a task is a story."""

import json
import os
import re

from holdfast.operations.guides import FOLDERS


def test_the_guides_are_listed(run, workspace):
    lines = run("guide").stdout.splitlines()
    assert lines[0].split() == ["guide", "kind", "file"]
    assert ["prd", "templates", "framework/templates/prd.md"] in [line.split() for line in lines]
    assert {one["folder"] for one in json.loads(run("guide", "--json").stdout)["guides"]} == set(FOLDERS)


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
    assert ".holdfast/templates/prd.md" in done.stderr and "The packaged text is used." in done.stderr


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
