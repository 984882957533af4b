"""Commands of Holdfast's own that are a person's word."""

import pytest

from ..scenes import SCENE, answer, scene

DENIED, FINE = ("deny", "person.word"), ("allow", "")


@pytest.mark.parametrize(
    "text",
    [
        "holdfast guard mode auto",
        "cd src && holdfast guard allow 1a2b --reason x",
        "env -u CLAUDECODE script -qc 'holdfast guard mode auto' /dev/null",
        "python -m holdfast trust --yes",
        "/usr/local/bin/holdfast pause",
    ],
)
@pytest.mark.parametrize("where", [SCENE, scene("dev", permission="auto")])
def test_no_agent_speaks_for_a_person(text, where):
    """Not at a terminal that it made either, in no mode, and without an agent in force."""
    assert answer(text, where) == DENIED


@pytest.mark.parametrize(
    "text", ["holdfast guard test 'git push'", "holdfast trust --show", "holdfast work status", "echo holdfast"]
)
def test_the_other_commands_are_the_agents_too(text):
    """They are how it works."""
    assert answer(text) == FINE
