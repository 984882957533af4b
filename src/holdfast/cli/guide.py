"""``holdfast guide``: prints a template, a quality gate or the definition of an engine."""

from __future__ import annotations

import click

from holdfast.cli.output import emit, find_trusted, json_fields, json_option
from holdfast.cli.table import table
from holdfast.operations.framework import GUIDES, list_items, read_item


@click.command()
@click.argument("name", required=False, metavar="[NAME]")
@json_option
def guide(name: str | None, as_json: bool) -> None:
    """Print a template, a quality gate or a definition.

    Without NAME, list them. The project's own file, such as .holdfast/templates/prd.md, takes the place of the
    packaged one.

    \b
    Examples:
      holdfast guide
      holdfast guide prd
      holdfast guide task > .holdfast/stories/S-1/story.md
    """
    workspace = find_trusted()
    if name is None:
        found = list_items(workspace, GUIDES)
        rows = [(one.name, one.kind, one.source) for one in found]
        listed = [json_fields(one.replace(text="")) for one in found]
        emit({"guides": listed}, [*table([("guide", "kind", "file"), *rows], heading=True)], as_json)
    else:
        found = [read_item(workspace, name, GUIDES)]
        emit(json_fields(found[0]), found[0].text.splitlines(), as_json)
    for one in found:
        if one.problem:
            click.echo(one.problem, err=True)
