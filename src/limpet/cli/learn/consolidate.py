"""``limpet learn consolidate|explain|undo``: observations into the stores of knowledge, an entry explained, and a run
taken back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click

from limpet.cli.caller import open_project
from limpet.cli.output import emit, json_option, tell
from limpet.cli.screen import show_progress
from limpet.learning.consolidation import EntryChange
from limpet.learning.observations import ref_of
from limpet.operations.learning import consolidate as learning


@click.command("consolidate")
@click.option("--dry-run", is_flag=True, help="Show what would change without changing it.")
@json_option
def consolidate_knowledge(dry_run: bool, as_json: bool) -> None:
    """Update the knowledge with all observations.

    Run twice, it changes nothing the second time. `limpet learn undo` takes the last run back.

    \b
    Examples:
      limpet learn consolidate
      limpet learn consolidate --dry-run
    """
    project = open_project()
    with show_progress("Consolidating observations"):
        outcome = learning.consolidate_project(project, dry_run)
    tell(*outcome.mistakes)
    data = {"dry_run": dry_run, "changes": learning.rows_of(outcome.changes), "mistakes": list(outcome.mistakes)}
    emit(data, told_lines(outcome.changes) if outcome.changes else ["Nothing new to learn."], as_json)


@click.command("undo")
@json_option
def undo_consolidation(as_json: bool) -> None:
    """Take back the last consolidation.

    Refused if the knowledge was changed since. The next consolidation counts the same observations again.

    \b
    Examples:
      limpet learn undo
    """
    changes = learning.undo_run(open_project())
    emit({"undone": learning.rows_of(changes)}, ["Took back:", *(f"  {each}" for each in changes)], as_json)


@click.command("explain")
@click.argument("entry", metavar="ID")
@json_option
def explain_knowledge(entry: str, as_json: bool) -> None:
    """Show an entry and how its confidence came about.

    \b
    Examples:
      limpet learn explain PR-001
      limpet learn explain AP-002 --json
    """
    found = learning.explain_entry(open_project(), entry)
    steps = [{**each.evidence.__dict__, "after": each.after, "text": each.text} for each in found.steps]
    wordings = [each.__dict__ for each in found.wordings]
    told = {**found.entry.__dict__, "evidence": steps, "contested": found.is_contested, "wordings": wordings}
    emit(told, _explanation(found), as_json)


@click.command()
@click.argument("entry", metavar="ID")
@click.argument("text")
@click.option("--guidance", multiple=True, help="What to do, in place of what it says; may be repeated.")
@json_option
def reword(entry: str, text: str, guidance: tuple[str, ...], as_json: bool) -> None:
    """Say an entry in other words.

    For one that unites what several observations said. Its evidence stays; `learn explain` shows the words before.

    \b
    Examples:
      limpet learn reword AP-002 "API routes import concrete repositories instead of taking them as arguments."
    """
    done = learning.reword_entry(open_project(), entry, text, guidance)
    emit(
        done.__dict__ | {"evidence": [each.__dict__ for each in done.evidence]},
        [f"{done.id} says: {done.text}"],
        as_json,
    )


def told_lines(changes: Iterable[EntryChange]) -> Iterator[str]:
    """Yield the changes, and what whoever reads them is asked for."""
    for each in changes:
        yield str(each)
        if each.unites:
            yield f'  It unites several: say it in one sentence: limpet learn reword {each.id} "..."'


def _explanation(found: learning.Explained) -> Iterator[str]:
    entry = found.entry
    state = [entry.kind, entry.status, f"confidence {entry.confidence}", *(["contested"] if found.is_contested else [])]
    yield f"{entry.id}  {', '.join(state)}"
    yield f"  {entry.text}"
    yield from (f"  - {line}" for line in entry.guidance)
    if entry.aliases:
        yield f"  Also known as: {', '.join(entry.aliases)}"
    yield from (f"  Until {each.until[:10]}, reworded by {each.by}: {each.text}" for each in found.wordings)
    yield f"{entry.start}  start"
    for step in found.steps:
        piece = step.evidence
        who = f" ({piece.agent})" if piece.agent else ""
        told = f": {step.text}" if step.text else ""
        after = "-" if step.after is None else step.after
        yield f"{after}  {piece.effect} by {ref_of(piece.source, piece.observation)}{who}{told}"
