"""Memories in a terminal of 80 columns: short ids that commands take, titles whole, no line too long."""

from ...terminal import COLUMNS

TITLE = "The staging database is reset every night; run the seed script in the morning before you test any payment."


def test_a_list_in_a_terminal_shows_ids_that_commands_take(screen, add, call):
    """And the whole title, over several lines."""
    name = add(TITLE)
    lines = screen(COLUMNS, "memory", "list")
    assert all(len(line) <= COLUMNS for line in lines)
    (row,) = [line for line in lines if line.startswith(name[-8:])]
    column = row.index("The staging")
    assert " ".join(line[column:].strip() for line in lines[lines.index(row) :]).strip() == TITLE
    assert call("memory", "show", row.split()[0]).returncode == 0


def test_a_list_in_a_pipe_is_uncut(add, call):
    """With whole ids, a row each."""
    name = add(TITLE)
    heading, row = call("memory", "list").stdout.splitlines()
    assert row.startswith(name)


def test_whose_a_memory_is_stands_in_words(add, call):
    """Of the project, of one agent, and of the person in all projects."""
    project, own = add(TITLE), add(TITLE, "--agent", "dev", "--private")
    personal = add(TITLE, "--user")
    shown = {key: call("memory", "show", key, "--all").stdout for key in (project, own, personal)}
    assert "every agent of this project, on this machine only\n" in shown[project]
    assert "dev alone\n" in shown[own] and "you, in all projects on this machine\n" in shown[personal]


def test_what_is_written_keeps_the_files_that_it_names(ask):
    """So that a tool call on them brings it."""
    written = ask("write", "decision: Amounts are integers of cents in src/money.py.")
    assert ask("show", written["answers"][0]["id"])["paths"] == ["src/money.py"]
