"""Finds the agent that a name stands for."""

from __future__ import annotations

from holdfast.ground.workspace import Workspace
from holdfast.roles.roster import AGENTS, plain_id
from holdfast.work.in_force import InForce, resolve_agent


def find_id(workspace: Workspace | None, name: str, before: InForce) -> str:
    """Return the id of the agent that a name, an alias or the beginning of an id stands for, given what is in force.
    Raise HoldfastError for an unknown one."""
    found = resolve_agent(name, before.workflow, before.own_agents)
    if found:
        return found
    from holdfast.ground.text.lookup import resolve_name
    from holdfast.operations.agents.known import own_agents
    from holdfast.operations.work.pipeline import unknown_agent

    own = own_agents(workspace) if workspace else ()
    return resolve_name(plain_id(name), (*AGENTS, *own), lambda: unknown_agent(name, own))
