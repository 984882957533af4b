"""``limpet work backlog``: lists, adds and changes items to be done later."""

from __future__ import annotations

import click

from limpet.cli.caller import open_project
from limpet.cli.completion import complete_agent
from limpet.cli.groups import Choice, Commands
from limpet.cli.output import emit, json_option
from limpet.cli.table import table
from limpet.cli.work.output import tell_move
from limpet.ground.formats.markdown import one_line
from limpet.operations.work.backlog import add_to_backlog, change_in_backlog, list_backlog
from limpet.work.pipeline.backlog import PRIORITIES, STATUSES

for_option = click.option(
    "--for", "target", metavar="AGENT", shell_complete=complete_agent, help="Agent who should do it."
)
notes_option = click.option("--notes", metavar="TEXT", help="Notes for whoever does it.")


@click.group(cls=Commands, invoke_without_command=True)
@click.pass_context
def backlog(ctx: click.Context) -> None:
    """Keep a list of items for later.

    \b
    Examples:
      limpet work backlog
      limpet work backlog add "Rate limit for the export" --priority high
      limpet work backlog done BL-001
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_items)


@backlog.command()
@click.argument("title")
@click.option("--priority", type=Choice(PRIORITIES), default="medium", show_default=True, help="Urgency.")
@for_option
@notes_option
@json_option
def add(title: str, priority: str, target: str | None, notes: str | None, as_json: bool) -> None:
    """Add an item and print its ID.

    \b
    Examples:
      limpet work backlog add "Rate limit for the export"
      limpet work backlog add "Contrast of the menu" --priority low --for ux
    """
    project = open_project()
    tell_move(project, add_to_backlog(project, title, priority, target or "", notes or ""), as_json)


@backlog.command("list")
@click.option("--all", "everything", is_flag=True, help="Include done, archived and deferred items.")
@json_option
def list_items(everything: bool = False, as_json: bool = False) -> None:
    """List open items, most urgent first.

    \b
    Examples:
      limpet work backlog list
      limpet work backlog list --all --json
    """
    items = list_backlog(open_project(), everything)
    usual = {"id": "-", "priority": "medium", "status": "pending", "title": ""}
    rows = [tuple(one_line(str(item.get(key, usual[key]))) for key in usual) for item in items]
    emit(items, table(rows) if rows else ["No open items."], as_json)


@backlog.command("set")
@click.argument("name", metavar="ID")
@click.option("--title", metavar="TEXT", help="New title.")
@click.option("--priority", type=Choice(PRIORITIES), help="Urgency.")
@click.option("--status", type=Choice(STATUSES), help="New status.")
@for_option
@notes_option
@json_option
def set_item(name: str, target: str | None, as_json: bool, **given: str | None) -> None:
    """Change an item.

    \b
    Examples:
      limpet work backlog set BL-001 --status in_progress
      limpet work backlog set BL-001 --priority high --for dev
    """
    fields = {key: value for key, value in given.items() if value is not None}
    if not fields and not target:
        raise click.UsageError("give at least one option to change")
    _change(name, fields, target or "", as_json)


@backlog.command()
@click.argument("name", metavar="ID")
@json_option
def done(name: str, as_json: bool) -> None:
    """Mark an item as done.

    \b
    Examples:
      limpet work backlog done BL-001
    """
    _change(name, {"status": "done"}, "", as_json)


def _change(name: str, fields: dict[str, str], target: str, as_json: bool) -> None:
    project = open_project()
    tell_move(project, change_in_backlog(project, name, fields, target), as_json)
