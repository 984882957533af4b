"""``limpet help``: the everyday commands, all commands, or one command's help."""

from __future__ import annotations

import click

from limpet.cli.completion import complete_guide
from limpet.cli.groups import LIST_ALL
from limpet.cli.output import emit, find_trusted, json_fields, json_option, require_workspace, table, tell
from limpet.ground.errors import LimpetError
from limpet.operations.framework import (
    CONSTITUTION,
    GUIDES,
    KINDS,
    FrameworkItem,
    copy_item,
    framework_items,
    read_framework_item,
)


@click.command("help")
@click.argument("words", nargs=-1, metavar="[COMMAND]...")
@click.option("--all", "everything", is_flag=True, help="List every command.")
@click.pass_context
def help_page(context: click.Context, words: tuple[str, ...], everything: bool) -> None:
    """Show the everyday commands, or the help of one.

    \b
    Examples:
      limpet help
      limpet help --all
      limpet help rules add
    """
    root = context.find_root()
    if words:
        root.command.main([*words, "--help"], prog_name=root.info_name)
    root.meta[LIST_ALL] = everything
    click.echo(root.get_help())


@click.command()
@click.argument("name", required=False, metavar="[NAME]", shell_complete=complete_guide)
@click.option("--copy", is_flag=True, help="Copy it into .limpet/, to be changed there. No file is written over.")
@json_option
def guide(name: str | None, copy: bool, as_json: bool) -> None:
    """Print a form, a gate or a text that agents work by.

    Without NAME, list them. NAME can be a kind: agents, workflows or schemas; `constitution` prints it. A file of the
    project's own, such as .limpet/templates/prd.md, takes the place of the packaged one. Upgrades leave it.

    \b
    Examples:
      limpet guide
      limpet guide prd
      limpet guide task > .limpet/stories/S-1/story.md
      limpet guide agents/dev --copy
    """
    if copy:
        if not name:
            raise LimpetError("Nothing to copy", hint="Say which: limpet guide NAME --copy")
        file = copy_item(require_workspace(), name)
        emit({"file": file}, [f"Created {file}. It is used from now on; edit it."], as_json)
    elif name is None or (name in KINDS and name != CONSTITUTION):
        _list(framework_items(find_trusted(), (name,) if name else GUIDES), as_json)
    else:
        found = read_framework_item(find_trusted(), name)
        emit(json_fields(found), [found.text.rstrip("\n")], as_json)
        tell(found.problem)


def _list(found: list[FrameworkItem], as_json: bool) -> None:
    rows = [(one.path, one.source, one.title) for one in found]
    listed = [json_fields(one.replace(text="")) for one in found]
    emit({"guides": listed}, table([("name", "file", "title"), *rows], heading=True), as_json)
    tell(*(one.problem for one in found))
