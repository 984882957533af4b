"""``limpet memory restore``: the daily copies of the memories."""

from __future__ import annotations

import click

from limpet.cli.caller import obtain_for, yes_option
from limpet.cli.memory.view import caller_options, user_option
from limpet.cli.output import counted, emit
from limpet.memory.files.copies import list_copies
from limpet.operations.memory.copies import restore_copy
from limpet.operations.project import Project


@click.command("restore")
@click.argument("day", default="", metavar="[DAY]")
@click.option("--list", "only_list", is_flag=True, help="List the days that have a copy, and restore nothing.")
@yes_option
@user_option
@caller_options
def restore(project: Project, day: str, only_list: bool, agreed: bool, as_json: bool) -> None:
    """Bring back what is missing from a daily copy.

    Limpet keeps one a day, `memory.copies` of them; without a DAY it is the newest one. What is there is left as it is,
    and what was forgotten stays away: `undo` restores that. Not for agents.

    \b
    Examples:
      limpet memory restore
      limpet memory restore --list
      limpet memory restore 2026-11-21
    """
    if only_list:
        days = list_copies(project.workspace.shared)[::-1]
        emit(days, days or ["No daily copy yet."], as_json)
        return
    day, memories, heard = restore_copy(project, day, obtain_for(project.workspace, agreed))
    line = f"Restored {counted(memories, 'memory')} and {counted(heard, 'file')} of what was heard, of {day}."
    data = {"day": day, "memories": memories, "candidates": heard}
    emit(data, [line if memories or heard else "Nothing is missing."], as_json)
