"""``limpet import``: shows what another tool's files would become, asks, writes, and takes it back."""

from __future__ import annotations

import os
from collections.abc import Iterator

import click

from limpet.cli.caller import obtain_for, open_project
from limpet.cli.init import dry_run_option, yes_option
from limpet.cli.output import counted, emit, home_as_tilde, json_option, table
from limpet.cli.screen import Line
from limpet.ground.errors import LimpetError
from limpet.ground.text.escaping import clip
from limpet.migration.journal import unfinished
from limpet.operations.migration import KINDS, ImportPlan, import_original, plan_import, roll_back
from limpet.operations.project import Project

# So many things that stay behind, and files, are named, and so many letters of a name.
NAMED, NAME = 20, 60


@click.command("import")
@click.option("--from", "kind", type=click.Choice(KINDS), help="Whose files come.")
@click.option("--rollback", is_flag=True, help="Undo the newest import, also one that was interrupted.")
@dry_run_option
@yes_option
@json_option
def import_original_files(kind: str | None, rollback: bool, dry_run: bool, yes: bool, as_json: bool) -> None:
    """Move another tool's rules, memories and work here.

    Of CARL, SYNAPSE, chati.dev, Shaktra or chat-spec. The originals stay, and what Limpet had holds.

    \b
    Examples:
      limpet import --from carl --dry-run
      limpet import --from synapse
      limpet import --rollback
    """
    if rollback == bool(kind):
        raise LimpetError("Say what to import, or that it is to be undone", hint="Run: limpet import --help")
    project = open_project("import")
    if kind is None:
        _roll_back(project, yes, as_json)
        return
    begun = unfinished(project.workspace)
    if begun and not dry_run:
        obtain_for(project.workspace, yes)(f"Roll back the import from {begun} that was interrupted, and begin again")
        roll_back(project)
    plan, folder = plan_import(project.workspace, kind, project.caller.now), ""
    if not as_json:
        emit(None, _lines(plan), False)
    if plan.changes and not dry_run:
        what = f"Import {counted(sum(bool(item.target) for item in plan.items), 'thing')} from {kind}"
        obtain_for(project.workspace, yes)(f"{what}, into {counted(len(plan.changes), 'file')}")
        folder = import_original(project, plan)
        if not as_json:
            emit(None, [f"Done. Copies: {home_as_tilde(folder)}", "To undo it: limpet import --rollback"], False)
    if as_json:
        emit(_data(plan, folder), (), True)


def _roll_back(project: Project, yes: bool, as_json: bool) -> None:
    obtain_for(project.workspace, yes)("Roll back the newest import")
    done = roll_back(project)
    lines = [f"Rolled back the import from {done.kind}: {counted(len(done.restored), 'file')} as before."]
    if done.edited:
        lines += ["Changed since, and left as they are:", *(f"  {home_as_tilde(path)}" for path in done.edited)]
        lines.append(f"As they were before: {home_as_tilde(os.path.join(done.folder, 'before'))}")
    emit({**done.__dict__}, lines, as_json)
    if done.edited:
        raise click.exceptions.Exit(1)


def _lines(plan: ImportPlan) -> Iterator[Line]:
    if not plan.originals:
        yield f"Nothing of {plan.kind} is here."
        return
    yield f"From {plan.kind}, {counted(len(plan.originals), 'file')}:"
    rows = [("", "come", "stay"), *((what, str(come), str(stay)) for what, (come, stay) in _counts(plan).items())]
    yield from table(rows, indent="  ")
    left = [(item.source, clip(item.name, NAME) if item.name != item.source else "", item.why) for item in plan.items]
    left = [row for row, item in zip(left, plan.items, strict=True) if not item.target]
    files = [("create" if one.before is None else "change", _shown(one.place)) for one in plan.changes]
    for heading, found in (("These stay behind:", left), ("Files:", files)):
        yield from (heading, *table(found[:NAMED], indent="  ")) if found else ()
        yield from (f"  and {len(found) - NAMED} more, which --json names",) if len(found) > NAMED else ()
    if not plan.changes:
        yield "All of it is here already. Nothing to do."


def _shown(place: str) -> str:
    room, _, path = place.partition(":")
    return path if room == "project" else f"{path} ({'yours' if room == 'personal' else 'private'})"


def _counts(plan: ImportPlan) -> dict[str, tuple[int, int]]:
    counts: dict[str, tuple[int, int]] = {}
    for item in plan.items:
        moved, left = counts.get(item.what, (0, 0))
        counts[item.what] = (moved + bool(item.target), left + (not item.target))
    return counts


def _data(plan: ImportPlan, folder: str) -> dict[str, object]:
    return {
        "kind": plan.kind,
        "applied": bool(folder),
        "files": [change.place for change in plan.changes],
        "counts": {what: {"moved": moved, "left": left} for what, (moved, left) in _counts(plan).items()},
        "items": [item.__dict__ for item in plan.items],
        "backup": folder,
    }
