"""``holdfast work``: what is being worked on, and where in the pipeline."""

from __future__ import annotations

import os
import time

import click

from holdfast.cli.completion import complete_squad
from holdfast.cli.output import emit, json_option, require_workspace
from holdfast.cli.work.backlog import backlog
from holdfast.cli.work.gate import gate
from holdfast.cli.work.moves import advance_command, back_command, deviate_command
from holdfast.cli.work.pipeline import actor_of
from holdfast.cli.work.state import change_state, clear_option, required, session_option
from holdfast.cli.work.status import status
from holdfast.ground.config.settings import load_settings
from holdfast.ground.errors import HoldfastError
from holdfast.ground.formats.schema import nearest
from holdfast.ground.safety.dotenv import without_secrets
from holdfast.ground.workspace import Workspace
from holdfast.hosts.surroundings import find_surroundings
from holdfast.operations.mirror import refresh
from holdfast.work.journal import make_move
from holdfast.work.modes import resolve_mode
from holdfast.work.pipeline.fitness import check_fitness, known_facts, questions
from holdfast.work.pipeline.moves import set_mode
from holdfast.work.pipeline.moves import start as begin
from holdfast.work.pipeline.view import current_step
from holdfast.work.pipeline.workflow import Workflow, read_workflow, workflow_names
from holdfast.work.project import NAME, read_project
from holdfast.work.session import read_session


class WorkGroup(click.Group):
    """The commands of this file and its neighbours; stories, which bring much of their own, only when asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self.commands, "story"]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name != "story":
            return super().get_command(ctx, cmd_name)
        from holdfast.cli.work.story import story

        return story


@click.group(cls=WorkGroup)
def work() -> None:
    """Show and say where the work stands: workflow, step, task, squad, mode, gates, backlog, deviations, stories.

    \b
    Examples:
      holdfast work status
      holdfast work start greenfield
      holdfast work task "Add the export" --id S-12
      holdfast work advance --score 97
    """


for command in (status, advance_command, back_command, gate, deviate_command, backlog):
    work.add_command(command)


@work.command()
@click.argument("workflow", required=False)
@click.option("--name", default="", metavar="TEXT", help="The project's name.")
@click.option("--afresh", is_flag=True, help="From its first step, whatever was reached so far.")
@click.option(
    "--fact", "facts", multiple=True, metavar="FACT=VALUE", help="What is known of the work, such as files=3."
)
@click.option("--confidence", type=click.FloatRange(0, 1), metavar="N", help="How sure the agent that proposes it is.")
@click.option("--yes", is_flag=True, help="The user agreed to a workflow that asks for it.")
@clear_option
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
    """Start WORKFLOW: greenfield, brownfield, quick-flow, or one of .holdfast/workflows; one under way goes on.

    \b
    Examples:
      holdfast work start greenfield --name Harbour
      holdfast work start quick-flow --fact files=3 --fact schema_change=no --confidence 0.9 --yes
      holdfast work start --clear
    """
    wanted = required(workflow, clear, "WORKFLOW")
    workspace = require_workspace()
    found = read_workflow(workspace, wanted) if wanted else None
    if wanted and found is None:
        wanted = without_secrets(workspace, wanted)
    if found is None or session_id is not None:
        if wanted and session_id is None:
            _refuse_to_leave(workspace, wanted)
        change_state(workspace, "workflow", wanted, session_id, as_json)
        if wanted and found is None:
            names = workflow_names(workspace)
            click.echo(
                f"holdfast: there is no workflow {wanted}{nearest(wanted, names)}: it brings rules only", err=True
            )
        return
    _check(workspace, found, facts, confidence, yes)
    _start(workspace, found, name, afresh, as_json)


@work.command()
@click.argument("text", required=False)
@click.option("--id", "task_id", help="The story or task it belongs to.")
@click.option("--executor", type=click.Choice(["agent", "worker", "human", "clone"]), help="Who does it.")
@clear_option
@session_option
@json_option
def task(
    text: str | None, task_id: str | None, executor: str | None, clear: bool, session_id: str | None, as_json: bool
) -> None:
    """Make TEXT the task under way.

    \b
    Examples:
      holdfast work task "Add the export"
      holdfast work task "Add the export" --id S-12 --executor agent
      holdfast work task --clear
    """
    wanted = required(text, clear, "TEXT")
    if clear and (task_id or executor):
        raise click.UsageError("--clear takes neither --id nor --executor")
    workspace = require_workspace()
    title = without_secrets(workspace, wanted or "") or None
    details = {"id": without_secrets(workspace, task_id or ""), "title": title, "executor": executor}
    full = {key: value for key, value in details.items() if value}
    if title:
        _refuse_new_task(workspace)
    change_state(workspace, "task", full if len(full) > 1 else title, session_id, as_json)


@work.command()
@click.argument("name", required=False, shell_complete=complete_squad)
@clear_option
@session_option
@json_option
def squad(name: str | None, clear: bool, session_id: str | None, as_json: bool) -> None:
    """Make NAME the active squad.

    \b
    Examples:
      holdfast work squad backend
      holdfast work squad backend --session 5f0c2a
      holdfast work squad --clear
    """
    wanted, workspace = required(name, clear, "NAME"), require_workspace()
    change_state(workspace, "squad", without_secrets(workspace, wanted or "") or None, session_id, as_json)


@work.command()
@click.argument("name", metavar="planning|build|deploy", required=False)
@click.option("--reason", default="", metavar="TEXT", help="Why, where a workflow under way says otherwise.")
@clear_option
@session_option
@json_option
def mode(name: str | None, reason: str, clear: bool, session_id: str | None, as_json: bool) -> None:
    """Set the pipeline mode (clarity is planning); where a workflow is under way, that is recorded as an override.

    \b
    Examples:
      holdfast work mode build
      holdfast work mode planning --session 5f0c2a
    """
    wanted = required(name, clear, "a mode")
    found = resolve_mode(wanted or "")
    workspace = require_workspace()
    if found is None or session_id is not None:
        value = found or without_secrets(workspace, wanted or "") or None
        change_state(workspace, "mode", value, session_id, as_json)
        return
    now, why = time.time(), without_secrets(workspace, reason)
    make_move(workspace, lambda session: set_mode(session, found, now, why), actor_of(workspace))
    refresh(workspace)
    _tell("mode", found, f"pipeline mode: {found}", as_json)


def _refuse_to_leave(workspace: Workspace, wanted: str) -> None:
    """Raise HoldfastError where a name without steps, most likely mistyped, would take a pipeline's place."""
    session, _ = read_project(workspace)
    current = read_workflow(workspace, str(session.get("workflow") or ""))
    if current and session.get("agents") and current_step(session, current):
        what = f"there is no workflow {wanted}{nearest(wanted, workflow_names(workspace))}"
        mend = f"{current.name} is under way; `holdfast work start --clear` leaves it, what it reached is kept"
        raise HoldfastError(what, "workflow", mend)


