"""What the commands about memories share: the library opened for whoever calls, and how to say which memories."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import click

from holdfast.cli.caller import caller_of
from holdfast.cli.completion import complete_agent, complete_memory, complete_owner, complete_tag
from holdfast.cli.output import json_option, require_workspace
from holdfast.cli.timestamp import end_timestamp, timestamp
from holdfast.ground.clock import Clock
from holdfast.ground.config.settings import load_settings
from holdfast.ground.errors import HoldfastError
from holdfast.ground.workspace import Workspace
from holdfast.hosts.surroundings import find_surroundings
from holdfast.memory.library import Library
from holdfast.memory.model.card import Query
from holdfast.memory.model.entry import SECTORS, STORAGES, TIERS, TYPES
from holdfast.memory.model.layout import ARCHIVE, FORGOTTEN, SHARED
from holdfast.memory.model.problem import Problem
from holdfast.operations.history import newest_conversation
from holdfast.roles.roster import resolve

Command = Callable[..., Any]

key_argument = click.argument("key", metavar="ID", shell_complete=complete_memory)
why_option = click.option("--why", default="", metavar="TEXT", help="The reason, for the audit log.")


def caller_options(command: Command) -> Command:
    """The options of every command about memories: ``--json``, and that a person calls."""
    person = click.option(
        "--as-person", is_flag=True, help="Inside a coding agent: it is I who call. Needs a terminal."
    )
    decorated: Command = json_option(person(command))
    return decorated


def filter_options(command: Command) -> Command:
    """The options that say which memories, for ``make_query``."""
    options = (
        click.option(
            "--agent", metavar="ID", shell_complete=complete_agent, help="As this agent sees it: shared and its own."
        ),
        click.option("--owner", metavar="ID", shell_complete=complete_owner, help="Only shared, or an agent's own."),
        click.option("--type", "kind", type=click.Choice(TYPES), help="Only of this type."),
        click.option("--sector", type=click.Choice(SECTORS), help="Only of this sector."),
        click.option("--tier", type=click.Choice(TIERS), help="Only of this tier."),
        click.option("--tag", metavar="TAG", shell_complete=complete_tag, help="Only with this tag."),
        click.option("--storage", type=click.Choice(STORAGES), help="Only what is kept so long."),
        click.option("--session", metavar="ID", help="Only of this conversation."),
        click.option("--since", type=timestamp, metavar="WHEN", help="Recorded then or later: 2026-11-21, 7d, 12h."),
        click.option("--until", type=end_timestamp, metavar="WHEN", help="Recorded then or before."),
        click.option("--archived", is_flag=True, help="What was archived, in place of what is current."),
        click.option("--forgotten", is_flag=True, help="What was forgotten and can be undone."),
        click.option("--all", "outdated", is_flag=True, help="Also what was superseded or has expired."),
        click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="So many at most."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def make_query(
    agent: str | None = None,
    owner: str | None = None,
    kind: str | None = None,
    since: float | None = None,
    until: float | None = None,
    archived: bool = False,
    forgotten: bool = False,
    outdated: bool = False,
    sector: str | None = None,
    tier: str | None = None,
    tag: str | None = None,
    storage: str | None = None,
    session: str | None = None,
    text: str = "",
    limit: int = 20,
) -> Query:
    """The query of ``filter_options``. Raises click.UsageError where two of them contradict each other."""
    if agent and owner:
        raise click.UsageError("--agent and --owner exclude each other")
    states = [state for state, asked in ((ARCHIVE, archived), (FORGOTTEN, forgotten)) if asked]
    return Query(
        text=text,
        owners=(SHARED, agent_id(agent)) if agent else (agent_id(owner),) if owner else (),
        type=kind or "",
        since=since or 0.0,
        until=until or 0.0,
        valid=not (outdated or states),
        states=tuple(states) or Query.states,
        sector=sector or "",
        tier=tier or "",
        tag=tag or "",
        storage=storage or "",
        session=session or "",
        limit=limit,
    )


def open_library(as_person: bool, workspace: Workspace | None = None) -> Library:
    """The memories as the caller may use them. Raises HoldfastError."""
    workspace = workspace or require_workspace()
    settings, _ = load_settings(workspace)
    caller = caller_of(workspace, as_person)
    return Library(
        workspace.shared,
        settings["memory"],
        settings["retention"],
        caller.reader,
        caller.writer,
        Clock(),
        caller.conversation,
    )


def current_conversation(workspace: Workspace) -> str:
    """The conversation around the caller, else the project's newest. Raises HoldfastError where there is none."""
    newest = newest_conversation(workspace)
    found = find_surroundings(os.environ).conversation or str((newest or {}).get("id") or "")
    if not found:
        raise HoldfastError("there is no conversation to keep it for", "", "keep it with --daily or --durable")
    return found


def agent_id(name: str) -> str:
    """The agent, or ``shared``, that a name or an alias stands for."""
    return resolve(name) or name.strip().lower().lstrip("@")


def from_root(workspace: Workspace, path: str) -> str:
    """A path as typed here, from the project's root and with ``/``; as it is where it leads elsewhere."""
    inside = os.path.relpath(os.path.abspath(path), workspace.root)
    return path if inside.startswith(os.pardir) else inside.replace(os.sep, "/")


def catch_up(library: Library) -> None:
    """The index after a change, which is on the disk already: an index that is busy is no failure of the change."""
    try:
        library.refresh()
    except HoldfastError as error:
        click.echo(f"holdfast: it is kept, and found once the index can be written: {error}", err=True)


def tell_problems(problems: tuple[Problem, ...]) -> None:
    """A line on stderr for what could not be read, so that nothing is passed over in silence but what was forgotten."""
    kept = [problem for problem in problems if not problem.path.startswith(f"{FORGOTTEN}/")]
    if kept:
        click.echo(f"holdfast: {kept[0]}", err=True)
    if len(kept) > 1:
        click.echo(f"holdfast: and {len(kept) - 1} more like it: holdfast memory verify", err=True)
