"""``limpet agent show``: what an agent is, does and may."""

from __future__ import annotations

from collections.abc import Iterator

import click

from limpet.cli.caller import surroundings
from limpet.cli.completion import complete_agent
from limpet.cli.output import emit, find_trusted, json_option, tell
from limpet.cli.screen import Line, styled
from limpet.cli.table import table
from limpet.operations.agents.show import Shown, show_agent
from limpet.roles.agent import GREETINGS


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


def _lines(found: Shown) -> Iterator[Line]:
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


def _data(found: Shown) -> dict[str, object]:
    agent, persona = found.agent, found.agent.persona
    greetings = {level: getattr(persona, level) for level in GREETINGS} if persona else {}
    return {
        **agent.__dict__,
        "commands": [one.__dict__ for one in agent.commands],
        "persona": {**persona.__dict__, "greetings": greetings} if persona else None,
        **{key: value for key, value in found.__dict__.items() if key != "agent"},
        "problems": [str(problem) for problem in found.problems],
    }
