"""``limpet sync``: a person's own memories on all their machines, through a git repository of theirs; and a team's,
through the server that the project was joined to."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import click

from limpet.cli.caller import obtain_for, surroundings, yes_option
from limpet.cli.output import counted, emit, find_trusted, json_option, require_workspace
from limpet.ground.errors import LimpetError
from limpet.ground.workspace import Workspace
from limpet.operations.approval import Obtain
from limpet.operations.sharing import remote as operations
from limpet.operations.sharing.joined import read_joined, synchronize_team
from limpet.operations.sharing.report import FORGED, GAP, NEWER, STRANGER, SyncReport
from limpet.sharing.sealing import write_key_line

APART = {
    FORGED: "{} not written by a machine of yours: ignored",
    GAP: "{} kept apart: what was written before them is missing",
    NEWER: "{} kept apart: written by a later version of Limpet",
    STRANGER: "{} of other kinds in the store: ignored",
}
SWITCH = click.Choice(["on", "off"])
IN_HISTORY = "The store's history still has what was deleted. To begin it anew, run: limpet sync --rewrite"


@click.command()
@click.option("--git", "remote", metavar="REMOTE", help="The repository to use, of its own: https, ssh or a path.")
@click.option("--plain", is_flag=True, help="Without encryption.")
@click.option("--key", "moves_key", is_flag=True, help="Show the key in a terminal; elsewhere read it from stdin.")
@click.option("--project", type=SWITCH, help="Whether the memories of this project go along.")
@click.option("--background", type=SWITCH, help="Whether to run by itself after a conversation.")
@click.option("--rewrite", is_flag=True, help="Begin the repository's history anew.")
@yes_option
@json_option
def sync(
    remote: str | None,
    plain: bool,
    moves_key: bool,
    project: str | None,
    background: str | None,
    rewrite: bool,
    agreed: bool,
    as_json: bool,
) -> None:
    """Keep your own memories on all your machines.

    They go through a git repository of yours, encrypted with a key that you move once. Without options, what changed is
    sent and received, also what this project shares through your team's server (limpet team join). Sessions, private
    memories, trust and keys never leave.

    \b
    Examples:
      limpet sync --git git@example.com:me/memories.git
      limpet sync --key
      limpet sync
    """
    if plain and not remote:
        raise LimpetError("--plain goes with --git")
    now, obtain = time.time(), obtain_for(None, agreed)
    if moves_key:
        emit(*_move_key(None if _is_alone() else obtain), as_json)
        return
    made, told = "", list[str]()
    workspace = _project_here()
    if project:
        operations.share_project(obtain, require_workspace(), project == "on")
    if background:
        says = "Synchronize by itself after conversations" if background == "on" else "Synchronize when asked only"
        operations.change_agreed(obtain, says, background=background == "on")
    if remote:
        report, made = operations.set_remote(obtain, remote, plain, now)
        told = [f"Key: {made}", "Other machines need it once: limpet sync --key"] if made and _is_alone() else []
    elif rewrite:
        report = operations.rewrite_store(obtain, now)
    elif workspace and read_joined(workspace) and not operations.read_agreed():
        report = None
    else:
        report = operations.synchronize(now)
    team = synchronize_team(workspace, now) if workspace and not (remote or rewrite) else None
    data = _data(report, team)
    if made and _is_alone():
        data["key"] = made
    lines = [*(sync_lines(report) if report else ()), *told]
    emit(data, [*lines, *(f"Team: {line}" for line in (sync_lines(team) if team else ()))], as_json)


def _project_here() -> Workspace | None:
    """None also for one that the user does not trust: their own memories need none."""
    with suppress(LimpetError):
        return find_trusted()
    return None


def _data(report: SyncReport | None, team: SyncReport | None) -> dict[str, Any]:
    known = operations.read_agreed()
    own = report or SyncReport()
    data: dict[str, Any] = {**own.__dict__, "team": team.__dict__ if team else None, "remote": "", "encrypted": False}
    if known:
        data |= {"remote": known.remote, "encrypted": not known.plain, "background": known.background}
        data["projects"] = sorted(known.projects)
    return data


def sync_lines(report: SyncReport) -> Iterator[str]:
    if report.offline:
        yield f"Not sent yet. {report.offline}"
    else:
        yield f"Sent {report.sent}, received {report.received}; {counted(report.changed, 'change')} here."
    if report.beside:
        yield "Changed on two machines, both kept: " + ", ".join(report.beside)
    if report.restored:
        yield f"{counted(report.restored, 'version')} had gone from the store: sent again."
    if report.refused and "refused" not in report.told:
        yield f"Received only. {report.refused}"
    for why, number in report.apart.items() if "apart" not in report.told else ():
        yield APART[why].format(counted(number, "file"))
    yield from report.problems
    if report.in_history:
        yield IN_HISTORY


def _move_key(obtain: Obtain | None) -> tuple[dict[str, Any], list[str]]:
    if not sys.stdin.isatty():
        operations.take_key(obtain, sys.stdin.read(1000))
        return {"key": "kept"}, ["The key is kept. Next: limpet sync --git REMOTE"]
    known = operations.read_sync_key()
    if known is None:
        operations.take_key(obtain, str(click.prompt("Key", hide_input=True, err=True)))
        return {"key": "kept"}, ["The key is kept. Next: limpet sync --git REMOTE"]
    if not _is_alone():
        raise LimpetError("A coding agent would read the key", hint="Run this in a terminal of your own.")
    return {"key": write_key_line(known)}, [write_key_line(known)]


def _is_alone() -> bool:
    """No agent reads what is printed."""
    return not surroundings().host
