"""``holdfast work backlog``: what is to be done later."""

from __future__ import annotations

import time
from typing import Any

import click

from holdfast.cli.completion import complete_agent
from holdfast.cli.output import emit, json_option, require_workspace
from holdfast.cli.table import table
from holdfast.cli.work.pipeline import known_agent, move
from holdfast.ground.formats.markdown import one_line
from holdfast.ground.safety.dotenv import without_secrets
from holdfast.work.archive import read_archive
from holdfast.work.pipeline.backlog import OPEN, PRIORITIES, STATUSES, add_item, backlog_items, change_item
from holdfast.work.project import read_project

for_option = click.option("--for", "target", metavar="AGENT", shell_complete=complete_agent, help="Who is to do it.")
notes_option = click.option("--notes", metavar="TEXT", help="Whatever helps to do it.")


@click.group(invoke_without_command=True)
@click.pass_context
def backlog(ctx: click.Context) -> None:
    """Keep what comes up and is to be done later.

    \b
    Examples:
      holdfast work backlog
      holdfast work backlog add "Rate limit for the export" --priority high
      holdfast work backlog done BL-001
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_items)


@backlog.command()
@click.argument("title")
@click.option("--priority", type=click.Choice(PRIORITIES), default="medium", show_default=True, help="How urgent.")
@for_option
@notes_option
@json_option
def add(title: str, priority: str, target: str | None, notes: str | None, as_json: bool) -> None:
    """Add TITLE under an id of its own.

    \b
    Examples:
      holdfast work backlog add "Rate limit for the export"
      holdfast work backlog add "Contrast of the menu" --priority low --for ux
    """
    workspace = require_workspace()
    now = time.time()
    agent = known_agent(workspace, target) if target else ""
    words, more = without_secrets(workspace, title), without_secrets(workspace, notes or "")
    move(workspace, lambda session: add_item(session, words, now, priority, agent, more), as_json)


@backlog.command("list")
@click.option("--all", "everything", is_flag=True, help="Also what is done, archived or deferred.")
@json_option
def list_items(everything: bool = False, as_json: bool = False) -> None:
    """List what is open, the most urgent first.

    \b
    Examples:
      holdfast work backlog list
      holdfast work backlog list --all --json
    """
    workspace = require_workspace()
    session, _ = read_project(workspace)
    items = backlog_items(session, STATUSES if everything else OPEN)
    if everything:
        known = {item["id"] for item in items}
        items += [item for item in read_archive(workspace, "backlog") if item.get("id") not in known]
    rows = [
        (item.get("id", "-"), item.get("priority", "medium"), item.get("status", "pending"), _plain(item))
        for item in items
    ]
    emit(items, table(rows) if rows else ["nothing is open"], as_json)


@backlog.command("set")
@click.argument("name", metavar="ID")
@click.option("--title", metavar="TEXT", help="What it is.")
@click.option("--priority", type=click.Choice(PRIORITIES), help="How urgent.")
@click.option("--status", type=click.Choice(STATUSES), help="How far it is.")
@for_option
@notes_option
@json_option
def set_item(name: str, target: str | None, as_json: bool, **given: str | None) -> None:
    """Change the item ID.

    \b
    Examples:
      holdfast work backlog set BL-001 --status in_progress
      holdfast work backlog set BL-001 --priority high --for dev
    """
    workspace = require_workspace()
    agent = known_agent(workspace, target) if target else None
    told = {key: without_secrets(workspace, value) for key, value in given.items() if value is not None}
    fields = told if agent is None else {**told, "target_agent": agent}
    if not fields:
        raise click.UsageError("say what to change")
    _change(name, fields, as_json)


@backlog.command()
@click.argument("name", metavar="ID")
@json_option
def done(name: str, as_json: bool) -> None:
    """Mark the item ID as done.

    \b
    Examples:
      holdfast work backlog done BL-001
    """
    _change(name, {"status": "done"}, as_json)


def _plain(item: dict[str, Any]) -> str:
    return one_line(str(item.get("title", "")))


def _change(name: str, fields: dict[str, Any], as_json: bool) -> None:
    move(require_workspace(), lambda session: change_item(session, name, **fields), as_json)
