"""Makes the scene of a tool call: of the mirror, the conversation's state and the folders of private memory.

``make_scene`` is pure; ``find_places`` looks at the disk, once for each call.
"""

from __future__ import annotations

import os

from limpet.ground.storage.files import names_in
from limpet.ground.storage.user_folders import cache_folder, data_folder, state_folder
from limpet.ground.values import Value
from limpet.guard.call import BoundStory, Scene, read_table
from limpet.work.in_force import InForce, find_in_force, find_modes, resolve_agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from limpet.ground.config.mirror import Mirror
    from limpet.ground.event import Event
    from limpet.ground.workspace import Workspace
    from limpet.work.session import Session

MEMORIES = "memories"
# Folders in ``memories/`` that are no agent's, and those of them that hold folders of agents again.
COMMON = ("shared", "team")
PUT_AWAY = ("archive", "forgotten")


class Places(Value):
    """Absolute folders, links resolved; ``owners``: the folder of an agent's own memories -> the agent; ``kept``: what
    Limpet alone reads and writes, the user's data folder first."""

    root: str
    owners: dict[str, str]
    kept: tuple[str, ...]


def find_places(workspace: Workspace) -> Places:
    root = os.path.realpath(workspace.stranger or workspace.root)
    return Places(
        root=root,
        owners=_owners(os.path.join(workspace.shared, MEMORIES)),
        kept=(data_folder(), state_folder(), cache_folder()),
    )


def make_scene(event: Event, places: Places, mirror: Mirror, state: Session) -> Scene:
    found, settings = find_in_force(mirror.session, state), mirror.settings["guard"]
    agent = find_bound_agent(event, found)
    free = (agent, "", *read_table()["choosers"])
    is_own = found.agent in free or event.agent_type in settings.get("subagents", ())
    mode, permission = find_modes(found, mirror.settings)
    earlier, following = _around(mirror.session, agent) if found.has_steps else ((), ())
    return Scene(
        root=places.root,
        agent=agent,
        starter="" if is_own else found.agent,
        workflow=found.workflow,
        earlier=earlier,
        following=following,
        mode=mode if found.workflow else "",
        permission=permission,
        host_mode=event.host_mode,
        story=find_story(mirror, state),
        owners=places.owners,
        kept=places.kept,
        settings=settings,
    )


def find_bound_agent(event: Event, found: InForce) -> str:
    """Of a subagent whose type names none the conversation's, which sent it."""
    own = resolve_agent(event.agent_type, found.workflow, found.own_agents) if event.agent_type else None
    return own or found.agent


def find_story(mirror: Mirror, state: Session) -> BoundStory | None:
    """None where there is no story in force, or none that can be read."""
    task = state.get("task") or mirror.work.get("task")
    if not isinstance(task, dict) or task.get("problem") or not isinstance(task.get("id"), str):
        return None
    files = task.get("files")
    pairs = files if isinstance(files, list) else []
    return BoundStory(id=task["id"], files=tuple(str(pair[0]) for pair in pairs if isinstance(pair, list) and pair))


def has_unreadable_story(mirror: Mirror, state: Session) -> bool:
    task = state.get("task") or mirror.work.get("task")
    return isinstance(task, dict) and bool(task.get("problem"))


def _around(session: Mapping[str, Any], agent: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The agents of the steps before and after the agent's own."""
    steps = (*session["agents"],)
    if agent not in steps:
        return (), ()
    place = steps.index(agent)
    return steps[:place], steps[place + 1 :]


def _owners(memories: str) -> dict[str, str]:
    """Memories that were put away count too."""
    owners: dict[str, str] = {}
    for folder in (memories, *(os.path.join(memories, name) for name in PUT_AWAY)):
        agents = [name for name in names_in(folder) if "." not in name and name not in (*COMMON, *PUT_AWAY)]
        owners.update((os.path.join(folder, name), name) for name in agents)
    return owners
