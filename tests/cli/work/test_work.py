"""``limpet work`` by its door."""

import json

import pytest

from limpet.work.project import read_project

from ...conversation import write


@pytest.mark.parametrize(
    ("arguments", "key", "value", "line"),
    [
        (["start", "greenfield"], "workflow", "greenfield", "workflow: greenfield"),
        (["set", "--task", "Add it"], "task", "Add it", "task: Add it"),
        (
            ["set", "--task", "no", "--id", "S-1", "--executor", "human"],
            "task",
            {"id": "S-1", "title": "no", "executor": "human"},
            "task: no [id S-1, executor human]",
        ),
        (["set", "--id", "S-1"], "task", {"id": "S-1", "title": "Export"}, "task: Export [id S-1]"),
        (["set", "--level", "power_user"], "user_level", "power_user", "user level: power_user"),
        (["set", "--squad", "web"], "squad", "web", "squad: web"),
        (["set", "--mode", "build"], "mode", "build", "pipeline mode: build"),
        (["set", "--mode", "clarity"], "mode", "planning", "pipeline mode: planning"),
    ],
)
def test_each_command_sets_its_key_and_says_so(workspace, run, arguments, key, value, line):
    """One line tells what holds now and where."""
    write(f"{workspace.root}/squads/web/squad.yaml", "name: web\n")
    write(workspace.path("stories", "S-1", "story.md"), "---\nid: S-1\ntitle: Export\n---\n")
    assert run("work", *arguments).stdout.splitlines()[0] == f"{line} (session.yaml)"
    assert read_project(workspace)[0][key] == value


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--task", " "],
        ["--squad", "a", "--clear", "squad"],
        ["--clear", "task", "--id", "S"],
        ["--executor", "human"],
        ["--level", "auto", "--session", "abc"],
        ["--level", "poweruser"],
    ],
)
def test_neither_and_both_are_usage_errors(workspace, run, arguments):
    """A value or --clear, one of them."""
    assert run("work", "set", *arguments).returncode == 2


def test_several_are_set_at_once(workspace, run):
    """A line for each, and one answer for programs."""
    done = run("work", "set", "--task", "Add it", "--mode", "build", "--level", "power_user", "--json")
    assert json.loads(done.stdout)["changed"] == {"mode": "build", "task": "Add it", "user_level": "power_user"}
    session = read_project(workspace)[0]
    assert (session["task"], session["mode"], session["user_level"]) == ("Add it", "build", "power_user")
    assert len(run("work", "set", "--clear", "task", "--clear", "mode").stdout.splitlines()) == 2


def test_start_without_a_name_offers_solo_first(workspace, run):
    """With the size of each, and for whom it is; nothing is begun."""
    lines = run("work", "start").stdout.splitlines()
    assert lines[1].split(maxsplit=2) == ["solo", "5", "One developer, a new product or an existing one"]
    sizes = [" ".join(line.split()[:2]) for line in lines[2:8]]
    small = ["brownfield-discovery 2", "quick-flow 4", "brownfield-ui 7", "brownfield-service 8"]
    assert sizes == [*small, "brownfield 11", "greenfield 11"]
    assert lines[7].endswith("(also greenfield-fullstack)")
    assert json.loads(run("work", "start", "--json").stdout)["workflows"][0]["name"] == "solo"
    assert read_project(workspace) == ({}, [])
    assert run("work", "start", "--name", "Harbour").returncode == 2


def test_a_person_at_a_terminal_is_told_where_it_goes_on(workspace, screen):
    """Not the form that the model fills in; with how it stops."""
    lines = screen(80, "work", "start", "solo")
    assert lines[0].startswith("Started solo: brief > ")
    said = " ".join(lines)
    assert 'Go to your coding agent and say "go on".' in said and "documents only" in said
    assert "limpet work status" in said and "limpet work stop" in said
    assert "You are now" not in said and "[ ]" not in said
    assert screen(80, "work", "start", "solo")[0].startswith("Going on with solo: ")


def test_an_agent_is_told_what_is_due(workspace, run, call):
    """With the form, as a script is."""
    assert "You are now brief" in call("work", "start", "solo", agent="").stdout
