"""The greeting of an agent: eight sections, as much of each as suits session, person and executor."""

import pytest

from limpet.agents.greeting import LEVELS, TOKENS, GreetingScene, ProjectStatus, greet, greet_plainly
from limpet.agents.session_type import EXISTING, NEW, WORKFLOW
from limpet.ground.text.messages import texts_for
from limpet.ground.text.tokens import estimate_tokens
from limpet.ground.text.words import LANGUAGES
from limpet.roles.agent import Agent, AgentCommand, Persona
from limpet.roles.agents import load_agents
from limpet.work.in_force import POWER_USER, VIBECODER
from limpet.work.pipeline.briefing import Next

AGENTS = load_agents("")[0]
DEV = Agent(
    id="dev",
    title="Dev",
    mission="Build it",
    checklist=("Tests pass",),
    commands=(
        AgentCommand("limpet story next", "Show the story", "key"),
        AgentCommand("limpet story start", "Begin a story", "quick"),
        AgentCommand("limpet work deviate", "Report it", "full"),
    ),
    persona=Persona("Forge", "Developer", "Short.", "Dev ready.", "Forge here.", "Forge, the builder.", "Forge, who"),
)
STATUS = ProjectStatus(branch="main", files=("a.py", "b.py"), changed=2, commits=("Add a", "Add b"))


def scene(**changes):
    """A scene in English with something in each section."""
    full = {
        "agent": DEV,
        "texts": texts_for("en"),
        "permission": "ask",
        "status": STATUS,
        "task": "S-1: Export",
        "handoff": ("architect", "Interfaces are settled"),
        "following": Next("S-1, task 2 of 3", "limpet story done"),
        "memories": ("Use UTC", "No mocks"),
    }
    return GreetingScene(**{**full, **changes})


def crowded(agent, level, language):
    """The largest scene that can be: everything there is, and long."""
    many = ProjectStatus("feature/" + "x" * 80, tuple("src/" + "y" * 70 for _ in range(5)), 900, ("z" * 200,) * 2, "wt")
    return scene(
        agent=agent,
        texts=texts_for(language),
        level=level,
        status=many,
        user_level=VIBECODER,
        task="T" * 300,
        handoff=("architect", "h" * 400),
        following=Next("w" * 300, "limpet work finish"),
        memories=("m" * 300,) * 9,
        missing=("git", "memories"),
    )


@pytest.mark.parametrize("agent", AGENTS)
def test_no_greeting_is_larger_than_600_tokens(agent):
    """For every agent, level, language and session, however much there is to say."""
    for level in LEVELS:
        for language in LANGUAGES:
            for session in (NEW, EXISTING, WORKFLOW):
                lines = greet(crowded(AGENTS[agent], level, language).replace(session=session))
                assert estimate_tokens("\n".join(lines)) <= TOKENS


def test_the_minimal_greeting_is_short():
    """A developer's screen: eight lines with everything in them."""
    assert greet(scene(missing=("git",))) == [
        "Dev ready. [ask]",
        "Build it",
        "main, last commit: Add a, 2 changed: a.py, b.py",
        "Handoff from architect: Interfaces are settled",
        "Next: limpet story done (S-1, task 2 of 3)",
        "Memories: Use UTC; No mocks",
        "Commands: limpet story next, limpet story start, limpet work deviate",
        "Not loaded in time: git",
    ]


def test_a_larger_greeting_has_a_person_in_it():
    """The archetypal one says who it is, how it works, and signs."""
    lines = greet(scene(level="archetypal"))
    assert lines[0] == "Forge, the builder. [ask]"
    assert "Developer. Short." in lines and lines[-1] == "-- Forge, who"


@pytest.mark.parametrize(
    ("session", "listed"),
    [(NEW, ["next", "start", "deviate"]), (EXISTING, ["next", "start"]), (WORKFLOW, ["next"])],
)
def test_the_longer_a_session_the_fewer_commands(session, listed):
    """A new one lists all of them, one that goes on the quick ones, a workflow the key ones (C6)."""
    line = next(line for line in greet(scene(session=session)) if line.startswith("Commands: "))
    assert [name.split()[-1] for name in line.removeprefix("Commands: ").split(", ")] == listed


def test_a_session_that_goes_on_says_what_with():
    """Where somebody asked for more than the minimum."""
    assert greet(scene(session=EXISTING, level="named"))[0] == "Forge here. Continuing: S-1: Export. [ask]"
    assert greet(scene(session=EXISTING, level="named", task=""))[0] == "Forge here. Welcome back. [ask]"


def test_executors_are_greeted_as_decided():
    """None for a worker, a checklist for a person, the agent's style for a clone (decision 7)."""
    assert greet(scene(executor="worker")) == []
    assert greet(scene(executor="human", checklist=("CSV is downloaded",)))[1:3] == [
        "Task: S-1: Export",
        "[ ] CSV is downloaded",
    ]
    assert greet(scene(executor="human", task=""))[1] == "[ ] Tests pass"
    assert greet(scene(executor="clone", level="archetypal"))[-1] == "-- Forge, who"
    assert not any("Memories" in line for line in greet(scene(executor="clone")))


def test_a_vibecoder_is_told_what_the_words_mean():
    """The badge, the next command and each command are explained."""
    lines = greet(scene(user_level=VIBECODER, following=Next(command="limpet story next")))
    assert lines[0] == "Dev ready. [ask: asks before each change]"
    assert "Next, run `limpet story next`: Show the story" in lines
    assert "  limpet story start  Begin a story" in lines


def test_a_power_user_is_told_less():
    """No mission, and commands by name only, whatever the level."""
    lines = greet(scene(user_level=POWER_USER, level="named"))
    assert DEV.mission not in lines
    assert "Commands: limpet story next, limpet story start, limpet work deviate" in lines


def test_git_that_did_not_say_is_told():
    """The branch comes from a file; nothing is said to be clean."""
    assert "main, changes unknown: git did not answer" in greet(scene(status=ProjectStatus(branch="main")))


def test_without_texts_something_is_said():
    """Name, mission, the next command, and what is missing."""
    assert greet_plainly(DEV, Next(command="limpet story next"), ("agent", "git")) == [
        "Dev: Build it",
        "Next: limpet story next",
        "Not loaded in time: agent, git",
    ]
