"""``limpet log``: what happened, in the order of time, a line each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from limpet.cli.caller import caller_of
from limpet.cli.output import emit, json_option, require_workspace
from limpet.cli.screen import Line
from limpet.cli.table import table
from limpet.operations.sessions import short_id
from limpet.operations.timeline import Entry, read_timeline


@click.command()
@click.option("--session", metavar="ID", default="", help="Of this conversation only.")
@click.option("--last", type=click.IntRange(min=1), default=30, show_default=True, help="Number of entries.")
@json_option
def log(session: str, last: int, as_json: bool) -> None:
    """Show what was sent, kept and used, newest last.

    \b
    Examples:
      limpet log
      limpet log --session 5f0c2a --last 100
    """
    workspace = require_workspace()
    entries = read_timeline(workspace, caller_of(workspace), last, session)
    emit([entry.__dict__ for entry in entries], _lines(entries, bool(session)), as_json)


def _lines(entries: Sequence[Entry], one: bool) -> Iterator[Line]:
    if not entries:
        return iter(["Nothing has happened here yet."])
    ids = {entry.session for entry in entries}
    rows = [
        (entry.time[:19].replace("T", " "), *(() if one else (short_id(entry.session, ids) or "-",)), entry.text)
        for entry in entries
    ]
    heading = ("time (UTC)", *(() if one else ("session",)), "what")
    return table([heading, *rows], heading=True, styles=("dim",) if one else ("dim", "cyan"))
