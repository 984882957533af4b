"""Nothing is accepted in silence: a name that stands for nothing, and a file that cannot be used, is said where it is
typed and in ``limpet work status``."""

import json

import pytest

from limpet.ground.storage.files import read_text
from limpet.work.project import read_project

from ...conversation import write
from ...places import private_path

CONFLICT = "<<<<<<< ours\na: 1\n=======\na: 2\n>>>>>>> theirs\n"


@pytest.fixture
def problems(run):
    def read_problems():
        done = run("work", "status", "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)["problems"]

    return read_problems


@pytest.fixture
def squad(workspace):
    def found(manifest="DB_RECALL=table\n", **files):
        folder = f"{workspace.root}/squads/backend"
        write(f"{folder}/.limpet/rules/manifest", manifest)
        write(f"{folder}/.limpet/rules/db", "DB_RULE_0=x\n")
        for name, text in files.items():
            write(f"{folder}/.limpet/rules/{name}", text)

    return found


def test_a_squad_that_is_not_there_is_refused(workspace, run, squad):
    """With the nearest name, or the way to one; nothing is changed. Any spelling of one that is there will do."""
    assert "A squad is a folder under squads/" in run("work", "set", "--squad", "nope").stderr
    squad()
    done = run("work", "set", "--squad", "backand")
    assert done.returncode == 1 and "Unknown squad: backand (did you mean backend?)" in done.stderr
    assert "squad" not in read_project(workspace)[0]
    assert run("work", "set", "--squad", "Backend").returncode == 0


def test_a_story_that_is_not_there_is_named(run, workspace):
    """With the nearest one, and nothing is changed."""
    write(workspace.path("stories", "S-12", "story.md"), "---\nid: S-12\n---\n")
    done = run("work", "set", "--task", "Add it", "--id", "S-21")
    assert (done.returncode, done.stderr) == (1, "limpet: No story with this ID: S-21. Did you mean S-12?\n")
    assert run("work", "set", "--id", "S-21").returncode == 1
    assert "task" not in read_project(workspace)[0]
    assert run("work", "set", "--task", "Add it", "--id", "S-12").stderr == ""


def test_status_names_an_agent_that_nothing_knows(workspace, problems):
    """Written by hand: with line and nearest name."""
    write(private_path(workspace, "session.yaml"), "mode: build\ncurrent_agent: dve\n")
    assert problems() == ["session.yaml:2: unknown agent dve (did you mean dev?)"]


@pytest.mark.parametrize("known", ["qa", "designer", "tester"])
def test_an_agent_of_ones_own_is_known(workspace, problems, known):
    """An alias, a step of the workflow, one with rules."""
    steps = "name: ours\ndescription: d\nsteps:\n  - {agent: designer, state: build, mode: build}\n"
    write(workspace.path("workflows", "ours.yaml"), f"schema_version: 1\n{steps}")
    write(workspace.path("rules", "manifest"), "AGENT_TESTER_STATE=active\n")
    write(workspace.path("rules", "agent-tester"), "TESTER_RULE_0=t\n")
    write(private_path(workspace, "session.yaml"), f"current_agent: {known}\nworkflow: ours\n")
    assert problems() == []


def test_status_names_a_squad_that_is_not_there(workspace, problems, squad):
    """Written by hand, or renamed since."""
    squad()
    write(private_path(workspace, "session.yaml"), "squad: backand\n")
    assert problems() == ["session.yaml:1: Unknown squad: backand (did you mean backend?)"]


def test_status_names_what_is_wrong_in_a_squad(problems, squad, workspace):
    """Rules that nothing reads, an agent that nothing knows."""
    squad("DB_STATE=maybe\nAGENT_X_AGENT_TRIGGER=dve\n")
    write(f"{workspace.root}/squads/other/.limpet/rules/db", "DB_RULE_0=x\n")
    found = problems()
    assert any(line.startswith("squads/backend/.limpet/rules/manifest:") for line in found)
    assert any("squads/other/.limpet/rules: no manifest" in line for line in found)


@pytest.mark.parametrize("path", ["handoffs/dev.md", "workflows/ours.yaml"])
def test_status_names_a_file_in_conflict(workspace, problems, path):
    """With its line, whoever reads it."""
    write(workspace.path(*path.split("/")), CONFLICT)
    (line,) = problems()
    assert path in line and "merge conflict" in line and ":1" in line


def test_a_session_in_conflict_is_refused_with_its_line(workspace, run):
    """Nothing is written over it."""
    write(private_path(workspace, "session.yaml"), CONFLICT)
    for arguments in (["work", "status"], ["work", "deviate", "off_topic", "x"], ["work", "set", "--task", "x"]):
        done = run(*arguments)
        assert done.returncode == 1 and "session.yaml:1" in done.stderr and "merge conflict" in done.stderr
    assert read_text(private_path(workspace, "session.yaml")) == CONFLICT
