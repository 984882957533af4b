"""``limpet context``: the block that a prompt would carry, and why each piece is in it or not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from limpet.cli.completion import complete_agent
from limpet.cli.groups import Choice
from limpet.cli.output import emit, json_option, require_workspace
from limpet.cli.screen import Line
from limpet.cli.table import table
from limpet.context.brackets import NAMES
from limpet.engine.explain.explanation import explain_domains
from limpet.engine.explain.preview import preview
from limpet.ground.clock import Clock
from limpet.operations.block import describe_block

NOTHING = "(no block: nothing new to send)"
SOURCES = {
    "host": "the host's status line",
    "payload": "the host's payload",
    "transcript": "the transcript",
    "start": "the conversation's start",
    "estimate": "an estimate from the number of prompts",
    "assumed": "--bracket",
}


@click.command()
@click.argument("prompt", default="")
@click.option("--bracket", type=Choice(NAMES, case_sensitive=False), help="Assume this much context window is left.")
@click.option("--agent", metavar="ID", shell_complete=complete_agent, help="Assume this agent is active.")
@click.option(
    "--session", "session_id", metavar="ID", help="Show only what is new for the next prompt of this conversation."
)
@click.option("--start", "starting", is_flag=True, help="Show the block of a session start, before any prompt.")
@click.option("--explain", is_flag=True, help="Explain each piece: in or out, why, and its tokens.")
@json_option
def context(
    prompt: str,
    bracket: str | None,
    agent: str | None,
    session_id: str | None,
    starting: bool,
    explain: bool,
    as_json: bool,
) -> None:
    """Print the context block that PROMPT would get.

    Nothing is sent or recorded.

    \b
    Examples:
      limpet context "add a failing test"
      limpet context "add a failing test" --explain
      limpet context "go on" --agent dev --bracket DEPLETED
      limpet context --start
    """
    if starting and prompt:
        raise click.UsageError("--start and PROMPT cannot be combined")
    seen = preview(
        require_workspace(),
        prompt,
        bracket=bracket or "",
        agent=agent or "",
        session=session_id or "",
        starting=starting,
        clock=Clock(),
    )
    domains = [one.__dict__ for one in explain_domains(seen)]
    data = {**describe_block(seen.request, seen.result), "domains": domains}
    emit(data, [seen.result.block or NOTHING, *(_explain(data) if explain else ())], as_json)


def _explain(data: dict[str, Any]) -> Iterator[Line]:
    yield ""
    rows = [
        (one["layer"], one["name"], one["tokens"], one["state"], "" if one["state"] == "in" else one["why"])
        for one in data["pieces"]
    ]
    silent = [(layer, "-", 0, "out", why) for layer, why in data["silent"].items()]
    rows = sorted(rows + silent, key=lambda row: row[0])
    yield from table([("layer", "piece", "tokens", "state", "why"), *rows], heading=True)
    yield ""
    yield f"tokens: {data['tokens']} of {data['budget']} ({data['bracket']})"
    yield f"characters: {data['characters']} of {data['character_limit']}"
    yield f"window: {data['remaining']:g}% left, according to {SOURCES.get(data['usage'], data['usage'])}"
    yield from (f"note: {note}" for note in data["notes"])
    yield ""
    yield from table([("fires" if one["fires"] else "-", one["name"], one["why"]) for one in data["domains"]])
