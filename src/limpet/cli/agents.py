"""``limpet agent``."""

from __future__ import annotations

from collections.abc import Iterator

import click

from limpet.agents.greeting import LEVELS
from limpet.cli.caller import open_project, surroundings
from limpet.cli.completion import complete_agent
from limpet.cli.groups import Commands, SuggestingChoice
from limpet.cli.output import emit, find_trusted, json_fields, json_option, require_workspace, table, tell
from limpet.cli.screen import Line, styled
from limpet.cli.work.view import session_option
from limpet.ground.clock import Clock
from limpet.hosts.capabilities import sub_agent_files
from limpet.operations.agents import activate as operations
from limpet.operations.agents import known
from limpet.operations.agents.known import ShownAgent, show_agent
from limpet.operations.agents.new import new_agent
from limpet.roles.agent import GREETINGS


@click.group(
    cls=Commands,
    sections={
        "Commands": {
            "activate": "limpet.cli.agents",
            "deactivate": "limpet.cli.agents",
            "list": "limpet.cli.agents:list_agents",
            "new": "limpet.cli.agents",
            "show": "limpet.cli.agents",
        }
    },
)
def agent() -> None:
    """Choose the active agent, show and make agents.

    \b
    Examples:
      limpet agent list
      limpet agent activate qa
      limpet agent new marketing-lead
    """


@click.command()
@click.argument("name", metavar="ID", shell_complete=complete_agent)
@session_option
@click.option(
    "--greeting", type=SuggestingChoice(LEVELS), help="How much the agent shows of itself; agents.greeting if left out."
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
    done = operations.activate_agent(open_project(), name, Clock(), session_id, greeting or "")
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
    left = operations.deactivate_agent(open_project(), session_id)
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
    agents, problems = known.listed_agents(workspace, conversation)
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
    if not names:
        return []
    lines = [f"  limpet agent new {name} --from {file}" for file, name in names.items()]
    return ["", "To make agents of these subagents, run:", *lines]


@click.command()
@click.argument("name", metavar="ID", shell_complete=complete_agent)
@json_option
def show(name: str, as_json: bool) -> None:
    """Show what an agent is for, does and may do.

    \b
    Examples:
      limpet agent show dev
      limpet agent show @qa --json
    """
    found = show_agent(find_trusted(), name, surroundings().conversation)
    emit(_data(found), _lines(found), as_json)
    tell(*found.problems)


def _lines(found: ShownAgent) -> Iterator[Line]:
    agent = found.agent
    state = " (active)" if found.active else ""
    yield styled((f"{agent.title}", "bold"), f" {agent.id}{state}")
    yield agent.mission
    yield ""
    facts = (
        ("inputs", agent.inputs),
        ("outputs", agent.outputs),
        ("done when", agent.criteria),
        ("hands over to", ", ".join(agent.handoff)),
        ("memories", ", ".join(agent.sectors)),
        ("tools", ", ".join(agent.tools)),
        ("model", agent.model),
        ("forms", ", ".join(agent.templates)),
        ("also called", ", ".join(found.aliases)),
        ("file", f"{agent.source}{' (in place of the packaged one)' if found.overrides else ''}"),
        ("rules in", found.domain),
    )
    yield from table([row for row in facts if row[1]])
    yield from _listed("Steps", [f"{number}. {text}" for number, text in enumerate(agent.steps, 1)])
    yield from _listed("Checklist", agent.checklist)
    yield from _listed("Authority", agent.authority)
    yield from _listed("Rules", [f"- {text}" for text in agent.rules])
    if agent.commands:
        yield from ("", styled(("Commands", "bold")))
        yield from table([(one.name, one.description) for one in agent.commands], indent="  ")


def _listed(heading: str, texts: list[str] | tuple[str, ...]) -> Iterator[Line]:
    if texts:
        yield from ("", styled((heading, "bold")))
        yield from (f"  {text}" for text in texts)


def _data(found: ShownAgent) -> dict[str, object]:
    agent, persona = found.agent, found.agent.persona
    greetings = {level: getattr(persona, level) for level in GREETINGS} if persona else {}
    return {
        **agent.__dict__,
        "commands": [one.__dict__ for one in agent.commands],
        "persona": {**persona.__dict__, "greetings": greetings} if persona else None,
        **{key: value for key, value in found.__dict__.items() if key != "agent"},
        "problems": [str(problem) for problem in found.problems],
    }


@click.command()
@click.argument("agent_id", metavar="ID")
@click.option("--title", default="", help="Its name for people; the id if left out.")
@click.option("--mission", default="", help="What it is for, in a line.")
@click.option(
    "--from",
    "source",
    default="",
    metavar="FILE",
    help="Take over another tool's file: a subagent, or an agent of SYNAPSE's.",
)
@json_option
def new(agent_id: str, title: str, mission: str, source: str, as_json: bool) -> None:
    """Create an agent of your own for this project.

    Its file is .limpet/agents/ID.md. It can be activated at once; edit the file to say what it checks, may do and
    hands over. Its rules can also stand in a domain AGENT_ID.

    \b
    Examples:
      limpet agent new marketing-lead --mission "Plan and write campaigns"
      limpet agent new reviewer --from .claude/agents/code-reviewer.md
    """
    made = new_agent(require_workspace(), agent_id, title, mission, source)
    lines = [f"Created {made.file}. Edit it, then run: limpet agent activate {made.id}"]
    if made.was_name_of:
        lines.append(f"{made.id} was another name of {made.was_name_of}; it is an agent of its own now.")
    if made.text_of:
        lines.append(
            f"The text of {made.text_of} is kept below for people. The model gets what of it stands in steps, checklist"
            f" and rules: limpet agent show {made.id}"
        )
    emit({**json_fields(made), "problems": [str(problem) for problem in made.problems]}, lines, as_json)
    tell(*made.problems)
