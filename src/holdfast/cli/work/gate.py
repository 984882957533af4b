"""``holdfast work gate``: shows gates, and gives an agent new rounds of correction."""

from __future__ import annotations

import click

from holdfast.cli.caller import obtain_for, open_project, yes_option
from holdfast.cli.completion import complete_agent
from holdfast.cli.groups import Commands
from holdfast.cli.output import emit, json_option
from holdfast.cli.table import table
from holdfast.cli.work.output import tell_move
from holdfast.operations.work.gates import reopen_gate, show_gates


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
    """Show each gate: score, evidence and what is missing.

    Evidence is none, claimed or verified.

    \b
    Examples:
      holdfast work gate show
      holdfast work gate show --json
    """
    gates = show_gates(open_project())
    rows = []
    for agent, one in gates.items():
        score = "-" if one["score"] is None else f"{one['score']:g}%"
        rows.append((agent, score, one["evidence"], "; ".join(one["missing"])))
    emit(gates, table(rows) if rows else ["No gates yet."], as_json)


@gate.command()
@click.argument("agent", shell_complete=complete_agent)
@click.option("--reason", required=True, metavar="TEXT", help="What the user decided.")
@yes_option
@json_option
def reopen(agent: str, reason: str, agreed: bool, as_json: bool) -> None:
    """Reset an agent's correction rounds when used up.

    On a person's word.

    \b
    Examples:
      holdfast work gate reopen dev --reason "the user wants one more try"
    """
    project = open_project()
    tell_move(project, reopen_gate(project, obtain_for(project.workspace, agreed), agent, reason), as_json)
