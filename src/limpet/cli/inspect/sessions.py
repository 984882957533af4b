"""``limpet sessions``: the conversations of the project; ``memory sessions`` lists what is searched of past ones."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

import click

from limpet.cli.output import emit, json_option, require_workspace
from limpet.cli.screen import Line
from limpet.cli.table import table
from limpet.ground.timestamps import seconds_of
from limpet.operations.sessions import list_conversations

HEADING = ("id", "seen", "prompts", "compact", "bracket", "state", "title")
# Seconds of a unit of age.
UNITS = ((86_400, "d"), (3600, "h"), (60, "m"))


@click.command()
@click.option("--last", type=click.IntRange(min=1), default=20, show_default=True, help="Maximum number of results.")
@json_option
def sessions(last: int, as_json: bool) -> None:
    """List the conversations of this project.

    Every --session option takes the beginning of an id. What is searched of past conversations: `memory sessions`.

    \b
    Examples:
      limpet sessions
      limpet sessions --json
    """
    found = list_conversations(require_workspace())[:last]
    emit(found, _lines(found), as_json)


def _lines(found: Sequence[dict[str, Any]]) -> Iterator[Line]:
    if not found:
        return iter(["No conversations yet. They appear here once your coding agent runs in this project."])
    now = time.time()
    rows: list[tuple[object, ...]] = [HEADING, *(_row(one, now) for one in found)]
    if len({one["host"] for one in found}) > 1:  # in place of what is of interest in one client's conversations
        clients = ("client", *(str(one["host"]).partition("-")[0] for one in found))
        rows = [(row[0], client, row[1], row[2], *row[5:]) for row, client in zip(rows, clients, strict=True)]
    return table(rows, heading=True, styles=("cyan", "dim"))


def _row(one: dict[str, Any], now: float) -> tuple[object, ...]:
    state = "paused" if one["paused"] else one["state"]
    seen = _age(now - seconds_of(one["last_activity"]))
    return one["short"], seen, one["prompts"], one["compactions"], one["bracket"] or "-", state, one["title"] or "-"


def _age(seconds: float) -> str:
    """Return how long ago it was, in its largest whole unit: ``5m ago``."""
    return next((f"{int(seconds // unit)}{name} ago" for unit, name in UNITS if seconds >= unit), "now")
