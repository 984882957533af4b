"""``holdfast memory export|import``: memories carried elsewhere, and taken in."""

from __future__ import annotations

import os
from contextlib import suppress

import click

from holdfast.cli.memory.options import caller_options, open_library, tell_problems, why_option
from holdfast.cli.memory.view import count_memories
from holdfast.cli.output import emit
from holdfast.ground.errors import HoldfastError
from holdfast.memory.files.portable import FORMATS


@click.command()
@click.argument("target", metavar="FILE", type=click.Path())
@click.option("--format", "form", type=click.Choice(FORMATS), help="By the file's ending where not given.")
@click.option("--index", "with_index", is_flag=True, help="With an index.json, in the archive or beside the file.")
@caller_options
def export(target: str, form: str | None, with_index: bool, as_person: bool, as_json: bool) -> None:
    """Write what is current or archived to the new FILE, without secrets: JSON, or the Markdown files in a tar.

    \b
    Examples:
      holdfast memory export memories.json
      holdfast memory export memories.tar --index
    """
    library = open_library(as_person)
    form = form or ("md-tar" if target.endswith(".tar") else "json")
    count = library.export(target, form, with_index)
    with suppress(HoldfastError):  # the index may be out of reach, the files were not
        tell_problems(library.refresh().problems)
    data = {"file": os.path.abspath(target), "format": form, "entries": count}
    emit(data, [f"{count_memories(count)} in {target}"], as_json)


@click.command("import")
@click.argument("source", metavar="FILE", type=click.Path())
@why_option
@caller_options
def import_entries(source: str, why: str, as_person: bool, as_json: bool) -> None:
    """Take in what an export, a Markdown file or a folder of them holds; what is there already stays as it is.

    A person's to do. Exit code 1 if something could not be taken.

    \b
    Examples:
      holdfast memory import memories.json
      holdfast memory import ../old-project/.holdfast/memories
    """
    done = open_library(as_person).import_(source, why)
    data = {
        "added": list(done.added),
        "renamed": [{"from": old, "to": new} for old, new in done.renamed],
        "known": done.known,
        "problems": [problem.__dict__ for problem in done.problems],
    }
    emit(data, [f"{count_memories(len(done.added) + len(done.renamed))} taken in, {done.known} known already"], as_json)
    for old, new in done.renamed:
        click.echo(f"holdfast: {old} is another memory here: it became {new}", err=True)
    for problem in done.problems:
        click.echo(f"holdfast: {problem}", err=True)
    raise SystemExit(1 if done.problems else 0)
