"""Plain commands are split without a parser, exactly as the parser's walk would."""

from __future__ import annotations

import shlex

import pytest

from limpet.ground.storage.files import read_shipped
from limpet.guard.shell.builtins import BUILTINS, CARRIERS
from limpet.guard.shell.command import is_plain, listed, split
from limpet.guard.shell.understand import understand
from limpet.guard.shell.walk import ShellWalk

from .commands import HARMLESS

PLAIN = (
    "git status",
    "pytest -q tests/x.py",
    "ls -la 'a b'",
    'grep "x y" file',
    "git commit -m 'a; b'",
    "cat a'b'\"c\"",
)
NOT_PLAIN = (
    *("ls; ls", "ls && ls", "ls | wc", "ls > x", "ls $x", "ls `x`", 'ls "$x"', "ls *.py", "ls a?", "ls {a,b}", "ls &"),
    *("a=b", "a=b ls", "if true", "! ls", "ls \\x", "ls # x", "~/x", "ls 'a", 'ls "a', 'ls "a`b`"', "ls\nls", "x\0"),
    *("", "function f", "time ls", "(ls)", "ls [a]", "ls a'\n'b; ls"),
)


@pytest.mark.parametrize("text", [*PLAIN, *NOT_PLAIN])
def test_a_plain_command_is_split_as_shells_do_and_others_are_left_to_the_parser(text):
    """Quotes without expansions are safe to take away; a reader that guesses would be a way around (decision 42)."""
    assert split(text) == (tuple(shlex.split(text)) if text in PLAIN else None)


def no_parser(text):
    """A parser that must not be asked."""
    raise AssertionError(text)


def test_a_plain_command_asks_no_parser():
    """Most commands cost no second process."""
    understood = understand("git status --short", no_parser)
    assert understood.clear and understood.commands[0].words == ("git", "status", "--short")


def test_no_plain_program_runs_another():
    """What is said to be plain is in no table of programs that run or change something for the ones that follow."""
    table = read_shipped("shell")
    carrying = {
        *(*BUILTINS, *CARRIERS, *listed("shells"), *table["interpreters"]),
        *(*table["runners"], *table["folders"], *table["before"]),
        *(name.split()[0] for name in table["wrappers"]),
    }
    assert not carrying.intersection(listed("plain"))


def test_the_short_way_finds_what_the_walk_finds():
    """For every plain command of the harmless collection."""
    with open(HARMLESS, encoding="utf-8") as file:
        texts = [text for text in file.read().splitlines() if (words := split(text)) and is_plain(words)]
    assert len(texts) > 30
    for text in texts:
        walk = ShellWalk(no_parser)
        walk.text(text)
        assert tuple(walk.commands) == understand(text, no_parser).commands
