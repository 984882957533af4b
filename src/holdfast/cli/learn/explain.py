"""``holdfast learn explain``: an entry, and where its confidence comes from."""

from __future__ import annotations

from collections.abc import Iterator

import click

from holdfast.cli.caller import open_project
from holdfast.cli.output import emit, json_option
from holdfast.learning.observations import ref_of
from holdfast.operations.learning import consolidate as learning


@click.command()
@click.argument("entry", metavar="ID")
@json_option
def explain(entry: str, as_json: bool) -> None:
    """Show an entry and how its confidence came about.

    \b
    Examples:
      holdfast learn explain PR-001
      holdfast learn explain AP-002 --json
    """
    found = learning.explain(open_project(), entry)
    steps = [{**each.evidence.__dict__, "after": each.after, "text": each.text} for each in found.steps]
    entry_data = {name: value for name, value in found.entry.__dict__.items() if name != "evidence"}
    emit({**entry_data, "contested": found.is_contested, "steps": steps}, _lines(found), as_json)


def _lines(found: learning.Explained) -> Iterator[str]:
    entry = found.entry
    state = [entry.kind, entry.status, f"confidence {entry.confidence}", *(["contested"] if found.is_contested else [])]
    yield f"{entry.id}  {', '.join(state)}"
    yield f"  {entry.text}"
    yield from (f"  - {line}" for line in entry.guidance)
    if entry.aliases:
        yield f"  Also known as: {', '.join(entry.aliases)}"
    yield f"{entry.start}  start"
    for step in found.steps:
        piece = step.evidence
        who = f" ({piece.agent})" if piece.agent else ""
        told = f": {step.text}" if step.text else ""
        after = "-" if step.after is None else step.after
        yield f"{after}  {piece.effect} by {ref_of(piece.source, piece.observation)}{who}{told}"
