"""``holdfast work``: what is being worked on."""

from __future__ import annotations

import click

from holdfast.cli.completion import complete_squad
from holdfast.cli.output import json_option, require_workspace
from holdfast.cli.state import change_state, clear_option, required, session_option


@click.group()
def work() -> None:
    """Say which workflow, task, squad and mode the work is in.

    \b
    Examples:
      holdfast work start greenfield
      holdfast work task "Add the export" --id S-12
      holdfast work mode build
    """


@work.command()
@click.argument("workflow", required=False)
@clear_option
@session_option
@json_option
def start(workflow: str | None, clear: bool, session_id: str | None, as_json: bool) -> None:
    """Start WORKFLOW.

    \b
    Examples:
      holdfast work start greenfield
      holdfast work start --clear
    """
    change_state(require_workspace(), "workflow", required(workflow, clear, "WORKFLOW"), session_id, as_json)


@work.command()
@click.argument("text", required=False)
@click.option("--id", "task_id", help="The story or task it belongs to.")
@click.option("--executor", type=click.Choice(["agent", "worker", "human", "clone"]), help="Who does it.")
@clear_option
@session_option
@json_option
def task(
    text: str | None, task_id: str | None, executor: str | None, clear: bool, session_id: str | None, as_json: bool
) -> None:
    """Make TEXT the task under way.

    \b
    Examples:
      holdfast work task "Add the export"
      holdfast work task "Add the export" --id S-12 --executor agent
      holdfast work task --clear
    """
    title = required(text, clear, "TEXT")
    details = {"id": task_id, "title": title, "executor": executor}
    full = {key: value for key, value in details.items() if value}
    if clear and full:
        raise click.UsageError("--clear takes neither --id nor --executor")
    change_state(require_workspace(), "task", full if len(full) > 1 else title, session_id, as_json)


@work.command()
@click.argument("name", required=False, shell_complete=complete_squad)
@clear_option
@session_option
@json_option
def squad(name: str | None, clear: bool, session_id: str | None, as_json: bool) -> None:
    """Make NAME the active squad.

    \b
    Examples:
      holdfast work squad backend
      holdfast work squad backend --session 5f0c2a
      holdfast work squad --clear
    """
    change_state(require_workspace(), "squad", required(name, clear, "NAME"), session_id, as_json)


@work.command()
@click.argument("name", metavar="planning|build|deploy", required=False)
@clear_option
@session_option
@json_option
def mode(name: str | None, clear: bool, session_id: str | None, as_json: bool) -> None:
    """Set the pipeline mode (clarity is planning).

    \b
    Examples:
      holdfast work mode build
      holdfast work mode planning --session 5f0c2a
    """
    change_state(require_workspace(), "mode", required(name, clear, "a mode"), session_id, as_json)
