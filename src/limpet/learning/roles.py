"""The roles of each agent, by which it gets its part of the knowledge (decision 33), and the kinds of work it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

# Agent, or what the seed calls an observer -> the roles of the Shaktra Intelligence System.
ROLES: dict[str, tuple[str, ...]] = {
    "dev": ("developer", "sw-engineer"),
    "test-agent": ("developer", "sw-engineer"),
    "qa-planning": ("sw-quality", "cr-analyzer"),
    "qa-implementation": ("sw-quality", "cr-analyzer"),
    "architect": ("architect",),
    **dict.fromkeys(("orchestrator", "phases", "tasks", "devops", "memory-curator"), ("sdm",)),
}
# Agent -> the kinds of work to which procedures apply; what is not named here builds.
WORK: dict[str, tuple[str, ...]] = {
    "qa-planning": ("review",),
    "qa-implementation": ("review",),
    "architect": ("analysis",),
    **dict.fromkeys(("orchestrator", "phases", "tasks", "devops"), ("tpm",)),
    **dict.fromkeys(("brief", "detail", "ux"), ("pm",)),
}
BUILDS = ("tdd", "bugfix")


def roles_of(agent: str, settings: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return the roles of an agent, as ``learning.roles`` has them where it names it; () for one of which nothing is
    known, to whom all is shown."""
    return tuple(settings.get(agent) or ROLES.get(agent, ()))


def work_of(agent: str) -> tuple[str, ...]:
    """Return the kinds of work that the agent does, as procedures name them."""
    return WORK.get(agent, BUILDS)
