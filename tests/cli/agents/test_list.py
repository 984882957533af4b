"""``limpet agent list`` with a project's own agents."""

import json
import os

import pytest

from limpet.ground.trust.giving import revoke_trust

from ...conversation import write

GOOD = "---\nmission: Ours\n---\n"


@pytest.fixture
def own(workspace):
    """One agent of the project's own, one in place of a packaged one, one of an alias's name."""
    for name in ("scribe", "dev", "data-engineer"):
        write(workspace.path("agents", f"{name}.md"), GOOD)
    return workspace


def test_own_agents_come_last_with_their_files(own, run):
    """Those in place of packaged ones stay where they were."""
    lines = run("agent", "list").stdout.splitlines()
    assert [line.split() for line in lines[-2:]] == [
        ["data-engineer", "Ours", "(.limpet/agents/data-engineer.md)"],
        ["scribe", "Ours", "(.limpet/agents/scribe.md)"],
    ]
    assert ["dev", "Ours", "(.limpet/agents/dev.md)"] in [line.split() for line in lines[:-2]]


def test_an_alias_that_is_an_own_agents_name_is_nobodys(own, run):
    """Data engineer and architect are two (seed finding W19)."""
    found = {one["id"]: one for one in json.loads(run("agent", "list", "--json").stdout)}
    assert found["architect"]["aliases"] == [] and found["architect"]["mission"] != "Ours"
    assert found["data-engineer"]["file"] == ".limpet/agents/data-engineer.md"


def test_sub_agents_of_the_coding_agent_are_offered(own, run):
    """With the command that makes agents of them; those that are agents already are not."""
    for name in ("code-reviewer", "scribe"):
        write(os.path.join(own.root, ".claude", "agents", f"{name}.md"), "---\ndescription: d\n---\n")
    assert run("agent", "list").stdout.splitlines()[-3:] == [
        "",
        "To make agents of these subagents, run:",
        "  limpet agent new code-reviewer --from .claude/agents/code-reviewer.md",
    ]


def test_the_offered_command_works(own, run):
    """As it stands."""
    write(os.path.join(own.root, ".claude", "agents", "code-reviewer.md"), "---\ndescription: Reviews\n---\n")
    command = run("agent", "list").stdout.splitlines()[-1].split()
    assert run(*command[1:]).returncode == 0
    assert ["code-reviewer", "Reviews"] in [line.split()[:2] for line in run("agent", "list").stdout.splitlines()]


def test_a_broken_file_is_told_and_the_packaged_agent_listed(workspace, run):
    """Of one without a packaged agent only the name is known."""
    write(workspace.path("agents", "dev.md"), "---\nmission: [\n---\n")
    write(workspace.path("agents", "scribe.md"), "")
    done = run("agent", "list")
    assert [line.split(": ")[1] for line in done.stderr.splitlines()] == [
        ".limpet/agents/dev.md:3",
        ".limpet/agents/scribe.md",
    ]
    assert "Build what the story says" in done.stdout and done.stdout.splitlines()[-1].split() == ["scribe"]


@pytest.mark.parametrize("command", [["list"], ["list", "--json"], ["show", "scribe"], ["show", "dev"]])
def test_of_an_untrusted_project_nothing_is_said(own, run, command):
    """Decision 46: but how to trust it."""
    revoke_trust(own)
    done = run("agent", *command)
    assert (done.returncode, done.stdout, "limpet trust" in done.stderr) == (1, "", True)
