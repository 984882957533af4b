"""``holdfast learn consolidate|undo``: observations into the stores of knowledge, and a run taken back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click

from holdfast.cli.caller import open_project
from holdfast.cli.output import emit, json_option, tell
from holdfast.cli.screen import progress
from holdfast.learning.consolidation import Change
from holdfast.operations.learning import consolidate as learning


@click.command()
@click.option("--dry-run", is_flag=True, help="Show what would change without changing it.")
@json_option
def consolidate(dry_run: bool, as_json: bool) -> None:
    """Update the knowledge with all observations.

    Run twice, it changes nothing the second time. `holdfast learn undo` takes the last run back.

    \b
    Examples:
      holdfast learn consolidate
      holdfast learn consolidate --dry-run
    """
    project = open_project()
    with progress("Consolidating observations"):
        outcome = learning.consolidate(project, dry_run)
    tell(*outcome.mistakes)
    data = {"dry_run": dry_run, "changes": learning.rows_of(outcome.changes), "mistakes": list(outcome.mistakes)}
    emit(data, _lines(outcome.changes) if outcome.changes else ["Nothing new to learn."], as_json)


@click.command()
@json_option
def undo(as_json: bool) -> None:
    """Take back the last consolidation.

    Refused if the knowledge was changed since. The next consolidation counts the same observations again.

    \b
    Examples:
      holdfast learn undo
    """
    changes = learning.undo(open_project())
    emit({"undone": learning.rows_of(changes)}, ["Took back:", *(f"  {line}" for line in _lines(changes))], as_json)


def _lines(changes: Iterable[Change]) -> Iterator[str]:
    for each in changes:
        yield f"{each.id}  {'new' if each.before is None else each.before} -> {each.after}  {each.what}"
