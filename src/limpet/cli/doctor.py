"""``limpet doctor``: shows what is right and wrong with the installation, and how to fix it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence

import click

from limpet.cli.output import counted, emit, home_as_tilde, json_fields, json_option, minute, table
from limpet.cli.screen import Line, is_terminal, show_progress, styled
from limpet.ground.git import repository_or_project
from limpet.ground.workspace import find_workspace
from limpet.hosts.base import CAPABILITIES
from limpet.hosts.capabilities import HostState, find_states
from limpet.hosts.checks import FAIL, FIXED, INFO, OK, WARN, Check
from limpet.hosts.doctor import examine, repair
from limpet.hosts.servers import Server, find_servers


@click.command()
@click.option("--fix", is_flag=True, help="Repair what can be repaired without a question.")
@click.option("--all", "everything", is_flag=True, help="Show what is in order too.")
@click.option("--clients", is_flag=True, help="Show the coding agents here instead, what works in each and by what.")
@json_option
def doctor(fix: bool, everything: bool, clients: bool, as_json: bool) -> None:
    """Check the installation and run each hook once. Exit code 1 if a check fails.

    Shown is what is wrong, each with what to do.

    \b
    Examples:
      limpet doctor
      limpet doctor --fix
      limpet doctor --all
      limpet doctor --clients
    """
    cwd = os.getcwd()
    if clients:
        _show_clients(cwd, as_json)
        return
    fixed = [*repair(cwd)] if fix else []
    with show_progress("Running each hook once"):
        checks = [*fixed, *examine(cwd)]
    emit([json_fields(check) for check in checks], _lines(checks, everything), as_json)
    if any(check.status == FAIL for check in checks):
        sys.exit(1)


def _lines(checks: Sequence[Check], everything: bool) -> Iterator[Line]:
    taken = sorted(round(one.seconds * 1000) for one in checks if one.seconds)
    if taken:
        yield f"{counted(len(taken), 'hook')} answer{'' if taken[1:] else 's'} ({taken[0]} to {taken[-1]} ms)"
    shown = [one for one in checks if everything or one.status not in (OK, INFO)]
    yield from _rows(shown)
    if not any(one.status in (WARN, FAIL) for one in checks):
        yield "Nothing is wrong."
    if not everything:
        yield f"All {len(checks)} checks: limpet doctor --all"


def _rows(checks: Sequence[Check]) -> Iterable[Line]:
    if not is_terminal():
        return (f"{one.status:<5} {one.what}" + (f"  -> {one.hint}" if one.hint else "") for one in checks)
    colours = {OK: "green", FIXED: "green", WARN: "yellow", FAIL: "red"}
    rows = []
    for one in checks:
        hint = f"\n-> {one.hint}" if one.hint else ""
        what = (one.what + hint).replace(os.path.expanduser("~") + os.sep, f"~{os.sep}")
        rows.append((styled((one.status, colours.get(one.status, ""))), what))
    return table(rows)


@click.command(hidden=True)
@json_option
def hosts(as_json: bool) -> None:
    """Show the coding agents here, and what works in each.

    By what it works, what is missing and why, from where that is known, and what was never tried.

    \b
    Examples:
      limpet hosts
    """
    _show_clients(os.getcwd(), as_json)


def _show_clients(cwd: str, as_json: bool) -> None:
    workspace = find_workspace(cwd)
    root = workspace.root if workspace else repository_or_project(cwd) or cwd
    found = find_states(root, workspace, os.environ)
    servers = find_servers(root)
    emit([_data(state, servers) for state in found], _screen(found, servers), as_json)


def _data(state: HostState, servers: Sequence[Server]) -> dict[str, object]:
    can, read = {}, []
    for name, hindrance in state.can.items():
        why = hindrance or state.hindrance
        can[name] = {"works": not why, "why": why, "by": state.channels.get(name, "")}
    for server in servers:
        if any(client.name == state.name for client in server.clients):
            read.append(server.path)
    told = {name: value for name, value in state.__dict__.items() if name != "channels"}
    listed = {"hooks": list(state.hooks), "sources": list(state.sources), "untried": list(state.untried)}
    return {**told, **listed, "can": can, "servers": read}


def _screen(states: Sequence[HostState], servers: Sequence[Server]) -> Iterator[Line]:
    for state in states:
        yield f"{state.title}: {_whether_it_runs(state)}"
        yield from table([*_rows_of(state, servers)], indent="  ")


def _whether_it_runs(state: HostState) -> str:
    if state.hindrance:
        return f"does not run here: {state.hindrance}"
    heard = f"last heard {minute(state.heard)}" if state.heard else "not heard yet"
    return f"runs here by {', '.join(map(home_as_tilde, state.hooks))}; {heard}"


def _rows_of(state: HostState, servers: Sequence[Server]) -> Iterator[tuple[str, str]]:
    carried: dict[str, list[str]] = {}
    for name, channel in state.channels.items():
        carried.setdefault(channel, []).append(CAPABILITIES[name])
    for channel, works in carried.items():
        yield "works", f"{', '.join(works)}: by {channel}"
    for server in servers:
        if any(client.name == state.name for client in server.clients):
            yield "works", f"memories and rules when asked for: by MCP, {home_as_tilde(server.path)}"
    for name, why in state.can.items():
        if why:
            yield "missing", f"{CAPABILITIES[name]}: {why}"
    for source in state.sources:
        yield "known from", f"{source['page']} ({source['version']}, {source['date']})"
    if state.tried:
        yield "tried with", state.tried
    for what in state.untried:
        yield "never tried", what
