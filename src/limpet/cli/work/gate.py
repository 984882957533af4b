"""``limpet work gate``: shows what the gates need, and what they passed on."""

from __future__ import annotations

import click

from limpet.cli.caller import open_project
from limpet.cli.groups import Commands
from limpet.cli.output import emit, json_option
from limpet.cli.table import table
from limpet.operations.work.gate.show import show_gates


@click.group(cls=Commands, invoke_without_command=True)
@click.pass_context
def gate(ctx: click.Context) -> None:
    """Show what the gate of the current step needs.

    `limpet work finish` opens it.

    \b
    Examples:
      limpet work gate
      limpet work gate show --json
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
      limpet work gate show
      limpet work gate show --json
    """
    gates = show_gates(open_project())
    rows = []
    for agent, one in gates.items():
        score = "-" if one["score"] is None else f"{one['score']:g}%"
        rows.append((agent, score, one["evidence"], "; ".join((*one["missing"], *one["stands_on"]))))
    emit(gates, table(rows) if rows else ["No gates yet."], as_json)
