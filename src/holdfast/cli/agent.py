"""``holdfast agent``: activates, deactivates and lists agents."""

from __future__ import annotations

import os

import click

from holdfast.cli.completion import complete_agent
from holdfast.cli.output import emit, find_trusted, json_option, require_workspace
from holdfast.cli.work.output import session_option, tell_choice
from holdfast.hosts.surroundings import find_surroundings
from holdfast.operations.work import agents as operations


@click.group()
def agent() -> None:
    """Activate, deactivate and list agents.

    \b
    Examples:
      holdfast agent list
      holdfast agent activate qa
    """


@agent.command()
@click.argument("name", metavar="ID", shell_complete=complete_agent)
@session_option
@json_option
def activate(name: str, session_id: str | None, as_json: bool) -> None:
    """Make ID, an agent's id or alias, the active agent.

    \b
    Examples:
      holdfast agent activate dev
      holdfast agent activate @pm --session 5f0c2a
    """
    tell_choice(operations.activate(require_workspace(), name, session_id), as_json)


@agent.command()
@session_option
@json_option
def deactivate(session_id: str | None, as_json: bool) -> None:
    """Leave no agent active.

    \b
    Examples:
      holdfast agent deactivate
      holdfast agent deactivate --session 5f0c2a
    """
    tell_choice(operations.deactivate(require_workspace(), session_id), as_json)


@agent.command("list")
@json_option
def list_agents(as_json: bool) -> None:
    """Show the agents, what each is there for, and which one is active.

    \b
    Examples:
      holdfast agent list
      holdfast agent list --json
    """
    conversation = find_surroundings(os.environ).conversation
    agents = operations.list_agents(find_trusted(), conversation)
    data = [{**one.__dict__, "aliases": list(one.aliases)} for one in agents]
    emit(data, [f"{'*' if one.active else ' '} {one.id:18} {one.mission}" for one in agents], as_json)
