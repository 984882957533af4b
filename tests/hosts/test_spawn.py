"""Who may start a fresh conversation, and from which one."""

import pytest

from limpet.ground.errors import LimpetError
from limpet.ground.event import Surroundings
from limpet.hosts.spawn import spawn_session
from limpet.work.session import change_session

from ..conftest import write_settings

NOW = 1_795_262_400.0
PERSON, AGENT = Surroundings(), Surroundings("claude-code", "abc")


@pytest.mark.parametrize("allowed", [True, False])
def test_an_agent_needs_the_users_leave(workspace, conversation, allowed):
    """It costs money and acts without a person (decision 8); to plan is free."""
    if allowed:
        write_settings(workspace, "recovery: {spawn: 'on'}\n")
    error = "Program not found" if allowed else "An agent cannot start a conversation"
    with pytest.raises(LimpetError, match=error):
        spawn_session(workspace, AGENT, {"PATH": ""}, NOW)


def test_an_agent_starts_no_second_one(workspace, conversation):
    """Two would do the same work; how to join the first is told."""
    write_settings(workspace, "recovery: {spawn: 'on'}\n")
    change_session(workspace, conversation, {"spawned": {"session": "xyz", "join": "claude --resume xyz"}})
    with pytest.raises(LimpetError, match="was already continued.*Join it: claude --resume xyz"):
        spawn_session(workspace, AGENT, {}, NOW)


def test_a_plan_starts_nothing(workspace, conversation):
    """From the conversation that is named; a host without a command of its own gets none."""
    change_session(workspace, conversation, {"host": "cursor"})
    planned, process = spawn_session(workspace, PERSON, {}, NOW, conversation, only_plan=True)
    assert (planned.parent, planned.command, process) == (conversation, (), None)
    assert planned.path == "limpet resume --full abc"
