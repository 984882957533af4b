"""``limpet memory copies|restore|path``: the files of memories, for people: daily copies, and where each lies."""

from __future__ import annotations

import click

from limpet.cli.caller import obtain_for, yes_option
from limpet.cli.memory.view import caller_options, key_argument, user_option
from limpet.cli.output import counted, emit, table
from limpet.memory.model.rights import refuse_agents
from limpet.operations.memory.change import open_by_hand
from limpet.operations.memory.copies import restore_copy, show_copies
from limpet.operations.memory.view import shown_full_path
from limpet.operations.project import Project


@click.command("copies")
@user_option
@caller_options
def show_daily_copies(project: Project, as_json: bool) -> None:
    """List the daily copies of the memories, newest first.

    Limpet keeps one a day, `memory.copies` of them. What was forgotten is in none.

    \b
    Examples:
      limpet memory copies
    """
    refuse_agents(project.caller.reader, "look at the copies")
    found = show_copies(project)
    rows = [(one.day, one.files, len(one.missing)) for one in found]
    lines = table([("day", "files", "missing today"), *rows], heading=True) if rows else ["No daily copy yet."]
    emit([{**one.__dict__, "missing": list(one.missing)} for one in found], lines, as_json)


@click.command("restore")
@click.argument("day", default="", metavar="[DAY]")
@yes_option
@user_option
@caller_options
def restore(project: Project, day: str, agreed: bool, as_json: bool) -> None:
    """Bring back what is missing from a daily copy, the newest unless you name a DAY. Takes a person's word.

    What is there is left as it is, and what was forgotten stays away: `undo` restores that.

    \b
    Examples:
      limpet memory restore
      limpet memory restore 2026-11-21
    """
    found, count = restore_copy(project, day, obtain_for(project.workspace, agreed))
    line = f"Restored {counted(count, 'file')} from the copy of {found.day}."
    emit({"day": found.day, "restored": list(found.missing)}, [line if count else "Nothing is missing."], as_json)


@click.command("path")
@key_argument
@user_option
@caller_options
def print_path(project: Project, key: str, as_json: bool) -> None:
    """Print where the file of a memory lies. Not for agents: `limpet memory show` prints what it says.

    \b
    Examples:
      limpet memory path k7q2m9xa
    """
    path = shown_full_path(project.workspace, open_by_hand(project, key).path)
    emit({"path": path}, [path], as_json)
