"""The agent in force as the block has it: what its file says, and the rules of its domain."""

from __future__ import annotations

from holdfast.context.values import Agent
from holdfast.engine.block.choose import triggered_by
from holdfast.ground.digest import digest
from holdfast.roles.compiled import read_agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.engine.event_context import Chosen, EventContext


def find_agent(context: EventContext, chosen: Chosen) -> tuple[Agent, str]:
    """Return the agent in force, and the note on a mistake in its file, "" for none."""
    name = context.in_force.agent
    said = read_agent(context.workspace, name, context.mirror.agents, context.patience("compiler_deadline"))
    numbers = [number for number in triggered_by(context, chosen.plan) if number in chosen.records]
    records = [chosen.records[number] for number in numbers]
    agent = Agent(
        name=name,
        mission=said.get("mission", ""),
        inputs=said.get("inputs", ""),
        outputs=said.get("outputs", ""),
        criteria=said.get("criteria", ""),
        checklist=tuple(said.get("checklist", ())),
        commands=tuple(said.get("commands", ())),
        authority=_each_once(*(record["authority"] for record in records), said.get("authority", ())),
        rules=_each_once(*(record["rules"] for record in records), said.get("rules", ())),
    )
    mistake = said.get("mistake", "")
    note = f"{mistake} (holdfast agent show {name})" if mistake else ""
    return agent.replace(digest=digest(repr(agent))), note


def _each_once(*groups: Iterable[str]) -> tuple[str, ...]:
    """Return the texts of all groups, one that is in two of them once."""
    return tuple(dict.fromkeys(text for group in groups for text in group))
