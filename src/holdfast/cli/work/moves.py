"""``holdfast work advance|back|deviate``: moves along the pipeline, deviations from it and their end."""

from __future__ import annotations

from functools import partial

import click

from holdfast.cli.caller import caller_of, obtain_for, yes_option
from holdfast.cli.completion import complete_agent
from holdfast.cli.groups import Choice
from holdfast.cli.output import json_option, require_workspace
from holdfast.cli.work.output import tell_move
from holdfast.operations.work import moves
from holdfast.operations.work.pipeline import NeedsAgreement
from holdfast.work.pipeline.deviation import KINDS

NEWEST = "newest"
reason_option = click.option("--reason", default="", metavar="TEXT", help="Reason, for the session and the audit log.")
agent_argument = click.argument("agent", required=False, shell_complete=complete_agent)


@click.command("advance")
@agent_argument
@click.option(
    "--score",
    type=click.FloatRange(0, 100),
    metavar="N",
    help="Record a claimed score in percent. It does not open the gate.",
)
@click.option(
    "--override",
    "past_gate",
    is_flag=True,
    help="Pass the gate on a person's word. Needs --reason.",
)
@click.option("--to", metavar="AGENT", shell_complete=complete_agent, help="With --override: skip to this agent.")
@reason_option
@yes_option
@json_option
def advance_command(
    agent: str | None, score: float | None, past_gate: bool, to: str | None, reason: str, agreed: bool, as_json: bool
) -> None:
    """Go to the next step after `holdfast work finish`.

    AGENT is the agent of the current step.

    \b
    Examples:
      holdfast work advance
      holdfast work advance brief
      holdfast work advance --override --to dev --reason "the user wants a prototype first"
    """
    if to and not past_gate:
        raise click.UsageError("--to needs --override")
    workspace = require_workspace()
    caller, name = caller_of(workspace), agent or ""
    if past_gate and score is not None:
        raise click.UsageError("--override and --score cannot be combined")
    if past_gate:
        moved = moves.override(workspace, caller, obtain_for(workspace, agreed), reason, name, to or "")
    else:
        moved = moves.advance(workspace, caller, name, score)
    tell_move(moved, as_json)


@click.command("back")
@agent_argument
@click.option(
    "--issue",
    default="",
    metavar="KIND",
    help="Go to the agent for this kind of issue: spec, architecture, code, test, security.",
)
@reason_option
@json_option
def back_command(agent: str | None, issue: str, reason: str, as_json: bool) -> None:
    """Go back to an earlier agent.

    Give AGENT or the kind of issue. All later agents must validate again.

    \b
    Examples:
      holdfast work back --issue spec --reason "FR-3 contradicts FR-9"
      holdfast work back architect
    """
    if bool(agent) == bool(issue):
        raise click.UsageError("give AGENT or --issue")
    workspace = require_workspace()
    tell_move(moves.back(workspace, caller_of(workspace), agent or "", issue, reason), as_json)


@click.command("deviate")
@click.argument("kind", metavar="[KIND]", required=False, type=Choice(KINDS))
@click.argument("text", required=False)
@click.option("--progress", default="", metavar="TEXT", help="Progress of the interrupted work.")
@click.option(
    "--to",
    metavar="AGENT",
    shell_complete=complete_agent,
    help="Agent who handles it; for rollback and skip, the agent to continue with.",
)
@click.option("--first", default="", metavar="STORY", help="For order_change: the story that comes first.")
@click.option("--no-impact", is_flag=True, help="Earlier results stay valid; nothing is validated again.")
@click.option("--yes", is_flag=True, help="The user has agreed; rollback and restart need it.")
@click.option("--resolve", is_flag=False, flag_value=NEWEST, metavar="[ID]", help="Return to the interrupted point.")
@json_option
def deviate_command(
    kind: str | None,
    text: str | None,
    progress: str,
    to: str | None,
    first: str,
    no_impact: bool,
    yes: bool,
    resolve: str | None,
    as_json: bool,
) -> None:
    """Leave the plan and remember where to return.

    --resolve returns to the interrupted point.

    \b
    scope_change     the requirements agent handles it
    bug              the agent that fixes code handles it
    order_change     another story comes first (--first); also priority_change
    rollback         go back to an earlier agent (--to)
    skip             skip the current step, or up to an agent (--to), on a person's word
    restart          start the current step again
    off_topic        anything else

    \b
    Examples:
      holdfast work deviate scope_change "export as CSV too" --to detail --progress "2 of 5 screens"
      holdfast work deviate rollback "the brief missed a user" --to brief --yes
      holdfast work deviate --resolve
    """
    workspace = require_workspace()
    if resolve is not None:
        if kind:
            raise click.UsageError("--resolve and KIND cannot be combined")
        name = "" if resolve == NEWEST else resolve
        tell_move(moves.resolve(workspace, caller_of(workspace), name), as_json)
        return
    if not kind or not (text or "").strip():
        raise click.UsageError("give KIND and TEXT, or --resolve")
    asked = partial(
        moves.deviate,
        workspace,
        caller_of(workspace),
        kind,
        text or "",
        progress=progress,
        to=to or "",
        has_impact=not no_impact,
        first=first,
        obtain=obtain_for(workspace, yes),
    )
    try:
        moved = asked(agreed=yes)
    except NeedsAgreement as needed:
        click.echo("\n".join(needed.lines), err=True)
        click.confirm(f"Does the user agree to a {kind}?", abort=True, err=True)
        moved = asked(agreed=True)
    tell_move(moved, as_json)
