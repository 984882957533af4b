"""``limpet memory export|import``: writes memories to a file, and reads them from one."""

from __future__ import annotations

import os

import click

from limpet.cli.groups import Choice
from limpet.cli.memory.options import caller_options, tell_problems, why_option
from limpet.cli.memory.view import count_memories
from limpet.cli.output import emit, json_fields, tell
from limpet.cli.screen import progress
from limpet.memory.files.portable import FORMATS
from limpet.operations.memory.transfer import export_memories, import_memories
from limpet.operations.project import Project


@click.command()
@click.argument("target", metavar="FILE", type=click.Path())
@click.option("--format", "form", type=Choice(FORMATS), help="Format; by default the file's extension decides.")
@click.option("--index", "with_index", is_flag=True, help="Add an index.json, in the archive or beside the file.")
@caller_options
def export(project: Project, target: str, form: str | None, with_index: bool, as_json: bool) -> None:
    """Export memories to a new file.

    FILE is JSON, or a tar of Markdown files. Current and archived memories are exported, without secrets.

    \b
    Examples:
      limpet memory export memories.json
      limpet memory export memories.tar --index
    """
    with progress("Exporting memories"):
        used, count, problems = export_memories(project, target, form or "", with_index)
    tell_problems(problems)
    data = {"file": os.path.abspath(target), "format": used, "entries": count}
    emit(data, [f"Exported {count_memories(count)} to {target}"], as_json)


@click.command("import")
@click.argument("source", metavar="FILE", type=click.Path())
@why_option
@caller_options
def import_entries(project: Project, source: str, why: str, as_json: bool) -> None:
    """Import memories from a file or folder.

    FILE is an export, a Markdown file or a folder of them. Existing memories are left unchanged. Not for agents.
    Exit code 1 if something could not be imported.

    \b
    Examples:
      limpet memory import memories.json
      limpet memory import ../old-project/.limpet/memories
    """
    with progress("Importing memories"):
        done = import_memories(project, source, why)
    data = {
        "added": done.added,
        "renamed": [{"from": old, "to": new} for old, new in done.renamed],
        "known": done.known,
        "problems": [json_fields(problem) for problem in done.problems],
    }
    new = count_memories(len(done.added) + len(done.renamed))
    emit(data, [f"Imported {new}; {done.known} existed already"], as_json)
    tell(*(f"{old} is the ID of another memory here; imported as {name}" for old, name in done.renamed))
    tell(*map(str, done.problems))
    raise SystemExit(1 if done.problems else 0)
