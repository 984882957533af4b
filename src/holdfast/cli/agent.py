"""``holdfast agent``: who is at work."""

from __future__ import annotations

import difflib
import os

import click

from holdfast.cli.completion import complete_agent
from holdfast.cli.output import emit, json_option, require_workspace
from holdfast.cli.work.state import change_state, session_option
from holdfast.ground.errors import HoldfastError
from holdfast.ground.workspace import Workspace, find_workspace
from holdfast.roles.roster import ALIASES, ROLES, resolve
from holdfast.work.project import read_project


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
    workspace = require_workspace()
    change_state(workspace, "current_agent", _known(workspace, name), session_id, as_json)


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
    change_state(require_workspace(), "current_agent", None, session_id, as_json)


@agent.command("list")
@json_option
def list_agents(as_json: bool) -> None:
    """Show the agents, what each is there for, and which one is active.

    \b
    Examples:
      holdfast agent list
      holdfast agent list --json
    """
    workspace = find_workspace(os.getcwd())
    active = read_project(workspace)[0].get("current_agent") if workspace else None
    agents = [_describe(name, active) for name in ROLES]
    lines = [f"{'*' if one['active'] else ' '} {one['id']:18} {one['mission']}" for one in agents]
    emit(agents, lines, as_json)


def _known(workspace: Workspace, name: str) -> str:
    workflow = str(read_project(workspace)[0].get("workflow", ""))
    found = resolve(name, brownfield=workflow.startswith("brownfield"))
    if found is None:
        close = difflib.get_close_matches(name.strip("@ ").lower(), [*ROLES, *ALIASES], 3)
        advice = f"did you mean {' or '.join(close)}?" if close else "see `holdfast agent list`"
        raise HoldfastError(f"there is no agent {name}", "", advice)
    return found


def _describe(name: str, active: object) -> dict[str, object]:
    title, mission = ROLES[name][:2]
    aliases = [alias for alias, meant in ALIASES.items() if meant == name]
    return {"id": name, "title": title, "mission": mission, "aliases": aliases, "active": name == active}
