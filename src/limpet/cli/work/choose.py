"""``limpet work start|task|squad|mode|level``: sets what the work is."""

from __future__ import annotations

import click

from limpet.agents.level import LEVELS
from limpet.cli.caller import obtain_for, open_project
from limpet.cli.completion import complete_squad
from limpet.cli.groups import Choice
from limpet.cli.output import emit, json_fields, json_option, require_workspace
from limpet.cli.table import table
from limpet.cli.work.output import NO_STEP, clear_option, required, session_option, tell_choice
from limpet.cli.work.step import step_now
from limpet.ground.formats.markdown import one_line
from limpet.ground.text.escaping import clip
from limpet.operations.agents.user_level import set_level
from limpet.operations.work.choices import choose_mode, choose_squad, choose_task
from limpet.operations.work.start import offered_workflows
from limpet.operations.work.start import start as start_workflow

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
        from limpet.cli.work.stop import end_work  # which imports what captures a conversation

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
@click.option("--executor", type=Choice(["agent", "worker", "human", "clone"]), help="Who does it.")
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
@click.argument("name", metavar="auto|vibecoder|power_user", type=Choice(LEVELS))
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
    """Print the workflows that can be started."""
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
