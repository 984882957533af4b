"""``limpet work agent show`` with a project's own agents."""

import os

import pytest

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
    lines = run("work", "agent", "show").stdout.splitlines()
    assert [line.split() for line in lines[-2:]] == [
        ["data-engineer", "Ours", "(.limpet/agents/data-engineer.md)"],
        ["scribe", "Ours", "(.limpet/agents/scribe.md)"],
    ]
    assert ["dev", "Ours", "(.limpet/agents/dev.md)"] in [line.split() for line in lines[:-2]]


def test_sub_agents_of_the_coding_agent_are_offered(own, run):
    """With the command that makes agents of them; those that are agents already are not."""
    for name in ("code-reviewer", "scribe"):
        write(os.path.join(own.root, ".claude", "agents", f"{name}.md"), "---\ndescription: d\n---\n")
    assert run("work", "agent", "show").stdout.splitlines()[-3:] == [
        "",
        "To make agents of these subagents, run:",
        "  limpet work agent new code-reviewer --from .claude/agents/code-reviewer.md",
    ]


def test_a_broken_file_is_told_and_the_packaged_agent_listed(workspace, run):
    """Of one without a packaged agent only the name is known."""
    write(workspace.path("agents", "dev.md"), "---\nmission: [\n---\n")
    write(workspace.path("agents", "scribe.md"), "")
    done = run("work", "agent", "show")
    told = [line.split(": ")[1] for line in done.stderr.splitlines()]
    assert told == [".limpet/agents/dev.md:3", ".limpet/agents/scribe.md"]
    assert "Build what the story says" in done.stdout and done.stdout.splitlines()[-1].split() == ["scribe"]
