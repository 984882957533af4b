"""``limpet work agent``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from shlex import quote

import click

from limpet.cli.caller import obtain_for, open_project, surroundings
from limpet.cli.completion import complete_agent
from limpet.cli.groups import Commands
from limpet.cli.output import counted, emit, find_trusted, json_fields, json_option, require_workspace, table, tell
from limpet.cli.screen import Line, styled
from limpet.cli.work.view import session_option
from limpet.ground.workspace import Workspace
from limpet.hosts.capabilities import sub_agent_files
from limpet.operations.agents.activate import activate_agent, deactivate_agent
from limpet.operations.agents.known import ShownAgent, listed_agents, show_agent
from limpet.operations.agents.new import OWN, Made, new_agent, take_over_agents
from limpet.operations.framework import forms_of
from limpet.roles.agent import GREETINGS
from limpet.work.pipeline.briefing import briefing_data

# Offered each by its own command; of more, their folders are.
MOST_OFFERED = 3


@click.group(cls=Commands)
def agent() -> None:
    """Choose the active agent, show and make agents.

    \b
    Examples:
      limpet work agent show
      limpet work agent activate qa
      limpet work agent new marketing-lead
    """


@agent.command()
@click.argument("name", metavar="ID", shell_complete=complete_agent)
@session_option
@json_option
def activate(name: str, session_id: str | None, as_json: bool) -> None:
    """Activate an agent by its id or an alias.

    Prints what the agent needs to begin: where the project stands, the step that is due, memories, commands. A coding
    agent needs your word to leave the agent that is in force.

    \b
    Examples:
      limpet work agent activate dev
      limpet work agent activate @pm --session 5f0c2a
    """
    project = open_project()
    done = activate_agent(project, name, session_id, obtain_for(project.workspace))
    step = briefing_data(done.step) if done.step else None
    data = {"changed": done.chosen.changes, "in": done.chosen.place, "lines": list(done.lines), "step": step}
    emit(data, done.lines, as_json)
    if done.mistake:
        tell(f"{done.mistake} (limpet work agent show {done.agent})")


@agent.command()
@session_option
@json_option
def deactivate(session_id: str | None, as_json: bool) -> None:
    """Deactivate the active agent.

    \b
    Examples:
      limpet work agent deactivate
      limpet work agent deactivate --session 5f0c2a
    """
    project = open_project()
    left = deactivate_agent(project, session_id, obtain_for(project.workspace))
    emit({"changed": left.changes, "in": left.place}, [left.note], as_json)


def _list_agents(workspace: Workspace | None, as_json: bool) -> None:
    agents, problems = listed_agents(workspace, surroundings().conversation)
    rows: list[tuple[str, str, str]] = []
    own: set[str] = set()
    for one in agents:
        file = f" ({one.file})" if one.file else ""
        rows.append(("*" if one.active else "", one.id, f"{one.mission}{file}".strip()))
        if one.file:
            own.update((one.id, *one.aliases))
    found = sub_agent_files(workspace.root) if workspace else {}
    news = {file: name for file, name in found.items() if not {name, f"{OWN}{name}"} & own}
    offers = [f"  limpet work agent new {name} --from {quote(file)}" for file, name in news.items()]
    if len(offers) > MOST_OFFERED:
        folders = dict.fromkeys(file.rpartition("/")[0] for file in news)
        offers = [f"  limpet work agent new --from {quote(folder)}" for folder in folders]
    if offers:
        offers = ["", "To make agents of these subagents, run:", *offers]
    data = [{**one.__dict__, "aliases": list(one.aliases)} for one in agents]
    emit(data, [*table(rows, styles=("green", "bold")), *offers], as_json)
    tell(*problems)


@agent.command("show")
@click.argument("name", metavar="[ID]", default="", shell_complete=complete_agent)
@click.option("--forms", "only_forms", is_flag=True, help="Print the forms, gates and definitions that it works by.")
@json_option
def show_one_agent(name: str, only_forms: bool, as_json: bool) -> None:
    """Show what an agent does and may do, or list them all.

    In the list the active one is marked, and the project's own have their file behind them; subagents of your coding
    agent are named, so that you can make agents of them. With --forms the texts that an agent works by are printed. A
    file of the project's own, such as .limpet/templates/prd.md, takes the place of the packaged text.

    \b
    Examples:
      limpet work agent show
      limpet work agent show dev
      limpet work agent show @qa --json
      limpet work agent show tasks --forms > .limpet/stories/S-1/story.md
    """
    workspace = find_trusted()
    if not name:
        _list_agents(workspace, as_json)
        return
    found = show_agent(workspace, name, surroundings().conversation)
    if only_forms:
        forms = forms_of(workspace, found.agent)
        texts = [form.text.rstrip("\n") for form in forms[:1] if form.text]
        texts += [f"<!-- {form.name} -->\n{form.text.rstrip()}" for form in forms[1:] if form.text]
        emit({"forms": list(map(json_fields, forms))}, texts or [f"{found.agent.id} works by no form."], as_json)
        tell(*(form.problem for form in forms))
        return
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


@agent.command("new")
@click.argument("words", nargs=-1, metavar="[ID] [FILE]...")
@click.option("--title", default="", help="Its name for people; the id if left out.")
@click.option("--mission", default="", help="What it is for, in a line.")
@click.option(
    "--from",
    "sources",
    multiple=True,
    metavar="DIR|FILE",
    help="Take over another tool's file, or all in a folder: subagents, agents of SYNAPSE's.",
)
@json_option
def make_agent(words: tuple[str, ...], title: str, mission: str, sources: tuple[str, ...], as_json: bool) -> None:
    """Create an agent of your own for this project.

    Its file is .limpet/agents/ID.md. It can be activated at once; edit the file to say what it checks, may do and
    hands over. Its rules can also stand in a domain AGENT_ID. Of a packaged agent the file is copied, to be changed.
    With --from and no ID, an agent is made of each file, under its name; those files stay as they are.

    \b
    Examples:
      limpet work agent new marketing-lead --mission "Plan and write campaigns"
      limpet work agent new dev
      limpet work agent new reviewer --from .claude/agents/code-reviewer.md
      limpet work agent new --from .claude/agents
    """
    files = [word for word in words if sources and os.path.exists(word)]  # as a shell writes out --from agents/*.md
    names = [word for word in words if word not in files]
    sources = (*sources, *files)
    if len(names) > 1 or (names and (len(sources) > 1 or any(map(os.path.isdir, sources)))):
        raise click.UsageError("ID names one agent, of one file")
    if not names and not sources:
        raise click.UsageError("Missing argument 'ID'")
    if not names:
        if title or mission:
            raise click.UsageError("--title and --mission need an ID")
        _take_over(sources, as_json)
        return
    made = new_agent(require_workspace(), names[0], title, mission, "".join(sources))
    lines = [f"Created {made.file}. Edit it, then run: limpet work agent activate {made.id}", *_remarks(made)]
    if made.text_of:
        lines.append(
            f"The text of {made.text_of} is kept below for people. The model gets what of it stands in steps, checklist"
            f" and rules: limpet work agent show {made.id}"
        )
    emit(_made_data(made), lines, as_json)
    tell(*made.problems)


def _take_over(sources: tuple[str, ...], as_json: bool) -> None:
    done = take_over_agents(require_workspace(), sources)
    lines: list[Line] = [f"Created {counted(len(done.made), 'agent')} in .limpet/agents."]
    lines += [f"  {made.id}" for made in done.made]
    for made in done.made:
        lines += _remarks(made)
    left = [f"{file}: {why}" for file, why in done.left]
    emit({"agents": list(map(_made_data, done.made)), "left": [list(each) for each in done.left]}, lines, as_json)
    for made in done.made:
        tell(*made.problems)
    tell(*left)
    if not done.made:
        raise SystemExit(1)


def _remarks(made: Made) -> Iterator[str]:
    if made.for_name:
        yield f"{made.for_name} is a packaged agent, so this one is {made.id}: limpet work agent activate {made.id}"
    if made.was_name_of:
        yield f"{made.id} was another name of {made.was_name_of}; it is an agent of its own now."


def _made_data(made: Made) -> dict[str, object]:
    return {**json_fields(made), "problems": [str(problem) for problem in made.problems]}
