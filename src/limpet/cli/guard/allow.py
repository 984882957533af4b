"""``limpet guard allow``: a person lets one act through that the guard stopped."""

from __future__ import annotations

import time

import click

from limpet.cli.caller import obtain_for, yes_option
from limpet.cli.output import emit, json_option, require_workspace
from limpet.operations.guard.allow import allow_once

WRITER = "limpet guard allow"


@click.command()
@click.argument("name", metavar="ID")
@click.option("--reason", required=True, metavar="TEXT", help="Why; it is kept in the guard's log.")
@yes_option
@json_option
def allow(name: str, reason: str, agreed: bool, as_json: bool) -> None:
    """Let an act through once that the guard stopped.

    The very same act, in the same folder of this project, is let through once, within an hour. Then the host's own
    permission mode decides, as ever. On a person's word.

    \b
    Examples:
      limpet guard allow 3f9a12c4 --reason "hotfix, agreed with Ana"
    """
    workspace = require_workspace()
    found = allow_once(workspace, obtain_for(workspace, agreed), name, reason, time.time(), WRITER)
    said = found.act or f"{found.tool} {found.target}".strip()
    emit(
        {"id": found.id, "act": found.act, "tool": found.tool, "target": found.target},
        [f"Allowed once within the next hour: {said}", "Tell the agent to try again."],
        as_json,
    )
