"""What the prompt hook knows of agents: JSON that the mirror's compiler makes of their files. On the prompt path while
an agent is in force."""

from __future__ import annotations

from limpet import __version__
from limpet.ground.config.defaults import CACHE_BYTES
from limpet.ground.config.mirror import run_compiler, start_compiler
from limpet.ground.formats.json_text import dumps, read_object
from limpet.ground.storage.files import read_text, write_if_possible
from limpet.roles.roster import AGENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from limpet.ground.clock import Patience
    from limpet.ground.workspace import Workspace

    Entry = dict[str, Any]
    """An agent as ``operations.mirror`` writes it."""


def compiled_path(workspace: Workspace) -> str:
    return workspace.cached("agents.json")


def read_compiled(workspace: Workspace) -> dict[str, Any]:
    return _parse(read_text(compiled_path(workspace), CACHE_BYTES))


def read_agent(workspace: Workspace, agent_id: str, made: dict[str, Entry] | None, patience: Patience) -> Entry:
    """What is known of the agent, empty for one without a file.

    ``made``: the agents, where the mirror's compiler has just told them. Where nobody compiled them yet, the compiler
    is run with ``patience``; where it fails, it is started once more, and nobody waits for it.
    """
    if workspace.stranger:
        return {}
    agents = made or read_compiled(workspace).get("agents")
    if agents is None:
        agents = _compile(workspace, patience)
    found = agents.get(agent_id)
    return found if isinstance(found, dict) else {}


def names_of(workspace: Workspace, ids: Collection[str]) -> dict[str, str]:
    """Return each name of these agents -> its id; an alias that is an agent's id is none."""
    agents = read_compiled(workspace).get("agents", {})
    names = {}
    for agent_id in ids:
        names.update(dict.fromkeys(agents.get(agent_id, {}).get("aliases", ()), agent_id))
    for agent_id in AGENTS:
        names.pop(agent_id, None)
    return {**names, **dict(zip(ids, ids, strict=True))}


def _compile(workspace: Workspace, patience: Patience) -> dict[str, Entry]:
    made = _parse(run_compiler(workspace, patience))
    if "agents" in made:
        agents: dict[str, Entry] = made["agents"]
        return agents
    if write_if_possible(compiled_path(workspace), dumps({"product": __version__, "sources": {}, "agents": {}})):
        start_compiler(workspace)
    return {}


def _parse(text: str | None) -> dict[str, Any]:
    data = read_object(text)
    return data if data.get("product") == __version__ and isinstance(data.get("agents"), dict) else {}
