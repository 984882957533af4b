"""Star-commands in a prompt (decision 17)."""

import pytest
from hypothesis import given

from limpet.rules.format.domain import StarCommand, find_commands

from ...strategies import QUICK, prompts, st

KNOWN = {"brief", "plan", "my-cmd", "limpet"}


def names(prompt):
    return [command.name for command in find_commands(prompt, KNOWN)]


@pytest.mark.parametrize(
    "prompt",
    [
        "*brief",
        " *brief",
        "x\n*brief",
        "do it *brief",
        "\t*brief.",
        "*BRIEF",
        "*brief, please",
        "*brief: x",
        "(x) *brief)",
        "\u3000*brief",
    ],
)
def test_a_star_at_the_start_or_after_white_space_commands(prompt):
    """In any case of letters, and with punctuation behind it."""
    assert names(prompt) == ["brief"]


@pytest.mark.parametrize(
    "prompt",
    [
        "**brief**",
        "*brief*",
        "a*brief",
        "x *briefly",
        "* brief",
        "*",
        "**",
        "*args",
        "*9brief",
        "(*brief)",
        "`*brief`",
        "*brief/x",
        "*brief=1",
    ],
)
def test_any_other_star_does_not(prompt):
    """Bold, italic, products, globs, arguments (parity: CARL takes them all)."""
    assert names(prompt) == []


def test_underscores_and_hyphens_are_one():
    """*my_cmd is *my-cmd; CARL reads MY."""
    assert names("*my_cmd *my-cmd") == ["my-cmd"]


def test_the_words_of_the_line_belong_to_the_command():
    """Up to the end of its line."""
    assert find_commands("*plan the  parser\nnot this *brief", KNOWN) == (
        StarCommand("plan", ("the", "parser")),
        StarCommand("brief", ()),
    )


def test_a_repeated_command_counts_once():
    """In the order of first typing."""
    assert names("*plan *brief *plan") == ["plan", "brief"]


@QUICK
@given(prompts, st.sampled_from(sorted(KNOWN)))
def test_any_prompt_is_searched_and_only_known_names_are_found(prompt, name):
    """Nothing raises; a command set behind any text on its own line is found."""
    assert set(names(prompt)) <= KNOWN
    assert name in names(f"{prompt}\n*{name}")
