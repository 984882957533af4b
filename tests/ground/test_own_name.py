"""The command that agents are told: put into texts where they name one to run, and known again when it did not run."""

import os

import pytest

from limpet.cli import SECTIONS
from limpet.ground.own_name import (
    COMMANDS,
    command_path,
    find_name,
    is_own_name,
    name_not_run,
    note_found,
    path_name,
    shells_path,
    with_name,
)
from limpet.ground.storage.files import write_atomic

PATH = "/state/bin/limpet"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('Run: limpet memory write "decision: ..."', f'Run: {PATH} memory write "decision: ..."'),
        (
            "`limpet work finish -`, then `limpet work story show`",
            f"`{PATH} work finish -`, then `{PATH} work story show`",
        ),
        ('open="limpet rules show NAME"', f'open="{PATH} rules show NAME"'),
        ("limpet status", f"{PATH} status"),
        ("type /limpet exit, *limpet on QA or $limpet resume", None),
        ("the words `exit limpet`, and limpet keeps it", None),
        ("in /opt/limpet/ and /state/bin/limpet status", None),
        ("a shell of limpet workers", None),
        ("limpet: nothing was changed", None),
    ],
)
def test_the_name_is_put_where_a_command_is_named_and_nowhere_else(text, told):
    """Twice changes no more than once."""
    assert with_name(text, PATH) == (told or text)
    assert with_name(with_name(text, PATH), PATH) == (told or text)
    assert with_name(text, "limpet") == text


def test_every_command_is_one():
    commands = set().union(*(each for each in SECTIONS.values()))
    assert commands <= COMMANDS and COMMANDS - commands == set()


@pytest.mark.parametrize(
    "said",
    [
        "Exit code 127\n/bin/bash: line 1: {}: command not found",
        "sh: 1: {}: not found",
        "zsh:1: command not found: {}",
        "bash: {}: Permission denied",
        "bash: line 1: {}: No such file or directory",
        "bash: line 1: {}: cannot execute: required file not found",
        "zsh:1: no such file or directory: {}",
        "The term '{}' is not recognized as a name of a cmdlet",
    ],
)
def test_a_shell_that_could_not_start_the_command_is_understood(said):
    """By the bare name and by the path; another program's failure, or our own words, are none of it."""
    assert name_not_run(said.format("limpet")) == "limpet"
    assert name_not_run(said.format(command_path())) == command_path()
    assert name_not_run(said.format("limpets-cousin")) == ""
    assert name_not_run("limpet: No memory with this ID: a1b2c3d4. Run: limpet memory list") == ""


def test_the_path_is_told_until_the_clients_shells_are_known_to_find_the_name(monkeypatch):
    """For each client and each PATH by itself; without a command beside the launcher there is the name alone."""
    monkeypatch.setenv("PATH", "/usr/bin")
    assert find_name("claude-code") == "limpet"
    write_atomic(command_path(), "")
    assert find_name("claude-code") == path_name()
    note_found("claude-code", True, 1.0)
    assert (find_name("claude-code"), find_name("codex-cli")) == ("limpet", path_name())
    monkeypatch.setenv("PATH", "/opt/other:/usr/bin")
    assert find_name("claude-code") == path_name()


@pytest.mark.parametrize("raw", ["", "[]", '{"claude-code /usr/bin": 1}', '{"claude-code /usr/bin": [1, 1]}'])
def test_what_is_no_record_says_nothing(monkeypatch, raw):
    monkeypatch.setenv("PATH", "/usr/bin")
    write_atomic(command_path(), "")
    write_atomic(shells_path(), raw)
    assert find_name("claude-code") == path_name()


def test_a_path_that_a_shell_would_cut_is_one_word(monkeypatch):
    monkeypatch.setenv("LIMPET_STATE", os.path.abspath("/Users/Anna O'Neil/Application Support/limpet"))
    if os.name == "posix":
        assert path_name() == r"'/Users/Anna O'\''Neil/Application Support/limpet/bin/limpet'"


def test_only_the_name_and_the_very_path_are_ours():
    """A program of that name elsewhere may be anybody's."""
    assert is_own_name("limpet") and is_own_name(command_path())
    assert not any(map(is_own_name, ("/tmp/limpet", "./limpet", "limpets", "")))
