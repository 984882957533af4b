"""A played command is the command that an installation starts."""

import os

import pytest

from limpet.cli import limpet

from .commands import run_command, spawn_command


@pytest.mark.parametrize(
    "words",
    [*((name, "--help") for name in limpet.places), ("status", "--json"), ("nothing",), ("memory", "show", "x"), ()],
)
def test_it_says_and_returns_the_same(workspace, words):
    """Each command with an interpreter of its own too: no import that it needs is left to another's."""
    spawned, played = (run(words, workspace.root, os.environ) for run in (spawn_command, run_command))
    answers = [(done.returncode, done.stdout, done.stderr) for done in (spawned, played)]
    assert answers[0] == answers[1]
    assert any(answers[0][1:])


def test_it_reads_what_it_is_given_and_leaves_the_tests_process_alone(workspace):
    """Environment, folder and streams are its own."""
    folder = os.getcwd()
    given = "A memory from stdin, ação.\n"
    kept = run_command(("memory", "add", "-"), workspace.root, {**os.environ, "PLAYED": "yes"}, given)
    shown = spawn_command(("memory", "show", kept.stdout.strip()), workspace.root, os.environ)
    assert "A memory from stdin, ação." in shown.stdout
    assert (os.getcwd(), "PLAYED" in os.environ) == (folder, False)
