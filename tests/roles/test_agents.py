"""The files of agents: a project's own replaces the packaged one."""

import os

from limpet.roles.agent import Agent
from limpet.roles.agents import load_agent, load_agents
from limpet.roles.roster import AGENTS

GOOD = "---\nmission: Ours\n---\n"


def write(workspace, **files):
    folder = workspace.path("agents")
    os.makedirs(folder, exist_ok=True)
    for name, text in files.items():
        with open(os.path.join(folder, name + ".md"), "w", encoding="utf-8") as file:
            file.write(text)
    return folder


def test_without_a_project_there_are_the_packaged_agents():
    """All of them, in the roster's order, without a problem."""
    agents, problems = load_agents("")
    assert (list(agents), problems) == (list(AGENTS), [])


def test_a_projects_file_replaces_the_packaged_one_and_adds_agents(workspace):
    """However its name is spelt; a README is no agent."""
    folder = write(workspace, dev=GOOD, Marketing_Lead=GOOD, README="# Our agents\n\nText.\n")
    agents, problems = load_agents(folder)
    assert (list(agents), problems) == ([*AGENTS, "marketing-lead"], [])
    assert (agents["dev"].mission, agents["dev"].source) == ("Ours", ".limpet/agents/dev.md")
    assert agents["marketing-lead"].source == ".limpet/agents/Marketing_Lead.md"


def test_a_broken_file_is_reported_and_the_packaged_one_used(workspace):
    """Nobody is left without an agent by a typing mistake; of an own agent only the name is known then."""
    agent, problems = load_agent(write(workspace, dev="---\nmission: [\n---\n"), "dev")
    assert agent == load_agent("", "dev")[0]
    assert (problems[0].where, problems[0].note) == (
        ".limpet/agents/dev.md:3",
        ".limpet/agents/dev.md:3 cannot be read, so the packaged agent is used",
    )
    assert str(problems[0]).startswith(".limpet/agents/dev.md:3: Invalid YAML: ")
    agent, [problem] = load_agent(write(workspace, scribe=""), "scribe")
    assert (agent, "so only its name is known" in problem.text) == (Agent("scribe", "Scribe", ""), True)


def test_an_own_agent_is_itself_only(workspace):
    """``data-engineer`` is no second text of the architect (W19); another's broken file is not its business."""
    agents, _ = load_agents(write(workspace, **{"data-engineer": GOOD}))
    assert agents["data-engineer"].mission == "Ours" and agents["architect"].mission != "Ours"
    assert load_agent(write(workspace, scribe="", dev=GOOD), "dev")[1] == []


def test_a_link_out_of_the_project_is_not_followed(workspace, tmp_path):
    """What lies elsewhere is not the project's."""
    (tmp_path / "elsewhere.md").write_text(GOOD, encoding="utf-8")
    folder = write(workspace)
    os.symlink(tmp_path / "elsewhere.md", os.path.join(folder, "dev.md"))
    agent, [problem] = load_agent(folder, "dev")
    assert agent.mission != "Ours" and "dev.md" in problem.where
