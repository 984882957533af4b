"""``limpet work finish|approve|back|deviate``: ends steps and moves along the workflow."""

from __future__ import annotations

import click

from limpet.cli.caller import learn_later, obtain_for, open_project, yes_option
from limpet.cli.completion import complete_agent
from limpet.cli.groups import SuggestingChoice
from limpet.cli.output import emit, json_fields, json_option, show
from limpet.cli.work.handoff import end_with, read_given, reason_data, reason_lines
from limpet.cli.work.view import step_now, tell_move
from limpet.operations.work import moves
from limpet.operations.work.facts import approve_waiting
from limpet.operations.work.finish import finish_current_step, show_form
from limpet.operations.work.situation import read_situation
from limpet.work.pipeline.deviation import KINDS

NEWEST = "newest"
reason_option = click.option("--reason", default="", metavar="TEXT", help="Reason, for the session and the audit log.")
agent_argument = click.argument("agent", required=False, shell_complete=complete_agent)


@click.command("finish")
@click.argument("path", required=False, metavar="[FILE|-]")
@yes_option
@json_option
def finish_command(path: str | None, agreed: bool, as_json: bool) -> None:
    """Finish the current step with one document.

    FILE is Markdown (- for stdin); without FILE, the step's empty form is printed. Limpet looks for the step's output
    and for the evidence of each criterion, runs the checks, hands over to the next agent and advances. If anything is
    missing, it lists everything and exits with 1. What a person has to approve is asked.

    \b
    Examples:
      limpet work finish
      limpet work finish -
      limpet work finish handoff.md --json
    """
    project = open_project()
    if path is None:
        form = show_form(project)
        emit({"form": form}, [form], as_json)
        return
    text = read_given(path)
    obtain = obtain_for(project.workspace, agreed)
    outcome = finish_current_step(project, text, path, obtain, lambda line: show([line], err=True))
    data = {
        **json_fields(outcome),
        "missing": reason_data(outcome.missing),
        "checks": [json_fields(one) for one in outcome.checks],
    }
    data.pop("lines")
    more, step = step_now(project) if outcome.finished else ({"step": None}, ())
    lines = [*outcome.lines, *reason_lines(outcome.missing), *(step or [f"next: {outcome.next}"])]
    emit({**data, **more}, lines, as_json)
    if outcome.finished:
        learn_later(project)
    end_with(not outcome.finished)


@click.command("approve")
@agent_argument
@click.option("--override", "past_gate", is_flag=True, help="Pass the gate of the current step. Needs --reason.")
@click.option("--to", metavar="AGENT", shell_complete=complete_agent, help="With --override: skip to this agent.")
@reason_option
@yes_option
@json_option
def approve_command(
    agent: str | None, past_gate: bool, to: str | None, reason: str, agreed: bool, as_json: bool
) -> None:
    """Approve what earlier steps made, on a person's word.

    `limpet work finish` of the next step asks for the same. The setting work.approve names the agents. With --override
    the step ends as it is; AGENT names whose step you mean.

    \b
    Examples:
      limpet work approve
      limpet work approve --override --reason "the brief is in the wiki"
      limpet work approve --override --to dev --reason "the user wants a prototype first"
    """
    if (agent or to or reason) and not past_gate:
        raise click.UsageError("AGENT, --to and --reason need --override")
    project = open_project()
    obtain = obtain_for(project.workspace, agreed)
    if past_gate:
        made = moves.override_step(project, obtain, reason, agent or "", to or "")
        tell_move(project, made, as_json, step_now(project))
        return
    approved = approve_waiting(project, obtain)
    lines = [move.message for move in approved] or ["Nothing waits for approval."]
    following = read_situation(project).following
    lines += [f"next: {': '.join(filter(None, (following.words, following.command)))}"]
    emit({"approved": [move.data for move in approved], "next": following.command}, lines, as_json)


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
    made = moves.step_back(project, agent or "", issue, reason)
    if not reason:
        advice = "Why was not said: --reason TEXT tells who works now what to mend."
        made = made.replace(message=f"{made.message}\n{advice}")
    tell_move(project, made, as_json, step_now(project))


@click.command("deviate")
@click.argument("kind", metavar="[KIND]", required=False, type=SuggestingChoice(KINDS))
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
        made = moves.resolve_deviation_of(project, "" if resolve == NEWEST else resolve)
    elif not kind or not (text or "").strip():
        raise click.UsageError("give KIND and TEXT, or --resolve")
    else:
        obtain = obtain_for(project.workspace)
        made = moves.record_deviation(
            project, kind, text or "", progress=progress, to=to, has_impact=not no_impact, first=first, obtain=obtain
        )
    tell_move(project, made, as_json, step_now(project))
