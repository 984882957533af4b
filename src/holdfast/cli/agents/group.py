"""``holdfast agent``: activates, deactivates and lists agents, and routes requests to them."""

from __future__ import annotations

import os

import click

from holdfast.cli.agents.route import route_command
from holdfast.cli.completion import complete_agent
from holdfast.cli.groups import Choice, Commands
from holdfast.cli.output import emit, find_trusted, json_option, require_workspace
from holdfast.cli.table import table
from holdfast.cli.work.output import session_option
from holdfast.hosts.surroundings import find_surroundings
from holdfast.operations.agents import choose as operations
from holdfast.quick import GREETINGS, Words, answer


@click.group(cls=Commands)
def agent() -> None:
    """Choose the active agent.

    \b
    Examples:
      holdfast agent list
      holdfast agent activate qa
    """


@agent.command()
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


@agent.command()
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


@agent.command("list")
@json_option
def list_agents(as_json: bool) -> None:
    """List the agents and mark the active one.

    \b
    Examples:
      holdfast agent list
      holdfast agent list --json
    """
    conversation = find_surroundings(os.environ).conversation
    agents, problems = operations.list_agents(find_trusted(), conversation)
    data = [{**one.__dict__, "aliases": list(one.aliases)} for one in agents]
    emit(
        data,
        table([("*" if one.active else "", one.id, one.mission) for one in agents], styles=("green", "bold")),
        as_json,
    )


agent.add_command(route_command)
