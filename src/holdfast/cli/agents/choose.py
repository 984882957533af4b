"""``holdfast agent activate|deactivate|list``."""

from __future__ import annotations

import os
from collections.abc import Iterator

import click

from holdfast.agents.greeting import LEVELS
from holdfast.cli.caller import open_project, surroundings
from holdfast.cli.completion import complete_agent
from holdfast.cli.groups import Choice
from holdfast.cli.output import emit, find_trusted, json_option, tell
from holdfast.cli.table import table
from holdfast.cli.work.output import session_option
from holdfast.ground.clock import Clock
from holdfast.hosts.sub_agents import sub_agent_files
from holdfast.operations.agents import activate as operations
from holdfast.operations.agents import known


@click.command()
@click.argument("name", metavar="ID", shell_complete=complete_agent)
@session_option
@click.option(
    "--greeting", type=Choice(LEVELS), help="How much the agent shows of itself; agents.greeting if left out."
)
@click.option("--timings", is_flag=True, help="Print how long each part took to load.")
@json_option
def activate(name: str, session_id: str | None, greeting: str | None, timings: bool, as_json: bool) -> None:
    """Activate an agent by its id or an alias.

    Prints what the agent needs to begin: where the project stands, what comes next, memories, commands.

    \b
    Examples:
      holdfast agent activate dev
      holdfast agent activate @pm --session 5f0c2a
      holdfast agent activate qa --greeting named
    """
    done = operations.activate(open_project(), name, Clock(), session_id, greeting or "")
    results = done.loading.results
    data = {
        "changed": done.chosen.changes,
        "in": done.chosen.place,
        "quality": done.loading.quality,
        "missing": list(done.loading.missing),
        "greeting": list(done.lines[1:]),
        "timings": {name: {"ms": round(one.ms, 3), "status": one.status} for name, one in results.items()},
        "ms": round(done.ms, 3),
    }
    emit(data, [*done.lines, *(_figures(done) if timings else ())], as_json)
    if done.mistake:
        tell(f"{done.mistake} (holdfast agent show {done.agent})")


@click.command()
@session_option
@json_option
def deactivate(session_id: str | None, as_json: bool) -> None:
    """Deactivate the active agent.

    \b
    Examples:
      holdfast agent deactivate
      holdfast agent deactivate --session 5f0c2a
    """
    left = operations.deactivate(open_project(), session_id)
    emit({"changed": left.changes, "in": left.place}, [left.note], as_json)


@click.command("list")
@json_option
def list_agents(as_json: bool) -> None:
    """List the agents and mark the active one.

    The project's own have their file behind them. Subagents of your coding agent are named, so that you can make agents
    of them.

    \b
    Examples:
      holdfast agent list
      holdfast agent list --json
    """
    conversation = surroundings().conversation
    workspace = find_trusted()
    agents, problems = known.list_agents(workspace, conversation)
    rows = [("*" if one.active else "", one.id, _described(one)) for one in agents]
    importable = sub_agent_files(workspace.root) if workspace else ()
    lines = [*table(rows, styles=("green", "bold")), *_imports(importable)]
    emit([{**one.__dict__, "aliases": list(one.aliases)} for one in agents], lines, as_json)
    for problem in problems:
        tell(problem)


def _figures(done: operations.Activation) -> Iterator[str]:
    for name, one in done.loading.results.items():
        yield f"{one.ms:8.1f} ms  {one.status:6}  {name}"
    yield f"{done.ms:8.1f} ms  {done.loading.quality}"


def _described(one: known.Listed) -> str:
    return f"{one.mission}{one.file and f' ({one.file})'}".strip()


def _imports(files: tuple[str, ...]) -> list[str]:
    """Return a line for each subagent of which an agent can be made."""
    if not files:
        return []
    names = {file: os.path.splitext(os.path.basename(file))[0] for file in files}
    return [
        "",
        "To make agents of these subagents, run:",
        *(f"  holdfast agent new {names[one]} --from {one}" for one in files),
    ]
