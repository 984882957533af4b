"""``holdfast framework``: lists and prints what is packaged, and copies it into the project to be changed there."""

from __future__ import annotations

import click

from holdfast.cli.completion import complete_framework
from holdfast.cli.groups import Choice, Commands
from holdfast.cli.output import emit, find_trusted, json_fields, json_option, require_workspace
from holdfast.cli.table import table
from holdfast.operations.framework import KINDS, copy_item, list_items, read_item


@click.group(cls=Commands)
def framework() -> None:
    """Read what is packaged, and make it yours.

    Agents, forms, workflows, quality gates, definitions, schemas and the constitution. A file of the project, such as
    .holdfast/templates/prd.md, takes the place of the packaged one; an upgrade leaves it alone.

    \b
    Examples:
      holdfast framework list
      holdfast framework copy templates/prd
    """


@framework.command("list")
@click.argument("kind", required=False, type=Choice(tuple(KINDS)))
@json_option
def list_all(kind: str | None, as_json: bool) -> None:
    """List what there is, and which files of the project take a packaged one's place.

    \b
    Examples:
      holdfast framework list
      holdfast framework list templates
    """
    found = list_items(find_trusted(), (kind,) if kind else tuple(KINDS))
    rows = [(one.path, one.source, one.title) for one in found]
    listed = [json_fields(one.replace(text="")) for one in found]
    emit({"items": listed}, table([("name", "file", "title"), *rows], heading=True), as_json)
    for one in found:
        _warn(one.problem)


@framework.command()
@click.argument("name", shell_complete=complete_framework)
@json_option
def show(name: str, as_json: bool) -> None:
    """Print a text: the project's own where it has one, else the packaged one.

    \b
    Examples:
      holdfast framework show templates/prd
      holdfast framework show constitution
    """
    found = read_item(find_trusted(), name)
    emit(json_fields(found), found.text.splitlines(), as_json)
    _warn(found.problem)


@framework.command()
@click.argument("name", shell_complete=complete_framework)
@json_option
def copy(name: str, as_json: bool) -> None:
    """Copy a packaged text into the project, to be changed there; a file is never written over.

    \b
    Examples:
      holdfast framework copy templates/prd
      holdfast framework copy agents/dev
    """
    file = copy_item(require_workspace(), name)
    emit({"file": file}, [f"Created {file}. It is used from now on; edit it."], as_json)


def _warn(problem: str) -> None:
    if problem:
        click.echo(f"holdfast: {problem}", err=True)
