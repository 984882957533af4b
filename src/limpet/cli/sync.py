"""``limpet sync``: a person's own memories on all their machines, through a git repository of theirs."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import Any

import click

from limpet.cli.caller import obtain_for, surroundings, yes_option
from limpet.cli.output import counted, emit, json_option, require_workspace
from limpet.ground.errors import LimpetError
from limpet.operations.approval import Obtain
from limpet.operations.sharing import remote as operations
from limpet.operations.sharing.sync import FORGED, GAP, NEWER, STRANGER, SyncReport
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
    sent and received. Sessions, private memories, trust and keys never leave.

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
    else:
        report = operations.synchronize(now)
    known = operations.read_agreed()
    data: dict[str, Any] = {**report.__dict__, "remote": known.remote if known else "", "encrypted": not plain}
    if known:
        data |= {"encrypted": not known.plain, "background": known.background, "projects": sorted(known.projects)}
    if made and _is_alone():
        data["key"] = made
    emit(data, [*_lines(report), *told], as_json)


def _lines(report: SyncReport) -> Iterator[str]:
    if report.offline:
        yield f"Not sent yet. {report.offline}"
    else:
        yield f"Sent {report.sent}, received {report.received}; {counted(report.changed, 'change')} here."
    if report.beside:
        yield "Changed on two machines, both kept: " + ", ".join(report.beside)
    if report.restored:
        yield f"{counted(report.restored, 'version')} had gone from the store: sent again."
    for why, number in report.apart.items():
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
