"""``limpet work start|set|stop``: sets what the work is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from limpet.cli.caller import obtain_for, open_project, yes_option
from limpet.cli.completion import complete_squad
from limpet.cli.groups import SuggestingChoice
from limpet.cli.output import emit, json_fields, json_option, require_workspace, show, table
from limpet.cli.screen import is_terminal
from limpet.cli.work.view import NO_STEP, required, session_option, step_now, tell_choice
from limpet.ground.formats.markdown import one_line
from limpet.ground.text.escaping import clip
from limpet.hosts.leaving import stop_work
from limpet.operations.agents.user_level import LEVELS, set_level
from limpet.operations.project import Project
from limpet.operations.work.moves import ChosenWork, choose_mode, choose_squad, choose_task
from limpet.operations.work.start import offered_workflows, start_work, stop_conversation
from limpet.work.stories.story import KINDS


@click.command()
@click.argument("workflow", required=False)
@click.option("--name", default="", metavar="TEXT", help="The project's name.")
@click.option("--afresh", is_flag=True, help="Start again from the first step.")
@click.option("--fact", "facts", multiple=True, metavar="FACT=VALUE", help="A fact about the work, such as files=3.")
@click.option(
    "--confidence", type=click.FloatRange(0, 1), metavar="N", help="Confidence of the proposing agent, 0 to 1."
)
@click.option("--yes", is_flag=True, help="Do not ask, where no coding agent runs the command (CI).")
@session_option
@json_option
def start(
    workflow: str | None,
    name: str,
    afresh: bool,
    facts: tuple[str, ...],
    confidence: float | None,
    yes: bool,
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
    """
    if workflow is None and not (name or afresh or facts or yes or session_id or confidence is not None):
        _offer(as_json)
        return
    if not workflow or not workflow.strip():
        raise click.UsageError("give WORKFLOW")
    project = open_project()
    chosen = start_work(
        project,
        workflow,
        called=name,
        afresh=afresh,
        facts=dict(map(_fact, facts)),
        confidence=confidence,
        obtain=obtain_for(project.workspace, yes),
        conversation=session_id,
    )
    if is_terminal() and not (as_json or project.caller.surroundings.host or session_id) and project.step:
        show(_for_person(project, bool(chosen.note)))
        return
    tell_choice(chosen, as_json, step_now(project) if session_id is None else NO_STEP)


def _for_person(project: Project, goes_on: bool) -> Iterator[str]:
    """Without the form of the step, which the hook gives to the model."""
    workflow, step = project.workflow, project.step
    assert workflow is not None and step is not None
    names = " > ".join(one.label.lower() for one in workflow.steps)
    yield f"{'Going on with' if goes_on else 'Started'} {workflow.name}: {names}"
    yield f"Step {workflow.steps.index(step) + 1} of {len(workflow.steps)}: {step.label.lower()}."
    limit = " In this step it may write documents only." if step.mode == "planning" else ""
    yield f'Go to your coding agent and say "go on".{limit}'
    yield "Where it stands: limpet work status"
    yield "To stop: limpet work stop"


@click.command("set")
@click.option("--task", metavar="TEXT", help="The current task.")
@click.option("--id", "task_id", metavar="ID", help="The task's story, which brings its own title.")
@click.option("--executor", type=SuggestingChoice(KINDS), help="Who does the task.")
@click.option("--squad", metavar="NAME", shell_complete=complete_squad, help="The active squad.")
@click.option("--mode", metavar="planning|build|deploy", help="The pipeline mode; `clarity` means planning.")
@click.option("--reason", default="", metavar="TEXT", help="Why the mode is another than the workflow's.")
@click.option(
    "--level", metavar="auto|vibecoder|power_user", type=SuggestingChoice(LEVELS), help="How much agents explain."
)
@click.option(
    "--clear", multiple=True, type=SuggestingChoice(("task", "squad", "mode")), help="Clear the value. May be repeated."
)
@session_option
@json_option
def set_command(
    task: str | None,
    task_id: str | None,
    executor: str | None,
    squad: str | None,
    mode: str | None,
    reason: str,
    level: str | None,
    clear: tuple[str, ...],
    session_id: str | None,
    as_json: bool,
) -> None:
    """Set task, squad, pipeline mode or user level.

    While a workflow is under way, a mode is recorded as an override. The level `vibecoder` means in plain words,
    `power_user` briefly; with `auto` it follows what you type.

    \b
    Examples:
      limpet work set --task "Add the export" --executor agent
      limpet work set --id S-12
      limpet work set --squad backend --mode build --session 5f0c2a
      limpet work set --level power_user
      limpet work set --clear task
    """
    has_task = task is not None or bool(task_id)
    given = {"task": has_task, "squad": squad is not None, "mode": mode is not None}
    for name in clear:
        if given[name]:
            raise click.UsageError(f"--{name} and --clear {name} cannot be combined")
    if executor and not has_task:
        raise click.UsageError("--executor needs --task or --id")
    if level and session_id is not None:
        raise click.UsageError("--level and --session cannot be combined")
    values = (task, squad, mode)
    set_task, set_squad, set_mode = (None if one is None else required(one, False, "a value") for one in values)
    project = open_project()
    chosen: list[ChosenWork] = []
    if set_squad or "squad" in clear:
        chosen.append(choose_squad(project, set_squad, session_id))
    if set_mode or "mode" in clear:
        chosen.append(choose_mode(project, set_mode, reason, session_id, obtain_for(project.workspace)))
    if has_task or "task" in clear:
        chosen.append(choose_task(project, set_task, task_id or "", executor or "", session_id))
    if level:
        chosen.append(set_level(project, level))
    if not chosen:
        raise click.UsageError("give at least one option to set")
    changes: dict[str, Any] = {}
    for one in chosen:
        changes |= one.changes
    warning = "; ".join(one.warning for one in chosen if one.warning)
    tell_choice(chosen[0].replace(changes=changes, warning=warning), as_json)


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
    project = open_project(by="limpet work stop")
    if session_id is None:
        done = stop_work(project, obtain_for(project.workspace, agreed))
    else:
        done = stop_conversation(project, session_id, obtain_for(project.workspace, agreed))
    emit({"changed": done.changes, "in": done.place, "lines": list(done.lines)}, done.lines, as_json)


def _offer(as_json: bool) -> None:
    offered = offered_workflows(require_workspace())
    rows = [(one.name, one.steps or "-", clip(one_line(one.description), 90)) for one in offered]
    lines = [*table([("workflow", "steps", "for"), *rows], heading=True), "Start one: limpet work start WORKFLOW"]
    emit({"workflows": [json_fields(one) for one in offered]}, lines, as_json)


def _fact(text: str) -> tuple[str, bool | float]:
    name, _, value = text.partition("=")
    words = {"yes": True, "true": True, "no": False, "false": False}
    try:
        return name.strip(), words[value.strip().lower()] if value.strip().lower() in words else float(value)
    except ValueError:
        raise click.UsageError(f"--fact {text}: use FACT=yes, FACT=no or FACT=NUMBER") from None
