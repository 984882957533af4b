"""For whom an entry of the knowledge is. Apart from the briefing, because the prompt hook asks it too."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

# Agent, or what the seed calls an observer -> the roles of the Shaktra Intelligence System.
ROLES: dict[str, tuple[str, ...]] = {
    "dev": ("developer", "sw-engineer"),
    "test-agent": ("developer", "sw-engineer"),
    "qa-planning": ("sw-quality", "cr-analyzer"),
    "qa-implementation": ("sw-quality", "cr-analyzer"),
    "architect": ("architect",),
    **dict.fromkeys(("orchestrator", "phases", "tasks", "devops", "memory-curator"), ("sdm",)),
}


def roles_of(agent: str, settings: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """As ``learning.roles`` has them; () for an agent of which nothing is known, to whom all is shown."""
    return tuple(settings.get(agent) or ROLES.get(agent, ()))


def is_for(roles: Collection[str], wanted: Collection[str]) -> bool:
    """Whether what is for the roles ``wanted``, () for everybody, is for whoever has ``roles``, () for unknown ones."""
    return not (roles and wanted) or not set(roles).isdisjoint(wanted)
