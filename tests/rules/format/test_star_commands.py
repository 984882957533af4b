"""Star-commands in a prompt (decision 17)."""

import pytest
from hypothesis import given

from limpet.rules.format.domain import StarCommand, find_commands

from ...strategies import QUICK, prompts, st

KNOWN = {"brief", "plan", "my-cmd", "limpet"}


def names(prompt):
    return [command.name for command in find_commands(prompt, KNOWN)]


@pytest.mark.parametrize(
    ("prompt", "found"),
    [
        *((text, ["brief"]) for text in ("*brief", " *brief", "x\n*brief", "do it *brief", "\t*brief.", "*BRIEF")),
        *((text, ["brief"]) for text in ("*brief, please", "*brief: x", "(x) *brief)", "\u3000*brief")),
        *((text, []) for text in ("**brief**", "*brief*", "a*brief", "x *briefly", "* brief", "*", "**", "*args")),
        *((text, []) for text in ("*9brief", "(*brief)", "`*brief`", "*brief/x", "*brief=1")),
        *(("*my_cmd *my-cmd", ["my-cmd"]), ("*plan *brief *plan", ["plan", "brief"])),
    ],
)
def test_a_star_at_the_start_or_after_white_space_commands(prompt, found):
    """In any case, with punctuation behind it, once each; not bold, products and globs (CARL takes them all)."""
    assert names(prompt) == found


def test_the_words_of_the_line_belong_to_the_command():
    """Up to the end of its line."""
    assert find_commands("*plan the  parser\nnot this *brief", KNOWN) == (
        StarCommand("plan", ("the", "parser")),
        StarCommand("brief", ()),
    )


@QUICK
@given(prompts, st.sampled_from(sorted(KNOWN)))
def test_any_prompt_is_searched_and_only_known_names_are_found(prompt, name):
    """Nothing raises; a command set behind any text on its own line is found."""
    assert set(names(prompt)) <= KNOWN
    assert name in names(f"{prompt}\n*{name}")
