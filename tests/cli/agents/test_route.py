"""``holdfast agent route`` by its door."""

import json
import os

import pytest


def test_small_work_is_just_done(workspace, run):
    """Agent and words are said, and no command."""
    assert run("agent", "route", "deploy this to staging").stdout.splitlines() == [
        "agent: devops",
        "ceremony: none",
        "because of: deploy, staging",
        "Just do it: no workflow is needed.",
    ]


def test_large_work_names_the_command_that_begins_it(workspace, run):
    """The workflow it names can be started."""
    said = run("agent", "route", "migrate the whole backend to NestJS, all routes, auth and jobs, in phases").stdout
    started = said.splitlines()[-1].removeprefix("Run: holdfast ").split()
    assert started[:2] == ["work", "start"]
    assert run(*started).returncode == 0


@pytest.mark.parametrize(("begun", "ceremony"), [(True, "deviation"), (False, "none")])
def test_only_work_under_way_can_be_left(workspace, run, begun, ceremony):
    """A deviation is one where the project has a workflow."""
    if begun:
        run("work", "start", "greenfield")
    found = json.loads(run("agent", "route", "skip the ux step, we go straight to implementation", "--json").stdout)
    assert found["ceremony"] == ceremony


def test_nothing_changes(workspace, run):
    """Asking is free, and needs no project."""
    before = sorted(os.listdir(workspace.home))
    done = run("agent", "route", "thanks", "--json")
    assert (json.loads(done.stdout)["agent"], sorted(os.listdir(workspace.home))) == ("", before)
