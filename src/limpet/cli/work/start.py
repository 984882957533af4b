"""``limpet work start|task|squad|mode|level``: sets what the work is."""

from __future__ import annotations

import click

from limpet.cli.caller import obtain_for, open_project, yes_option
from limpet.cli.completion import complete_agent, complete_squad
from limpet.cli.groups import Commands, SuggestingChoice
from limpet.cli.output import emit, json_fields, json_option, require_workspace, table
from limpet.cli.work.view import NO_STEP, clear_option, required, session_option, step_now, tell_choice, tell_move
from limpet.ground.formats.markdown import one_line
from limpet.ground.text.escaping import clip
from limpet.hosts.leaving import stop_work
from limpet.operations.agents.user_level import LEVELS, set_level
from limpet.operations.work.moves import (
    add_to_backlog,
    change_in_backlog,
    choose_mode,
    choose_squad,
    choose_task,
    listed_backlog,
)
from limpet.operations.work.start import offered_workflows, stop_conversation
from limpet.operations.work.start import start_work as start_workflow
from limpet.work.pipeline.overview import PRIORITIES, STATUSES

# Characters of a workflow's description.
SHOWN = 90


@click.command()
@click.argument("workflow", required=False)
@click.option("--name", default="", metavar="TEXT", help="The project's name.")
@click.option("--afresh", is_flag=True, help="Start again from the first step.")
@click.option("--fact", "facts", multiple=True, metavar="FACT=VALUE", help="A fact about the work, such as files=3.")
@click.option(
    "--confidence", type=click.FloatRange(0, 1), metavar="N", help="Confidence of the proposing agent, 0 to 1."
)
@click.option("--yes", is_flag=True, help="Do not ask, where no coding agent runs the command (CI).")
@click.option("--clear", is_flag=True, help="End what is under way, as `limpet work stop` does.")
@session_option
@json_option
def start(
    workflow: str | None,
    name: str,
    afresh: bool,
    facts: tuple[str, ...],
    confidence: float | None,
    yes: bool,
    clear: bool,
    session_id: str | None,
    as_json: bool,
) -> None:
    """Start a workflow, or list the available ones.

    A workflow already under way continues. One that is not for every change needs the user's word.

    \b
    Examples:
      limpet work start
      limpet work start solo --name Harbour
      limpet work start quick-flow --fact files=3 --fact schema_change=no --confidence 0.9
      limpet work start --clear
    """
    if workflow is None and not (clear or name or afresh or facts or yes or session_id or confidence is not None):
        _offer(as_json)
        return
    wanted = required(workflow, clear, "WORKFLOW")
    if wanted is None:
        end_work(session_id, yes, as_json)
        return
    project = open_project()
    chosen = start_workflow(
        project,
        wanted,
        called=name,
        afresh=afresh,
        facts=dict(map(_fact, facts)),
        confidence=confidence,
        obtain=obtain_for(project.workspace, yes),
        conversation=session_id,
    )
    tell_choice(chosen, as_json, step_now(project) if session_id is None else NO_STEP)


@click.command()
@click.argument("text", required=False)
@click.option("--id", "task_id", help="ID of the story.")
@click.option("--executor", type=SuggestingChoice(["agent", "worker", "human", "clone"]), help="Who does it.")
@clear_option
@session_option
@json_option
def task(
    text: str | None, task_id: str | None, executor: str | None, clear: bool, session_id: str | None, as_json: bool
) -> None:
    """Set the current task.

    A story given by --id brings its own title.

    \b
    Examples:
      limpet work task "Add the export"
      limpet work task --id S-12
      limpet work task "Add the export" --id S-12 --executor agent
      limpet work task --clear
    """
    if clear and (task_id or executor):
        raise click.UsageError("--clear cannot be combined with --id or --executor")
    wanted = None if task_id and text is None else required(text, clear, "TEXT or --id")
    chosen = choose_task(open_project(), wanted, task_id or "", executor or "", session_id)
    tell_choice(chosen, as_json)


@click.command()
@click.argument("name", required=False, shell_complete=complete_squad)
@clear_option
@session_option
@json_option
def squad(name: str | None, clear: bool, session_id: str | None, as_json: bool) -> None:
    """Set the active squad.

    \b
    Examples:
      limpet work squad backend
      limpet work squad backend --session 5f0c2a
      limpet work squad --clear
    """
    wanted = required(name, clear, "NAME")
    tell_choice(choose_squad(open_project(), wanted, session_id), as_json)


@click.command()
@click.argument("name", metavar="planning|build|deploy", required=False)
@click.option("--reason", default="", metavar="TEXT", help="Reason, if the workflow under way sets another mode.")
@clear_option
@session_option
@json_option
def mode(name: str | None, reason: str, clear: bool, session_id: str | None, as_json: bool) -> None:
    """Set the pipeline mode.

    `clarity` means planning. While a workflow is under way, this is recorded as an override.

    \b
    Examples:
      limpet work mode build
      limpet work mode planning --session 5f0c2a
    """
    wanted = required(name, clear, "a mode")
    tell_choice(choose_mode(open_project(), wanted, reason, session_id), as_json)


