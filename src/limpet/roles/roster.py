"""The ids of the thirteen shipped agents and their aliases; plain data, because the prompt hook reads it."""

from __future__ import annotations

AGENTS: tuple[str, ...] = tuple(
    "orchestrator greenfield-wu brownfield-wu brief detail architect ux phases tasks qa-planning dev qa-implementation"
    " devops".split()
)
"""Their ids, in the pipeline's order."""

ALIASES: dict[str, str] = {
    "pm": "detail",
    "po": "brief",
    "sm": "tasks",
    "qa": "qa-implementation",
    "analyst": "greenfield-wu",
    "data-engineer": "architect",
    "ux-design-expert": "ux",
    "aiox-master": "orchestrator",
    "squad-creator": "orchestrator",
}

BROWNFIELD_ALIASES: dict[str, str] = {"analyst": "brownfield-wu"}


def resolve_id(name: str, brownfield: bool = False) -> str | None:
    """Return the agent id that ``name`` (id or alias; ``@``, any case, ``_`` for ``-``) means; None when unknown."""
    key = plain_id(name)
    if brownfield and key in BROWNFIELD_ALIASES:
        return BROWNFIELD_ALIASES[key]
    return key if key in AGENTS else ALIASES.get(key)


def plain_id(name: str) -> str:
    return name.strip().removeprefix("@").lower().replace("_", "-")


def name_for(agent: str, names: list[str]) -> str:
    """The one of these ids and aliases whose rules are the agent's: its own id, else the first of its aliases in the
    roster's order, "" where none is. Never more than one: what shares an agent here were several roles elsewhere, of
    which one may what the other may not (decision 34)."""
    aliases = (alias for alias in ALIASES if agent in (ALIASES[alias], BROWNFIELD_ALIASES.get(alias)))
    return next((name for name in (agent, *aliases) if name and name in names), "")
