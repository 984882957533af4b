"""Every command's help says what it is for and shows examples that the command takes."""

import shlex

import click
import pytest

from limpet.cli import EVERYDAY, SECTIONS, limpet
from limpet.cli.groups import LIST_ALL

SETTINGS = limpet.context_settings  # a command keeps the help option that it was first asked for


def walk(command, path=("limpet",)):
    """Every command below this one, groups too, with the words that call it."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command, **SETTINGS)
        for name in command.list_commands(context):
            yield from walk(command.get_command(context, name), (*path, name))


COMMANDS = dict(walk(limpet))


def help_of(path):
    return COMMANDS[path].get_help(
        click.Context(COMMANDS[path], info_name=" ".join(path), terminal_width=120, **SETTINGS)
    )


def examples(path):
    lines = help_of(path).partition("Examples:\n")[2].partition("\n\n")[0].splitlines()
    return [line.strip() for line in lines]


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_command_has_a_purpose_and_examples_that_call_it(path):
    """The purpose in the first sentence, an example a line."""
    assert COMMANDS[path].get_short_help_str(limit=200)
    found = examples(path)
    assert found, f"{' '.join(path)} --help shows no example: write a line 'Examples:' after \\b in its docstring"
    assert all(line.startswith(" ".join(path)) for line in found)


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
    assert lines[0].startswith("Usage: limpet rules add")
    assert '    limpet rules add API --recall "endpoint, route" --rule "Version every endpoint."' in lines


@pytest.mark.parametrize("asked", [(), ("--help",), ("help",)], ids=["nothing", "option", "command"])
def test_the_first_page_has_the_everyday_commands_and_where_the_rest_is(run, asked):
    """A dozen, each on one line of 80 columns."""
    done = run(*asked)
    page = (done.stdout or done.stderr).partition("Every day:\n")[2]
    everyday, _, rest = page.partition("\n\n")
    rows = [line[2:].partition("  ")[0] for line in everyday.splitlines()]
    assert tuple(rows) == EVERYDAY
    assert len(rows) <= 12
    assert rest.split() == ["All", "commands:", "limpet", "help", "--all"]


def test_the_help_of_a_command_is_found_by_its_words(run):
    """As with its option."""
    assert run("help", "rules", "add").stdout == run("rules", "add", "--help").stdout


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("stats", "Error: No such command 'stats'. Did you mean status?"),
        ("xyzzy", "Error: No such command 'xyzzy'. Run: limpet --help"),
        ("memory serach x", "Error: No such command 'serach'. Did you mean search?"),
        ("--versio", "No such option"),
        ("work spec backlog features x --priority hgih", "Did you mean high?"),
    ],
)
def test_what_is_mistyped_is_told_what_there_is(run, typed, said):
    """The nearest, or where to look: for commands, those of a group, options and choices."""
    done = run(*typed.split())
    assert (done.returncode, said in done.stderr.splitlines()[-1]) == (2, True)


def test_the_commands_stand_under_headings(run):
    """None is left over, none is listed twice."""
    listed = [name for names in SECTIONS.values() for name in names]
    assert len(listed) == len(set(listed))
    lines = run("help", "--all").stdout.splitlines()
    assert [line[:-1] for line in lines if line[:1].isalpha() and line.endswith(":")][1:] == list(SECTIONS)


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_the_first_line_of_a_commands_help_is_short(path):
    """A list of commands of 80 columns shows it whole, on one line."""
    if len(path) > 1:
        first = COMMANDS[path].get_short_help_str(1000)
        assert len(first) <= 55
        assert first.endswith(".")
        assert "..." not in first


@pytest.mark.parametrize("path", [path for path, one in COMMANDS.items() if isinstance(one, click.Group)], ids=" ".join)
def test_every_group_lists_its_commands_once(path):
    """Under its headings, whole, at 80 columns; hidden ones are left out."""
    group = COMMANDS[path]
    context = click.Context(group, info_name=" ".join(path), terminal_width=80, **SETTINGS)
    context.meta[LIST_ALL] = True
    rows = [line.strip() for line in group.get_help(context).partition("--help ")[2].splitlines()]
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        shown = [row for row in rows if row.split(" ")[0] == name and command.get_short_help_str(1000) in row]
        assert len(shown) == (0 if command.hidden else 1)
