"""``limpet help``: the everyday commands, all commands, or one command's help."""

from __future__ import annotations

import click

from limpet.cli.groups import LIST_ALL


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
