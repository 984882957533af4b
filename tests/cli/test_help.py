"""Every command's help says what it is for and shows examples that the command takes."""

import shlex

import click
import pytest

from holdfast.cli import holdfast


def walk(command, path=("holdfast",)):
    """Every command below this one, groups too, with the words that call it."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            yield from walk(command.get_command(context, name), (*path, name))


COMMANDS = dict(walk(holdfast))


def help_of(path):
    return COMMANDS[path].get_help(click.Context(COMMANDS[path], info_name=" ".join(path), terminal_width=120))


def examples(path):
    """The lines of the command's examples."""
    lines = help_of(path).partition("Examples:\n")[2].partition("\n\n")[0].splitlines()
    return [line.strip() for line in lines]


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_command_has_a_purpose_and_examples_that_call_it(path):
    """The purpose in the first sentence, an example a line."""
    assert COMMANDS[path].get_short_help_str(limit=200)
    found = examples(path)
    assert found, f"{' '.join(path)} --help shows no example: write a line 'Examples:' after \\b in its docstring"
    called = " ".join(path).replace("holdfast work story", "holdfast story")  # the shorter name of the same command
    assert all(line.startswith(called) for line in found)


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_example_is_taken(path):
    """No unknown option, argument or command stands in one."""
    for line in examples(path):
        words = shlex.split(line.replace("COMMAND ", "status ").partition(">")[0])
        command = max((known for known in COMMANDS if tuple(words[: len(known)]) == known), key=len)
        if not set(words) & {"--help", "-h"}:
            COMMANDS[command].make_context(words[0], words[len(command) :], resilient_parsing=False)


def test_help_is_printed_by_the_door(run):
    """With the examples each on a line of its own."""
    lines = run("rules", "add", "--help").stdout.splitlines()
    assert lines[0].startswith("Usage: holdfast rules add")
    assert '    holdfast rules add API --recall "endpoint, route" --rule "Version every endpoint."' in lines


@pytest.mark.parametrize(
    ("typed", "said"), [("stats", "did you mean status?"), ("xyzzy", "`holdfast --help` lists them all.")]
)
def test_a_mistyped_command_is_told_what_there_is(run, typed, said):
    """The nearest, or where to look."""
    done = run(typed)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == f"Error: No such command '{typed}': {said}"


def test_a_mistyped_option_is_no_command(run):
    """It is named as what it is."""
    done = run("--versio")
    assert done.returncode == 2
    assert "No such option" in done.stderr
