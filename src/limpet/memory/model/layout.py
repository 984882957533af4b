"""Paths of entries under ``memories/`` (chati.dev V7.1 section 4.2), with folders for archived and forgotten ones; and
of the knowledge, whose entries the index files beside them."""

from __future__ import annotations

import os

from limpet.ground.storage.user_folders import PERSONAL, data_folder
from limpet.ground.trust.consent import root_of
from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER, Workspace
from limpet.memory.model.entry import DURABLE, STORAGES

SHARED = "shared"
# The owner of what the people who share the repository share: git keeps its folder.
TEAM = "team"
ARCHIVE = "archive"
FORGOTTEN = "forgotten"
CURRENT = "current"
# Of what a teammate shared and the person did not look at.
WAITING = "waiting"
STATES = (CURRENT, ARCHIVE, FORGOTTEN, WAITING)
# The folder of what work taught, beside ``memories/``; and the state of its entries, which a query names that asks for
# them too.
KNOWLEDGE = "knowledge"
OF_ENTRY = "#"
"""Stands between the path of a file of the knowledge, which has many entries, and the id of one."""
ENDING = ".md"


class MemoryPlace(Value):
    """The meaning of a path from ``memories/``. ``owner``: ``shared``, ``team`` or an agent. ``group``: the
    conversation or day of its folder, "" for none. ``state``: ``current``, ``archive``, ``forgotten`` or
    ``knowledge``."""

    owner: str
    storage: str
    group: str = ""
    state: str = "current"


def memories(shared: str) -> str:
    return os.path.join(shared, "memories")


def team_memories(root: str) -> str:
    """Those that git keeps."""
    return os.path.join(root, FOLDER, "memories")


def folder_of(shared: str, path: str) -> str:
    """The ``memories/`` from which ``path`` counts."""
    return team_memories(root_of(shared)) if path.startswith(f"{TEAM}/") else memories(shared)


def full_path(shared: str, path: str) -> str:
    """``path`` is from ``memories/``, or of the knowledge."""
    is_knowledge = path.startswith(f"{KNOWLEDGE}/")
    folder = os.path.join(root_of(shared), FOLDER) if is_knowledge else folder_of(shared, path)
    return os.path.join(folder, *path.partition(OF_ENTRY)[0].split("/"))


def has_entries(workspace: Workspace) -> bool:
    kept = (workspace.path(KNOWLEDGE), os.path.join(team_memories(workspace.root), TEAM))
    return any(map(os.path.isdir, (memories(workspace.shared), *kept)))


def personal_home() -> str:
    return os.path.join(data_folder(), PERSONAL, FOLDER)


def read_place(path: str) -> MemoryPlace | None:
    """``path`` is from ``memories/``, with ``/``; None where no entry belongs."""
    parts = path.split("/")
    if parts[0] == KNOWLEDGE and len(parts) == 2:
        return MemoryPlace(owner=SHARED, storage=DURABLE, state=KNOWLEDGE)
    state = parts.pop(0) if parts[0] in (ARCHIVE, FORGOTTEN) else "current"
    if len(parts) not in (3, 4) or parts[1] not in STORAGES or not parts[-1].endswith(ENDING):
        return None
    return MemoryPlace(owner=parts[0], storage=parts[1], group=parts[2] if len(parts) == 4 else "", state=state)


def write_place(place: MemoryPlace, name: str) -> str:
    parts = [place.owner, place.storage, *([place.group] if place.group else []), name]
    return "/".join(parts if place.state == "current" else [place.state, *parts])


class Reader(Value):
    """Who asks. ``agent``: "" for an agent that nobody named, which sees what is shared. ``own``: whether the agent's
    own entries are for it: not where nobody said in which conversation it asks."""

    agent: str = ""
    person: bool = False
    own: bool = True


WHOLE_STORE = Reader(person=True)


def owners(reader: Reader) -> tuple[str, ...] | None:
    """Return the owners whose entries the reader may see, None for everybody's."""
    if reader.person:
        return None
    return (SHARED, TEAM, reader.agent) if reader.agent and reader.own else (SHARED, TEAM)


def may_read(reader: Reader, owner: str) -> bool:
    allowed = owners(reader)
    return allowed is None or owner in allowed
