"""The agents that a project knows, and which one is active."""

from limpet.operations.agents.known import listed_agents
from limpet.work.session import change_session

from ...project_session import update_project


def active(workspace, conversation=""):
    return [agent.id for agent in listed_agents(workspace, conversation)[0] if agent.active]


def test_outside_a_project_nobody_is_active():
    """The agents are there all the same."""
    agents, _ = listed_agents(None)
    assert len(agents) == 13 and not any(agent.active for agent in agents)


def test_the_active_one_is_the_one_in_force_for_the_conversation(workspace, conversation):
    """An alias by hand counts as what it stands for there (decision 34)."""
    update_project(workspace, {"current_agent": "analyst"})
    change_session(workspace, conversation, {"workflow": "brownfield"})
    assert (active(workspace), active(workspace, conversation)) == (["greenfield-wu"], ["brownfield-wu"])
