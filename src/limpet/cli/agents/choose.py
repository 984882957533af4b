"""``limpet agent activate|deactivate|list``."""

from __future__ import annotations

from collections.abc import Iterator

import click

from limpet.agents.greeting import LEVELS
from limpet.cli.caller import open_project, surroundings
from limpet.cli.completion import complete_agent
from limpet.cli.groups import Choice
from limpet.cli.output import emit, find_trusted, json_option, tell
from limpet.cli.table import table
from limpet.cli.work.output import session_option
from limpet.ground.clock import Clock
from limpet.hosts.sub_agents import sub_agent_files
from limpet.operations.agents import activate as operations
from limpet.operations.agents import known


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
      limpet agent activate dev
      limpet agent activate @pm --session 5f0c2a
      limpet agent activate qa --greeting named
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
        tell(f"{done.mistake} (limpet agent show {done.agent})")


@click.command()
@session_option
@json_option
def deactivate(session_id: str | None, as_json: bool) -> None:
    """Deactivate the active agent.

    \b
    Examples:
      limpet agent deactivate
      limpet agent deactivate --session 5f0c2a
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
      limpet agent list
      limpet agent list --json
    """
    conversation = surroundings().conversation
    workspace = find_trusted()
    agents, problems = known.list_agents(workspace, conversation)
    rows = [("*" if one.active else "", one.id, _described(one)) for one in agents]
    taken = {name for one in agents if one.file for name in (one.id, *one.aliases)}
    found = sub_agent_files(workspace.root) if workspace else {}
    importable = {file: name for file, name in found.items() if name not in taken}
    lines = [*table(rows, styles=("green", "bold")), *_imports(importable)]
    emit([{**one.__dict__, "aliases": list(one.aliases)} for one in agents], lines, as_json)
    tell(*problems)


def _figures(done: operations.Activation) -> Iterator[str]:
    for name, one in done.loading.results.items():
        yield f"{one.ms:8.1f} ms  {one.status:6}  {name}"
    yield f"{done.ms:8.1f} ms  {done.loading.quality}"


def _described(one: known.Listed) -> str:
    return f"{one.mission}{one.file and f' ({one.file})'}".strip()


def _imports(names: dict[str, str]) -> list[str]:
    """Return a line for each subagent, by its file, of which an agent can be made."""
    if not names:
        return []
    lines = [f"  limpet agent new {name} --from {file}" for file, name in names.items()]
    return ["", "To make agents of these subagents, run:", *lines]
