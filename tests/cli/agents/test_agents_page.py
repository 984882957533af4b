"""docs/agents.md: every command on the page prints what the page shows, and the file on it is an agent's."""

import re
import shlex
from pathlib import Path

from limpet.roles.agents import parse_agent

from ..test_tour_page import commands, is_shown

PAGE = Path(__file__).parents[3] / "docs" / "agents.md"


def test_every_command_of_the_page_does_what_it_shows(call):
    """One after the other, in one project."""
    call("init", "--yes")
    found = commands(PAGE)
    assert len(found) >= 7
    for command, shown in found:
        done = call(*shlex.split(command)[1:])
        assert is_shown(done.stdout + done.stderr, "\n".join(shown)), f"$ {command}\n{done.stdout}{done.stderr}"


def test_the_file_on_the_page_is_an_agents():
    """Without a mistake."""
    text = re.search(r"```yaml\n(---\n.*?---\n)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[1]
    agent, mistakes = parse_agent(text, "marketing-lead", "docs/agents.md")
    assert (agent.mission, mistakes) == ("Plan and write campaigns", [])
    assert (len(agent.checklist), len(agent.authority)) == (1, 1)
