"""``holdfast work advance``, ``back`` and ``deviate``: moves along the pipeline, and away from it and back."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import click

from holdfast.cli.completion import complete_agent
from holdfast.cli.output import json_option, require_workspace
from holdfast.cli.work.pipeline import actor_of, agent_at, agent_id, known_agent, limits_of, move, workflow_of
from holdfast.ground.safety.dotenv import without_secrets
from holdfast.ground.text.messages import say
from holdfast.ground.workspace import Workspace
from holdfast.operations.lock import language_of
from holdfast.work.journal import make_move
from holdfast.work.pipeline.deviation import GRAVE, KINDS, OFF_TOPIC, deviate, resolve_deviation
from holdfast.work.pipeline.gate import set_score
from holdfast.work.pipeline.move import Move
from holdfast.work.pipeline.moves import advance, back, override
from holdfast.work.pipeline.view import task_title
from holdfast.work.pipeline.workflow import Workflow, read_workflow
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
        goal, why = agent_id(read_project(workspace)[0], to) if to else "", without_secrets(workspace, reason)
        move(workspace, lambda s: override(s, workflow_of(workspace, s), name, now, why, goal), as_json)
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
    kind, why = issue.strip().lower(), without_secrets(workspace, reason)
    move(workspace, lambda s: back(s, workflow_of(workspace, s), now, limits, name, kind, why), as_json)


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
        move(workspace, lambda s: resolve_deviation(s, _workflow(workspace, s), now, name), as_json)
        return
    if not kind or not (text or "").strip():
        raise click.UsageError("give KIND and TEXT, or --resolve")
    if kind in GRAVE and not yes:
        click.confirm(f"Does the user agree to a {kind}?", abort=True, err=True)
    goal = known_agent(workspace, to) if to else ""
    reason, done = without_secrets(workspace, text or ""), without_secrets(workspace, progress)
    move(
        workspace,
        lambda s: deviate(s, _workflow(workspace, s), kind, reason, now, done, goal, not no_impact),
        as_json,
        lambda made: [made.told, *_question(workspace, made)],
    )


def _question(workspace: Workspace, made: Move) -> Iterator[str]:
    """What the user is asked, in their language, when something is off topic."""
    point = made.data["return_to"]
    name = task_title(point["task"]) or point["agent"]
    if made.data["type"] == OFF_TOPIC and name:
        yield say("off_topic.noted", language_of(read_project(workspace)[0]), task=name)


def _workflow(workspace: Workspace, session: dict[str, Any]) -> Workflow | None:
    """The workflow under way: None without one, and for a name that brings rules only."""
    return read_workflow(workspace, str(session.get("workflow") or ""))
