"""Ways around guards that were reported for other tools: each shows its act here, or is not clear."""

from __future__ import annotations

import pytest

from .commands import acts, kinds, opaque

# The nine that one guard took for reading.
NINE = {
    "cat x > /etc/passwd": ("write", "/etc/passwd"),
    "ls; rm -rf /": ("destructive", "rm"),
    "find . -delete": ("destructive", "find"),
    "find . -exec rm {} +": ("write", "\0"),
    "git branch -D topic": ("destructive", "git"),
    "env rm -rf x": ("destructive", "rm"),
    "git log && git push --force": ("push", "git"),
    "gh api -X DELETE repos/o/r": ("remote-api", "gh"),
    "printf x > a.py": ("write", "a.py"),
}


@pytest.mark.parametrize("text", NINE)
def test_the_nine_show_their_act(text):
    """A safe beginning, a redirection, a chain, find and env hide nothing (decision 42)."""
    assert NINE[text] in acts(text)


@pytest.mark.parametrize(
    "text",
    ["git -C /elsewhere push origin topic", "cd /elsewhere && git push", "GIT_DIR=/x/.git git push", "rtk git push"],
)
def test_a_push_in_another_form_is_a_push_or_its_program_is_named(text):
    """Options before the word, a changed folder, a variable in front."""
    assert "push" in kinds(text) or opaque(text)
