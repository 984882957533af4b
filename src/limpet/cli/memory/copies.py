"""``limpet memory restore --list|restore|path``: the files of memories, for people: daily copies, and where each lies."""

from __future__ import annotations

import click

from limpet.cli.caller import obtain_for, yes_option
from limpet.cli.memory.view import caller_options, count_memories, key_argument, user_option
from limpet.cli.output import counted, emit
from limpet.memory.files.copies import list_copies
from limpet.operations.memory.change import open_by_hand
from limpet.operations.memory.copies import restore_copy
from limpet.operations.memory.view import shown_full_path
from limpet.operations.project import Project


@click.command("copies")
@user_option
@caller_options
def show_daily_copies(project: Project, as_json: bool) -> None:
    """List the days that have a copy of the memories.

    Limpet keeps one a day, `memory.copies` of them. What was forgotten is in none.

    \b
    Examples:
      limpet memory restore --list
    """
    days = list_copies(project.workspace.shared)[::-1]
    emit(days, days or ["No daily copy yet."], as_json)


@click.command("restore")
@click.argument("day", default="", metavar="[DAY]")
@yes_option
@user_option
@caller_options
def restore(project: Project, day: str, agreed: bool, as_json: bool) -> None:
    """Bring back what is missing from a daily copy.

    Without a DAY it is the newest one. What is there is left as it is, and what was forgotten stays away: `undo`
    restores that. Not for agents.

    \b
    Examples:
      limpet memory restore
      limpet memory restore 2026-11-21
    """
    day, memories, heard = restore_copy(project, day, obtain_for(project.workspace, agreed))
    line = f"Restored {count_memories(memories)} and {counted(heard, 'file')} of what was heard, of {day}."
    data = {"day": day, "memories": memories, "candidates": heard}
    emit(data, [line if memories or heard else "Nothing is missing."], as_json)


@click.command("path")
@key_argument
@user_option
@caller_options
def print_path(project: Project, key: str, as_json: bool) -> None:
    """Print where the file of a memory lies.

    Not for agents: `limpet memory show` prints what it says.

    \b
    Examples:
      limpet memory show --path k7q2m9xa
    """
    path = shown_full_path(project.workspace, open_by_hand(project, key).path)
    emit({"path": path}, [path], as_json)
