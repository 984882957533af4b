"""docs/agents.md: every command on the page prints what the page shows, and the file on it is an agent's."""

from limpet.roles.agents import parse_agent

from ..pages import check_shown, page_blocks, page_commands


def test_every_command_of_the_page_does_what_it_shows(call):
    """One after the other, in one project."""
    call("init", "--yes")
    commands = page_commands("agents")
    assert len(commands) == 5
    for (_, *words), shown in commands:
        check_shown(call(*words), shown)


def test_the_file_on_the_page_is_an_agents():
    """Without a mistake."""
    (text,) = page_blocks("agents", "yaml")
    agent, mistakes = parse_agent(text, "marketing-lead", "docs/agents.md")
    assert (agent.mission, mistakes) == ("Plan and write campaigns", [])
    assert (len(agent.checklist), len(agent.authority)) == (1, 1)
