"""``*agent`` confirms the agent to the model in a line, and the person is greeted once (decisions 7, 49)."""

from limpet.operations.mirror import refresh_mirror
from limpet.roles.agents import load_agent

from ..conversation import write
from ..places import private_path
from .test_private import message

LEFT = "No agent is active in this conversation."


def activated(host, text="*agent dev", **session):
    """What the person sees and the block confirms once the project's session and the prompt say this."""
    if session:
        write(
            private_path(host.workspace, "session.yaml"),
            "".join(f"{name}: {value}\n" for name, value in session.items()),
        )
        refresh_mirror(host.workspace)
    host.prompt("hello")  # which is told what came with it
    answer = host.prompt(text)
    return message(answer), command_lines(answer)


def command_lines(answer):
    """What the block says of the command."""
    (command,) = answer.block["commands"]
    return command["lines"]


def test_the_model_is_told_in_a_line_and_the_person_is_greeted(host):
    """Who it is and what for; the greeting is the person's alone."""
    mission = load_agent("", "dev")[0].mission
    seen, told = activated(host)
    assert seen == "Dev ready."
    assert told == [f"Agent dev is active in this conversation: {mission}."]


def test_the_greeting_comes_once(host):
    """Not at the next prompts, and not when an agent that is there is asked for again."""
    activated(host)
    assert message(host.prompt("the endpoint")) == ""
    assert activated(host, "*agent @dev")[0].startswith("Agent dev is active")
    assert activated(host, "*agent qa")[0] == load_agent("", "qa-implementation")[0].persona.minimal


def test_an_agent_of_the_projects_own_greets_too(host):
    """By its file alone, with the greeting that it brings."""
    persona = "persona:\n  name: Plum\n  greetings:\n    minimal: Marketing is here.\n"
    write(host.workspace.path("agents", "marketing.md"), f"---\nid: marketing\nmission: Tell it\n{persona}---\n")
    refresh_mirror(host.workspace)
    assert activated(host, "*agent marketing") == (
        "Marketing is here.",
        ["Agent marketing is active in this conversation: Tell it."],
    )


def test_it_leaves_in_a_line(host):
    """To both; the next block speaks of no agent."""
    activated(host)
    assert activated(host, "*agent none") == (LEFT, [LEFT])
    assert host.prompt("*limpet reload").block["agent"] is None
