"""``limpet work advance|back|deviate``: moves along the pipeline, deviations from it and their end."""

from __future__ import annotations

import click

from limpet.cli.caller import obtain_for, open_project, yes_option
from limpet.cli.completion import complete_agent
from limpet.cli.groups import Choice
from limpet.cli.output import json_option
from limpet.cli.work.output import tell_move
from limpet.cli.work.step import step_now
from limpet.operations.work import moves
from limpet.work.pipeline.deviation import KINDS

NEWEST = "newest"
reason_option = click.option("--reason", default="", metavar="TEXT", help="Reason, for the session and the audit log.")
agent_argument = click.argument("agent", required=False, shell_complete=complete_agent)


@click.command("advance")
@agent_argument
@click.option(
    "--override",
    "past_gate",
    is_flag=True,
    help="Pass the gate. Needs --reason.",
)
@click.option("--to", metavar="AGENT", shell_complete=complete_agent, help="With --override: skip to this agent.")
@reason_option
@yes_option
@json_option
def advance_command(
    agent: str | None, past_gate: bool, to: str | None, reason: str, agreed: bool, as_json: bool
) -> None:
    """Pass the gate of the current step on a person's word.

    AGENT is the agent of the current step. Without --override, what the gate still asks for is shown; the step ends
    with `limpet work finish -`, which goes on by itself.

    \b
    Examples:
      limpet work advance --override --reason "the brief is in the wiki"
      limpet work advance --override --to dev --reason "the user wants a prototype first"
    """
    if to and not past_gate:
        raise click.UsageError("--to needs --override")
    project, name = open_project(), agent or ""
    if not past_gate:
        moves.refuse_advance(project, name)
    made = moves.override(project, obtain_for(project.workspace, agreed), reason, name, to or "")
    tell_move(project, made, as_json, step_now(project))


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
    """Go back to an earlier agent, or begin the step again.

    Give AGENT or the kind of issue. All later agents must validate again.

    \b
    Examples:
      limpet work back --issue spec --reason "FR-3 contradicts FR-9"
      limpet work back architect
    """
    if bool(agent) == bool(issue):
        raise click.UsageError("give AGENT or --issue")
    project = open_project()
    made = moves.back(project, agent or "", issue, reason)
    if not reason:
        made = made.replace(
            message=f"{made.message}\nWhy was not said: --reason TEXT tells who works now what to mend."
        )
    tell_move(project, made, as_json, step_now(project))


@click.command("deviate")
@click.argument("kind", metavar="[KIND]", required=False, type=Choice(KINDS))
@click.argument("text", required=False)
@click.option("--progress", default="", metavar="TEXT", help="Progress of the interrupted work.")
@click.option("--to", default="", metavar="AGENT", shell_complete=complete_agent, help="Agent who handles it.")
@click.option("--first", default="", metavar="STORY", help="For order_change: the story that comes first.")
@click.option("--no-impact", is_flag=True, help="Earlier results stay valid; nothing is validated again.")
@click.option("--resolve", is_flag=False, flag_value=NEWEST, metavar="[ID]", help="Return to the interrupted point.")
@json_option
def deviate_command(
    kind: str | None,
    text: str | None,
    progress: str,
    to: str,
    first: str,
    no_impact: bool,
    resolve: str | None,
    as_json: bool,
) -> None:
    """Leave the plan and remember where to return.

    --resolve returns to the interrupted point.

    \b
    scope_change     the requirements agent handles it
    bug              the agent that fixes code handles it
    order_change     another story comes first (--first)
    off_topic        anything else

    \b
    Examples:
      limpet work deviate scope_change "export as CSV too" --to detail --progress "2 of 5 screens"
      limpet work deviate off_topic "What is the weather?"
      limpet work deviate --resolve
    """
    project = open_project()
    if resolve is not None:
        if kind:
            raise click.UsageError("--resolve and KIND cannot be combined")
        made = moves.resolve(project, "" if resolve == NEWEST else resolve)
    elif not kind or not (text or "").strip():
        raise click.UsageError("give KIND and TEXT, or --resolve")
    else:
        made = moves.deviate(project, kind, text or "", progress=progress, to=to, has_impact=not no_impact, first=first)
    tell_move(project, made, as_json, step_now(project))
