"""The permission mode, set by a person for the project or for one conversation."""

from __future__ import annotations

from limpet.ground.config.mirror import read_mirror
from limpet.ground.config.settings import origins, read_layers
from limpet.ground.errors import LimpetError
from limpet.ground.event_log.append import Actor
from limpet.ground.event_log.record import record
from limpet.ground.workspace import Workspace
from limpet.operations.approval import Obtain
from limpet.operations.project import open_unasked
from limpet.operations.work.choices import Chosen, choose
from limpet.work.in_force import CONVERSATION_KEYS, find_in_force, find_modes
from limpet.work.modes import PERMISSIONS, resolve_permission
from limpet.work.project import NAME
from limpet.work.session import read_state

KEY = "permission"
SET = "guard.mode"
# What a mode has agents do, None for none.
MEANS = {
    "explore": "agents ask before all that is not known as reading",
    "ask": "agents ask before all that changes something",
    "auto": "agents ask before nothing; what the guard denies stays denied",
    None: "the coding agent's own mode decides",
}


def find_mode(workspace: Workspace, conversation: str) -> tuple[str, str]:
    """Return the permission mode in force in the conversation ("" for the project), and what sets it."""
    project, state = open_unasked(workspace), read_state(workspace, conversation)
    name = find_modes(find_in_force(project.session, state), project.settings)[1]
    if state.get(CONVERSATION_KEYS[KEY]):
        return name, f"session {conversation}"
    return name, NAME if project.session.get(KEY) else origins(read_layers(workspace))["guard", KEY]


def set_mode(workspace: Workspace, obtain: Obtain, name: str | None, conversation: str | None, now: float) -> Chosen:
    """Set the permission mode by its name or alias, on a person's word; None clears it, so that the host's own mode
    decides.

    Raises LimpetError for an unknown mode and an unknown conversation.
    """
    found = resolve_permission(name) if name else None
    if name and found is None:
        raise LimpetError(f"Unknown permission mode: {name}", hint=f"Use {', '.join(PERMISSIONS)}.")
    where = f"conversation {conversation}" if conversation else "this project"
    obtain(f"Set the permission mode of {where} to {found or 'none'}: {MEANS[found]}")
    chosen = choose(open_unasked(workspace), KEY, found, conversation)
    actor = Actor(writer="limpet guard mode", now=now, retention=read_mirror(workspace).settings["retention"])
    record(workspace, actor, SET, {KEY: found, "in": chosen.place})
    return chosen
