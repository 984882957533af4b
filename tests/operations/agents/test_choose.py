"""The agents, and which one is active."""

import pytest

from holdfast.ground.errors import HoldfastError
from holdfast.operations.agents.choose import activate, deactivate, list_agents
from holdfast.work.project import read_project, update_project
from holdfast.work.session import change_session


def active(workspace, conversation=""):
    return [agent.id for agent in list_agents(workspace, conversation)[0] if agent.active]


def test_outside_a_project_nobody_is_active():
    """The agents are there all the same."""
    agents, _ = list_agents(None)
    assert len(agents) == 13 and not any(agent.active for agent in agents)


def test_an_agent_is_activated_by_its_alias(workspace):
    """What is kept is the id."""
    activate(workspace, "@qa")
    assert active(workspace) == ["qa-implementation"]
    deactivate(workspace)
    assert active(workspace) == []


def test_the_active_one_is_the_one_in_force_for_the_conversation(workspace, conversation):
    """An alias by hand counts as what it stands for there (decision 34)."""
    update_project(workspace, {"current_agent": "analyst"})
    change_session(workspace, conversation, {"workflow": "brownfield"})
    assert (active(workspace), active(workspace, conversation)) == (["greenfield-wu"], ["brownfield-wu"])


def test_an_alias_follows_the_conversations_workflow(workspace, conversation):
    """Not the project's, where the conversation has its own."""
    change_session(workspace, conversation, {"workflow": "brownfield"})
    assert activate(workspace, "analyst", conversation).changes == {"current_agent": "brownfield-wu"}
    assert activate(workspace, "analyst").changes == {"current_agent": "greenfield-wu"}


def test_an_unknown_agent_is_answered_with_the_nearest(workspace):
    """Nothing is written."""
    with pytest.raises(HoldfastError, match="Unknown agent: devv. Did you mean dev"):
        activate(workspace, "devv")
    assert read_project(workspace)[0] == {}
