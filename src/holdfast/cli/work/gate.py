"""``holdfast work gate``: shows gates and records claims about the current step."""

from __future__ import annotations

import os
import sys

import click

from holdfast.cli.caller import caller_of, obtain_for, yes_option
from holdfast.cli.completion import complete_agent
from holdfast.cli.groups import Commands
from holdfast.cli.output import emit, json_option, require_workspace
from holdfast.cli.table import table
from holdfast.cli.work.output import tell_move
from holdfast.operations.work.gates import claim_step_score, forget_run, reopen_gate, run_for_gate, show_gates
from holdfast.work.pipeline.criteria import share_met

agent_option = click.option(
    "--agent", metavar="ID", shell_complete=complete_agent, help="Fail unless this is the current step's agent."
)


@click.group(cls=Commands, invoke_without_command=True)
@click.pass_context
def gate(ctx: click.Context) -> None:
    """Show what the gate of the current step needs.

    `holdfast work finish` opens it.

    \b
    Examples:
      holdfast work gate
      holdfast work gate run -- pytest -q
      holdfast work gate forget "pytst -q"
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
    gates = show_gates(require_workspace())
    rows = []
    for agent, one in gates.items():
        score = "-" if one["score"] is None else f"{one['score']:g}%"
        rows.append((agent, score, one["evidence"], "; ".join(one["missing"])))
    emit(gates, table(rows) if rows else ["No gates yet."], as_json)


@gate.command()
@click.argument("percent", required=False, type=click.FloatRange(0, 100), metavar="SCORE")
@click.option("--met", type=click.IntRange(0), metavar="N", help="Number of criteria met, instead of SCORE.")
@click.option("--of", "total", type=click.IntRange(1), metavar="N", help="Number of criteria in total.")
@agent_option
@json_option
def score(percent: float | None, met: int | None, total: int | None, agent: str | None, as_json: bool) -> None:
    """Record a claimed score for the current step.

    SCORE is a percentage of the criteria. A claim does not open the gate.

    \b
    Examples:
      holdfast work gate score 97
      holdfast work gate score --met 19 --of 20 --agent brief
    """
    found = _score(percent, met, total)
    workspace = require_workspace()
    tell_move(claim_step_score(workspace, caller_of(workspace), found, agent or "", total), as_json)


@gate.command()
@click.argument("words", nargs=-1, required=True, metavar="-- COMMAND...")
@agent_option
@json_option
def run(words: tuple[str, ...], agent: str | None, as_json: bool) -> None:
    """Run COMMAND and record its result as a claim.

    The exit code and a digest of the output are recorded, and the exit code is passed on. Gates open by the checks in
    `work.checks`, which `holdfast work finish` runs.

    \b
    Examples:
      holdfast work gate run -- pytest -q
      holdfast work gate run --agent dev -- "ruff check . && mypy"
    """
    workspace = require_workspace()
    stream = (sys.stderr if as_json else sys.stdout).buffer
    moved = run_for_gate(
        workspace,
        caller_of(workspace),
        words,
        os.getcwd(),
        lambda chunk: (stream.write(chunk), stream.flush()),
        agent or "",
    )
    tell_move(moved, as_json)
    sys.exit(moved.move.data["exit_code"])


@gate.command()
@click.argument("command", metavar="CHECK")
@json_option
def forget(command: str, as_json: bool) -> None:
    """Remove the recorded runs of a check.

    CHECK is the name of a check or a whole command; only the current step's gate is changed.

    \b
    Examples:
      holdfast work gate forget "pytst -q"
    """
    workspace = require_workspace()
    tell_move(forget_run(workspace, caller_of(workspace), command), as_json)


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
    workspace = require_workspace()
    tell_move(reopen_gate(workspace, caller_of(workspace), obtain_for(workspace, agreed), agent, reason), as_json)


def _score(percent: float | None, met: int | None, total: int | None) -> float:
    if percent is not None and met is None and total is None:
        return percent
    if percent is not None or met is None or total is None or met > total:
        raise click.UsageError("give SCORE, or --met and --of with --met not above --of")
    return share_met(met, total)
