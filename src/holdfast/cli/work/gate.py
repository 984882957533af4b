"""``holdfast work gate``: shows what the gates need, and what they passed on."""

from __future__ import annotations

import click

from holdfast.cli.caller import open_project
from holdfast.cli.groups import Commands
from holdfast.cli.output import emit, json_option
from holdfast.cli.table import table
from holdfast.operations.work.gate.show import show_gates


@click.group(cls=Commands, invoke_without_command=True)
@click.pass_context
def gate(ctx: click.Context) -> None:
    """Show what the gate of the current step needs.

    `holdfast work finish` opens it.

    \b
    Examples:
      holdfast work gate
      holdfast work gate show --json
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(show)


@gate.command()
@json_option
def show(as_json: bool) -> None:
    """Show each gate: score, evidence, and what is missing.

    Evidence is none, claimed or verified. Of a passed gate it says what is claimed and what a person approved.

    \b
    Examples:
      holdfast work gate show
      holdfast work gate show --json
    """
    gates = show_gates(open_project())
    rows = []
    for agent, one in gates.items():
        score = "-" if one["score"] is None else f"{one['score']:g}%"
        rows.append((agent, score, one["evidence"], "; ".join((*one["missing"], *one["stands_on"]))))
    emit(gates, table(rows) if rows else ["No gates yet."], as_json)
