"""Kinds of memory that each agent prefers (chati.dev V7.1 section 4.5); the table is ``framework/sectors.json``."""

from __future__ import annotations

from holdfast.ground.formats.json_text import read_shipped
from holdfast.memory.model.layout import SHARED, TEAM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def preferences() -> dict[str, dict[str, str]]:
    """Return the ``primary`` and ``secondary`` sector of each agent."""
    return read_shipped("sectors")


def sector_relevance(sector: str, agent: str, settings: dict[str, Any]) -> float:
    """Return the relevance of a sector to an agent without a query, 0 to 1.

    It is 1 without an agent, and for an agent that prefers no sector (the orchestrator, a project's own).
    """
    preferred = preferences().get(agent) if agent else None
    if preferred is None:
        return 1.0
    rank = next((rank for rank, name in preferred.items() if name == sector), "other")
    figure: float = settings["relevance"][rank]
    return figure


def best_relevance(sector: str, owner: str, settings: dict[str, Any]) -> float:
    """Return the best relevance over the agents that may read the owner's entries, 0 to 1.

    What is shared also meets agents that prefer no sector; what is private meets its owner only.
    """
    return 1.0 if owner in (SHARED, TEAM) else sector_relevance(sector, owner, settings)
