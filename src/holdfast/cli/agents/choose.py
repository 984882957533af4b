"""``holdfast agent activate|deactivate|list``."""

from __future__ import annotations

import os

import click

from holdfast.cli.caller import surroundings
from holdfast.cli.completion import complete_agent
from holdfast.cli.groups import Choice
from holdfast.cli.output import emit, find_trusted, json_option, require_workspace
from holdfast.cli.table import table
from holdfast.cli.work.output import session_option
from holdfast.hosts.sub_agents import sub_agent_files
from holdfast.operations.agents import choose as operations
from holdfast.quick import GREETINGS, Words, answer


@click.command()
@click.argument("name", metavar="ID", shell_complete=complete_agent)
@session_option
@click.option(
    "--greeting", type=Choice(GREETINGS), help="How much the agent shows of itself; agents.greeting if left out."
)
@click.option("--timings", is_flag=True, help="Print how long each part took to load.")
@json_option
def activate(name: str, session_id: str | None, greeting: str | None, timings: bool, as_json: bool) -> None:
    """Activate an agent by its id or an alias.

    Prints what the agent needs to begin: where the project stands, what comes next, memories, commands.

    \b
    Examples:
      holdfast agent activate dev
      holdfast agent activate @pm --session 5f0c2a
      holdfast agent activate qa --greeting named
    """
    answer(require_workspace(), Words(name, session_id, greeting or "", as_json, timings))


@click.command()
@session_option
@json_option
def deactivate(session_id: str | None, as_json: bool) -> None:
    """Deactivate the active agent.

    \b
    Examples:
      holdfast agent deactivate
      holdfast agent deactivate --session 5f0c2a
    """
    left = operations.deactivate(require_workspace(), session_id)
    emit({"changed": left.chosen.changes, "in": left.chosen.place}, [left.line], as_json)


@click.command("list")
@json_option
def list_agents(as_json: bool) -> None:
    """List the agents and mark the active one.

    The project's own have their file behind them. Subagents of your coding agent are named, so that you can make agents
    of them.

    \b
    Examples:
      holdfast agent list
      holdfast agent list --json
    """
    conversation = surroundings().conversation
    workspace = find_trusted()
    agents, problems = operations.list_agents(workspace, conversation)
    rows = [("*" if one.active else "", one.id, _described(one)) for one in agents]
    importable = sub_agent_files(workspace.root) if workspace else ()
    lines = [*table(rows, styles=("green", "bold")), *_imports(importable)]
    emit([{**one.__dict__, "aliases": list(one.aliases)} for one in agents], lines, as_json)
    for problem in problems:
        click.echo(f"holdfast: {problem}", err=True)


def _described(one: operations.Listed) -> str:
    return f"{one.mission}{one.file and f' ({one.file})'}".strip()


def _imports(files: tuple[str, ...]) -> list[str]:
    """Return a line for each subagent of which an agent can be made."""
    if not files:
        return []
    names = {file: os.path.splitext(os.path.basename(file))[0] for file in files}
    return [
        "",
        "To make agents of these subagents, run:",
        *(f"  holdfast agent new {names[one]} --from {one}" for one in files),
    ]