def _start(workspace: Workspace, workflow: Workflow, name: str, afresh: bool, as_json: bool) -> None:
    now, called = time.time(), without_secrets(workspace, name)
    _, made = make_move(workspace, lambda s: begin(s, workflow, now, called, afresh), actor_of(workspace))
    refresh(workspace)
    told = f"workflow: {workflow.name}"
    _tell("workflow", workflow.name, f"{told}: {made.told}" if made.data.get("resumed") else told, as_json)


def _tell(key: str, value: str, line: str, as_json: bool) -> None:
    emit({"changed": {key: value}, "in": NAME}, [f"{line} ({NAME})"], as_json)


def _check(
    workspace: Workspace, workflow: Workflow, facts: tuple[str, ...], confidence: float | None, agreed: bool
) -> None:
    """Raise HoldfastError for a workflow that does not fit, click.Abort for one to which nobody agreed."""
    told = dict(map(_fact, facts))
    session, _ = read_project(workspace)
    check_fitness(workflow, known_facts(session, told), told, confidence)
    under_way = session.get("workflow") == workflow.name
    if workflow.confirmation and not (agreed or under_way):
        click.echo(
            "\n".join([f"{workflow.name} is wrong where", *(f"  {one}" for one in questions(workflow))]), err=True
        )
        click.confirm("Does none of it hold, and does the user agree? (--yes says so)", abort=True, err=True)


def _fact(text: str) -> tuple[str, bool | float]:
    name, _, value = text.partition("=")
    words = {"yes": True, "true": True, "no": False, "false": False}
    try:
        return name.strip(), words[value.strip().lower()] if value.strip().lower() in words else float(value)
    except ValueError:
        raise click.UsageError(f"--fact {text}: write FACT=yes, FACT=no or FACT=number") from None


def _refuse_new_task(workspace: Workspace) -> None:
    """Raise HoldfastError in a conversation with so little of its window left that a handoff is due (decision 2)."""
    conversation = find_surroundings(os.environ).conversation
    state = read_session(workspace, conversation)[0] if conversation else None
    usage = state.get("usage") if state else None
    remaining = usage.get("remaining") if isinstance(usage, dict) else None
    least = load_settings(workspace)[0]["context"]["handoff_below"]
    if isinstance(remaining, (int, float)) and remaining < least:
        what = f"{remaining:g}% of the context window is left: no new task begins"
        mend = "hand over (`holdfast handoff write`) and go on in a new session"
        raise HoldfastError(what, f"session {conversation}", mend)
