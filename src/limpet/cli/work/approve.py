"""``limpet work approve``: asks a person to approve what earlier steps made."""

from __future__ import annotations

import click

from limpet.cli.caller import obtain_for, open_project, yes_option
from limpet.cli.output import emit, json_option
from limpet.operations.work.following import what_follows
from limpet.operations.work.gate.facts import seals_of
from limpet.operations.work.gate.show import approve_waiting


@click.command("approve")
@yes_option
@json_option
def approve_command(agreed: bool, as_json: bool) -> None:
    """Approve what earlier steps made, on a person's word.

    `limpet work finish` of the next step asks for the same. The setting work.approve names the agents.

    \b
    Examples:
      limpet work approve
    """
    project = open_project()
    moves = approve_waiting(project, obtain_for(project.workspace, agreed))
    lines = [move.message for move in moves] or ["Nothing waits for approval."]
    following = what_follows(project, seals_of(project.workspace))
    lines += [f"next: {following.words} {following.command}"]
    emit({"approved": [move.data for move in moves], "next": following.command}, lines, as_json)
