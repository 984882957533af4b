"""Finds the agent that a name stands for."""

from __future__ import annotations

from holdfast.ground.workspace import Workspace
from holdfast.roles.roster import ROLES, plain_id
from holdfast.work.in_force import resolve_agent


def find_id(workspace: Workspace, name: str, workflow: str) -> str:
    """Return the id of the agent that a name, an alias or the beginning of an id stands for under this workflow. Raise
    HoldfastError for an unknown one."""
    found = resolve_agent(name, workflow)
    if found:
        return found
    from holdfast.ground.text.lookup import resolve_name
    from holdfast.operations.work.pipeline import unknown_agent
    from holdfast.rules.plan.sources import own_agents

    own = own_agents(workspace)
    return resolve_name(plain_id(name), (*ROLES, *own), lambda: unknown_agent(name, own))
