"""``holdfast work advance``, ``back`` and ``deviate``: moves along the pipeline, and away from it and back."""

from __future__ import annotations

import time

import click

from holdfast.cli.completion import complete_agent
from holdfast.cli.output import json_option, require_workspace
from holdfast.cli.pipeline import actor_of, agent_at, agent_id, known_agent, limits_of, move, workflow_of
from holdfast.ground.redaction import redact
from holdfast.work.journal import make_move
from holdfast.work.pipeline.deviation import GRAVE, KINDS, deviate, resolve_deviation
from holdfast.work.pipeline.gate import set_score
from holdfast.work.pipeline.moves import advance, back, override
from holdfast.work.project import read_project

NEWEST = "newest"
reason_option = click.option("--reason", default="", metavar="TEXT", help="Why; kept in the session and the audit log.")
agent_argument = click.argument("agent", required=False, shell_complete=complete_agent)


@click.command("advance")
@agent_argument
@click.option("--score", type=click.FloatRange(0, 100), metavar="N", help="Record this score, in percent, first.")
@click.option(
    "--override", "past_gate", is_flag=True, help="Pass the gate on a person's explicit word; needs --reason."
)
@click.option("--to", metavar="AGENT", shell_complete=complete_agent, help="With --override: skip to this agent.")
@reason_option
@json_option
def advance_command(
    agent: str | None, score: float | None, past_gate: bool, to: str | None, reason: str, as_json: bool
) -> None:
    """Complete the current step, that of AGENT, and go to the next one, if the gate is open.

    \b
    Examples:
      holdfast work advance
      holdfast work advance brief --score 97
      holdfast work advance --override --to dev --reason "the user wants a prototype first"
    """
    if to and not past_gate:
        raise click.UsageError("--to needs --override")
    workspace = require_workspace()
    limits, now, name = limits_of(workspace), time.time(), agent_at(workspace, agent)
    if score is not None:
        make_move(
            workspace, lambda s: set_score(s, workflow_of(workspace, s), name, score, limits), actor_of(workspace)
        )
    if past_gate:
        goal = agent_id(read_project(workspace)[0], to) if to else ""
        move(workspace, lambda s: override(s, workflow_of(workspace, s), name, now, redact(reason), goal), as_json)
    else:
        move(workspace, lambda s: advance(s, workflow_of(workspace, s), name, now, limits), as_json)


@click.command("back")
@agent_argument
@click.option(
    "--issue", default="", metavar="KIND", help="Go to whoever mends it: spec, architecture, code, test, security."
)
@reason_option
@json_option
def back_command(agent: str | None, issue: str, reason: str, as_json: bool) -> None:
    """Go back to AGENT, or to the agent that mends an issue; all later ones have to validate again.

    \b
    Examples:
      holdfast work back --issue spec --reason "FR-3 contradicts FR-9"
      holdfast work back architect
    """
    if bool(agent) == bool(issue):
        raise click.UsageError("give either AGENT or --issue")
    workspace = require_workspace()
    limits, now = limits_of(workspace), time.time()
    name = agent_id(read_project(workspace)[0], agent) if agent else ""
    kind = issue.strip().lower()
    move(workspace, lambda s: back(s, workflow_of(workspace, s), now, limits, name, kind, redact(reason)), as_json)


@click.command("deviate")
@click.argument("kind", required=False, type=click.Choice(KINDS))
@click.argument("text", required=False)
@click.option("--progress", default="", metavar="TEXT", help="How far the interrupted work is.")
@click.option("--to", metavar="AGENT", shell_complete=complete_agent, help="Who sees to it meanwhile.")
@click.option("--no-impact", is_flag=True, help="What was made stays valid: nothing has to be validated again.")
@click.option("--yes", is_flag=True, help="The user agreed; rollback, skip and restart need it.")
@click.option("--resolve", is_flag=False, flag_value=NEWEST, metavar="[ID]", help="Come back to the interrupted point.")
@json_option
def deviate_command(
    kind: str | None,
    text: str | None,
    progress: str,
    to: str | None,
    no_impact: bool,
    yes: bool,
    resolve: str | None,
    as_json: bool,
) -> None:
    """Leave the pipeline's point for what TEXT says, remembering it; --resolve comes back to it.

    \b
    Examples:
      holdfast work deviate scope_change "export as CSV too" --to detail --progress "2 of 5 screens"
      holdfast work deviate --resolve
    """
    workspace = require_workspace()
    now = time.time()
    if resolve is not None:
        if kind:
            raise click.UsageError("--resolve takes no new deviation")
        name = "" if resolve == NEWEST else resolve.strip().upper()
        move(workspace, lambda s: resolve_deviation(s, now, name), as_json)
        return
    if not kind or not (text or "").strip():
        raise click.UsageError("give KIND and TEXT, or --resolve")
    if kind in GRAVE and not yes:
        click.confirm(f"Does the user agree to a {kind}?", abort=True, err=True)
    session = read_project(workspace)[0]
    workflow = workflow_of(workspace, session) if session.get("workflow") else None
    goal = known_agent(workspace, to) if to else ""
    reason, done = redact(text or ""), redact(progress)
    move(workspace, lambda s: deviate(s, workflow, kind, reason, now, done, goal, not no_impact), as_json)
