"""A person's own memories, for all projects: written by the person only, read by the agents of every project."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.safety.dotenv import without_secrets
from limpet.ground.workspace import Workspace
from limpet.memory.model.entry import DURABLE
from limpet.memory.model.layout import personal_home
from limpet.memory.model.rights import refuse_agents
from limpet.memory.personal import has_personal_memories
from limpet.operations.caller import Caller
from limpet.operations.memory.library import PERSONAL, open_library, personal_workspace, update_index
from limpet.operations.memory.remember import Kept, remember
from limpet.operations.memory.upkeep import keep_up
from limpet.operations.project import Project, open_as

# Fields that tie a memory to a project, an agent or a conversation.
_TIES = ("paths", "agent", "session")


def remember_personal(
    project: Project, around: Workspace | None, fields: Mapping[str, Any], text: str = "", why: str = ""
) -> Kept:
    """Write a new personal memory; the secrets of the project ``around`` the person stay out of it too.

    Raises LimpetError, for an agent always, and for fields that tie it to a project.
    """
    refuse_agents(project.caller.reader, PERSONAL)
    tied = next((name for name in _TIES if fields.get(name)), "")
    if tied or fields.get("scope") == "private" or fields.get("storage", DURABLE) != DURABLE:
        what = "A personal memory is durable and applies to all projects and agents"
        raise LimpetError(what, "", "Omit --path, --agent, --private, --daily and --session.")
    if around is not None:
        fields = {name: _clean(around, value) for name, value in fields.items()}
        text = without_secrets(around, text)
    return remember(project, fields, text, why)


def refresh_personal(caller: Caller) -> None:
    """Bring the index of the personal memories up to date, where there are any."""
    if has_personal_memories():
        update_index(open_library(open_as(personal_workspace(), caller)))


def keep_up_personal(caller: Caller) -> None:
    """Do their daily maintenance, where there are any files. Raise LimpetError, for an agent always."""
    if os.path.isdir(personal_home()):
        keep_up(open_as(personal_workspace(), caller))


def _clean(around: Workspace, value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_clean(around, each) for each in value)
    return without_secrets(around, value) if isinstance(value, str) else value
