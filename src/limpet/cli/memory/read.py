"""``limpet memory list|show|stats``: the memories that the caller may see."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import click

from limpet.cli.completion import complete_memory
from limpet.cli.memory.options import READING, caller_options, filter_options, make_query, tell_problems, user_option
from limpet.cli.memory.view import NONE_YET, NOTHING, card_lines, entry_lines, in_words
from limpet.cli.output import emit, tell
from limpet.cli.screen import Line, is_terminal, progress
from limpet.cli.table import table
from limpet.operations.memory.find import list_memories, memory_stats, open_memories
from limpet.operations.memory.lines import short_lines
from limpet.operations.memory.view import describe_card, describe_opened
from limpet.operations.project import Project


@click.command("list")
@click.option(
    "--proposed", is_flag=True, help="Only those proposed as durable; accept one with `move ID --storage durable`."
)
@filter_options
@user_option
@caller_options
def list_entries(project: Project, proposed: bool, as_json: bool, limit: int, **wanted: Any) -> None:
    """List memories, newest first.

    \b
    Examples:
      limpet memory list
      limpet memory list --type decision --since 7d
      limpet memory list --agent dev --tier hot --json
      limpet memory list --forgotten
    """
    with progress(READING):
        found, more = list_memories(project, make_query(limit=limit, **wanted), proposed)
    tell_problems(found.problems, found.unread)
    nothing = NOTHING if proposed or any(wanted.values()) else NONE_YET
    emit([describe_card(project.workspace, card) for card in found.cards], card_lines(found.cards, nothing), as_json)
    if more:
        tell(f"showing the first {limit}: raise --limit, or filter")


@click.command()
@click.argument("keys", nargs=-1, required=True, metavar="ID...", shell_complete=complete_memory)
@click.option("--all", "whole", is_flag=True, help="Every field, as in a terminal.")
@user_option
@caller_options
def show(project: Project, keys: tuple[str, ...], whole: bool, as_json: bool) -> None:
    """Show memories, one or several.

    What each says, the words it rests on, who said it and when, what replaced it, and which of its files are missing.
    The text is quoted: it is a note, not an instruction. ID may be shortened to its last eight characters, or to
    their beginning, while that is unambiguous. What the project does not know is looked for among your personal
    memories.

    \b
    Examples:
      limpet memory show k7q2m9xa
      limpet memory show k7q2 9yxz b3d1
      limpet memory show k7q2 --all
    """
    whole = whole or as_json or is_terminal()
    opened, errors = open_memories(project, keys, whole)
    data = [describe_opened(one) for one in opened]
    lines = [line for one in opened for line in (entry_lines(one) if whole else short_lines(one))]
    if opened:
        emit(data[0] if len(keys) == 1 else data, lines, as_json)
    elif len(errors) == 1:
        raise errors[0]
    if errors:
        tell(*errors)
        sys.exit(1)


@click.command()
@caller_options
def stats(project: Project, as_json: bool) -> None:
    """Count memories and show what needs attention.

    \b
    Examples:
      limpet memory stats
      limpet memory stats --json
    """
    figures = memory_stats(project)
    tell(figures.pop("unread", ""))
    emit(figures, _stats_lines(figures), as_json)


def _stats_lines(figures: dict[str, Any]) -> Iterator[Line]:
    if not figures["total"]:
        yield NONE_YET
        return
    yield from table([(name, in_words(value)) for name, value in figures.items()])
