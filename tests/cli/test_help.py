"""Every command's help says what it is for and shows examples that the command takes."""

import json
import os
import re
import shlex

import click
import pytest

from limpet.cli import EVERYDAY, SECTIONS, limpet
from limpet.cli.groups import LIST_ALL
from limpet.operations.framework import GUIDES

from ..conversation import write

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
    """The lines of the command's examples."""
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


@pytest.mark.parametrize(("typed", "said"), [("stats", "Did you mean status?"), ("xyzzy", "Run: limpet --help")])
def test_a_mistyped_command_is_told_what_there_is(run, typed, said):
    """The nearest, or where to look."""
    done = run(typed)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == f"Error: No such command '{typed}'. {said}"


def test_a_mistyped_option_is_no_command(run):
    """It is named as what it is."""
    done = run("--versio")
    assert done.returncode == 2
    assert "No such option" in done.stderr


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


def test_a_mistyped_choice_is_told_the_nearest(run):
    """Beside all that there are."""
    done = run("spec", "backlog", "add", "features", "x", "--priority", "hgih")
    assert done.returncode == 2
    assert done.stderr.endswith("Did you mean high?\n")


def test_a_mistyped_command_of_a_group_is_told_the_nearest(run):
    """As on the first level."""
    assert "No such command 'serach'. Did you mean search?" in run("memory", "serach", "x").stderr


def test_the_guides_are_listed(run, workspace):
    lines = run("guide").stdout.splitlines()
    assert lines[0].split() == ["name", "file", "title"]
    assert ["templates/prd", "framework/templates/prd.md"] in [line.split()[:2] for line in lines]
    assert {one["kind"] for one in json.loads(run("guide", "--json").stdout)["guides"]} == set(GUIDES)


@pytest.mark.parametrize("kind, one", [("agents", "dev"), ("workflows", "brownfield-ui"), ("schemas", "agent")])
def test_a_kind_is_listed(run, workspace, kind, one):
    """What people rarely read stands in a list of its own."""
    assert f"{kind}/{one}" in [line.split()[0] for line in run("guide", kind).stdout.splitlines()]


def test_the_constitution_is_printed(run, workspace):
    assert run("guide", "constitution").stdout.startswith("# The Limpet constitution\n")


def test_a_copy_counts_at_once(run, workspace):
    """And no second one is written over it."""
    assert run("guide", "agents/dev", "--copy").stdout.startswith("Created .limpet/agents/dev.md.")
    file = workspace.path("agents", "dev.md")
    with open(file, encoding="utf-8") as read:
        text = read.read()
    with open(file, "w", encoding="utf-8") as write:
        write.write(text.replace("mission: ", "mission: Ours. ", 1))
    assert "Ours." in run("agent", "show", "dev").stdout
    again = run("guide", "agents/dev", "--copy")
    assert (again.returncode, "File exists already" in again.stderr) == (1, True)


@pytest.mark.parametrize("name, said", [("constitution", "Add articles in"), ("schemas/agent", "cannot be replaced")])
def test_what_binds_everybody_is_not_copied(run, workspace, name, said):
    done = run("guide", name, "--copy")
    assert (done.returncode, said in done.stderr) == (1, True)


def test_a_guide_is_printed_and_the_projects_own_comes_first(run, workspace):
    assert run("guide", "planning").stdout.startswith("# Quality gate: planning\n")
    os.makedirs(workspace.path("quality-gates"))
    with open(workspace.path("quality-gates", "planning.md"), "w", encoding="utf-8") as file:
        file.write("# Ours\n")
    assert run("guide", "planning").stdout == "# Ours\n"


def test_a_broken_guide_is_told_on_stderr(run, workspace):
    os.makedirs(workspace.path("templates"))
    with open(workspace.path("templates", "prd.md"), "wb") as file:
        file.write(b"\xff")
    done = run("guide", "prd")
    assert done.stdout.startswith("# Requirements") and done.returncode == 0
    assert ".limpet/templates/prd.md" in done.stderr and "The packaged text is used." in done.stderr


def test_a_broken_agent_is_told_in_the_list_of_agents(run, workspace):
    """With its file; the packaged text is listed in its place."""
    for name in ("dev", "scribe"):
        write(workspace.path("agents", f"{name}.md"), "---\nmission: [\n---\n")
    done = run("guide", "agents")
    rows = {line.split()[0]: line.split()[1] for line in done.stdout.splitlines()}
    assert (rows["agents/dev"], rows["agents/scribe"]) == ("framework/agents/dev.md", ".limpet/agents/scribe.md")
    first, second = done.stderr.splitlines()
    assert first.startswith("limpet: .limpet/agents/dev.md:3: Invalid YAML")
    assert first.endswith(". The packaged text is used.") and "agents/scribe.md:3" in second


def test_the_form_of_a_task_filled_in_is_a_story(run, workspace):
    """Each placeholder replaced by words, it can be checked, started and read back."""
    form = run("guide", "task").stdout
    first = form.replace("{id}", "S-1").replace("{agent, worker, human or clone}", "agent")
    os.makedirs(workspace.path("stories", "S-1"))
    with open(workspace.path("stories", "S-1", "story.md"), "w", encoding="utf-8") as file:
        file.write(re.sub(r"\{[^{}]*\}", "words", first))
    checked = run("story", "check", "S-1")
    assert checked.returncode == 0, checked.stdout
    shown = run("story", "show", "S-1").stdout
    assert "Executor: @dev (agent)" in shown
    assert shown.count("- [ ] Given words, when words, then words") == 2
