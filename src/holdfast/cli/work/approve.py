"""``holdfast work approve``: asks a person to approve what earlier steps made."""

from __future__ import annotations

import click

from holdfast.cli.caller import obtain_for, open_project, yes_option
from holdfast.cli.output import emit, json_option
from holdfast.operations.work.gates import approve_waiting


@click.command("approve")
@yes_option
@json_option
def approve_command(agreed: bool, as_json: bool) -> None:
    """Approve what earlier steps made, on a person's word.

    `holdfast work finish` of the next step asks for the same. The setting work.approve names the agents.

    \b
    Examples:
      holdfast work approve
    """
    project = open_project()
    moves = approve_waiting(project, obtain_for(project.workspace, agreed))
    lines = [move.message for move in moves] or ["Nothing waits for approval."]
    emit({"approved": [move.data for move in moves]}, lines, as_json)