@click.command()
@click.argument("name", metavar="auto|vibecoder|power_user", type=SuggestingChoice(LEVELS))
@json_option
def level(name: str, as_json: bool) -> None:
    """Set how much agents explain to you.

    `vibecoder` means in plain words, `power_user` briefly. With `auto` the level follows what you type.

    \b
    Examples:
      limpet work level power_user
      limpet work level auto
    """
    tell_choice(set_level(open_project(), name), as_json)


def _offer(as_json: bool) -> None:
    offered = offered_workflows(require_workspace())
    rows = [(one.name, one.steps or "-", clip(one_line(one.description), SHOWN)) for one in offered]
    lines = [*table([("workflow", "steps", "for"), *rows], heading=True), "Start one: limpet work start WORKFLOW"]
    emit({"workflows": [json_fields(one) for one in offered]}, lines, as_json)


def _fact(text: str) -> tuple[str, bool | float]:
    name, _, value = text.partition("=")
    words = {"yes": True, "true": True, "no": False, "false": False}
    try:
        return name.strip(), words[value.strip().lower()] if value.strip().lower() in words else float(value)
    except ValueError:
        raise click.UsageError(f"--fact {text}: use FACT=yes, FACT=no or FACT=NUMBER") from None


@click.command()
@session_option
@yes_option
@json_option
def stop(session_id: str | None, agreed: bool, as_json: bool) -> None:
    """End all that is under way: workflow, agent, task, lock.

    The story in hand is a draft again, and the mode is cleared. What a workflow reached is kept: `limpet work start
    NAME` goes on with it. A coding agent needs your word to leave a workflow half-way.

    \b
    Examples:
      limpet work stop
      limpet work stop --session 5f0c2a
    """
    end_work(session_id, agreed, as_json)


def end_work(session_id: str | None, agreed: bool, as_json: bool) -> None:
    """End what is under way, for one conversation where it is named, and say so."""
    project = open_project(by="limpet work stop")
    if session_id is None:
        done = stop_work(project, obtain_for(project.workspace, agreed))
    else:
        done = stop_conversation(project, session_id)
    emit({"changed": done.changes, "in": done.place, "lines": list(done.lines)}, done.lines, as_json)


for_option = click.option(
    "--for", "target", metavar="AGENT", shell_complete=complete_agent, help="Agent who should do it."
)
notes_option = click.option("--notes", metavar="TEXT", help="Notes for whoever does it.")


@click.group(cls=Commands, invoke_without_command=True)
@click.pass_context
def backlog(ctx: click.Context) -> None:
    """Keep a list of items for later.

    \b
    Examples:
      limpet work backlog
      limpet work backlog add "Rate limit for the export" --priority high
      limpet work backlog done BL-001
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_items)


@backlog.command()
@click.argument("title")
@click.option("--priority", type=SuggestingChoice(PRIORITIES), default="medium", show_default=True, help="Urgency.")
@for_option
@notes_option
@json_option
def add(title: str, priority: str, target: str | None, notes: str | None, as_json: bool) -> None:
    """Add an item and print its ID.

    \b
    Examples:
      limpet work backlog add "Rate limit for the export"
      limpet work backlog add "Contrast of the menu" --priority low --for ux
    """
    project = open_project()
    tell_move(project, add_to_backlog(project, title, priority, target or "", notes or ""), as_json)


@backlog.command("list")
@click.option("--all", "everything", is_flag=True, help="Include done, archived and deferred items.")
@json_option
def list_items(everything: bool = False, as_json: bool = False) -> None:
    """List open items, most urgent first.

    \b
    Examples:
      limpet work backlog list
      limpet work backlog list --all --json
    """
    items = listed_backlog(open_project(), everything)
    usual = {"id": "-", "priority": "medium", "status": "pending", "title": ""}
    rows = [tuple(one_line(str(item.get(key, usual[key]))) for key in usual) for item in items]
    emit(items, table(rows) if rows else ["No open items."], as_json)


@backlog.command("set")
@click.argument("name", metavar="ID")
@click.option("--title", metavar="TEXT", help="New title.")
@click.option("--priority", type=SuggestingChoice(PRIORITIES), help="Urgency.")
@click.option("--status", type=SuggestingChoice(STATUSES), help="New status.")
@for_option
@notes_option
@json_option
def set_item(name: str, target: str | None, as_json: bool, **given: str | None) -> None:
    """Change an item.

    \b
    Examples:
      limpet work backlog set BL-001 --status in_progress
      limpet work backlog set BL-001 --priority high --for dev
    """
    fields = {key: value for key, value in given.items() if value is not None}
    if not fields and not target:
        raise click.UsageError("give at least one option to change")
    _change(name, fields, target or "", as_json)


@backlog.command()
@click.argument("name", metavar="ID")
@json_option
def done(name: str, as_json: bool) -> None:
    """Mark an item as done.

    \b
    Examples:
      limpet work backlog done BL-001
    """
    _change(name, {"status": "done"}, "", as_json)


def _change(name: str, fields: dict[str, str], target: str, as_json: bool) -> None:
    project = open_project()
    tell_move(project, change_in_backlog(project, name, fields, target), as_json)
