"""The attention that an entry is due (decision 20), computed on reading. It is never stored, so that nothing has to run
for an entry to fade."""

from __future__ import annotations

from math import inf, log2

from limpet.ground.storage.files import read_shipped
from limpet.memory.model.layout import SHARED, TEAM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.memory.model.entry import Card

    Settings = dict[str, Any]

DAY = 86_400.0
# How much attention grows each time the accesses double, and the most that they do.
ACCESS_STEP, ACCESS_MOST = 0.1, 1.5
# Without a query, by the rank that an entry's sector has for the active agent.
RELEVANCE = {"primary": 1.0, "secondary": 0.9, "other": 0.75}
# Attention above which an entry is hot, and from which it is warm.
HOT_ABOVE, WARM_FROM = 0.7, 0.3
# What makes a cold entry warm, and what together makes a warm one hot.
WARM_ACCESSES, WARM_EVIDENCE = 3, 2
HOT_CONFIDENCE, HOT_EVIDENCE = 0.7, 5


def attention(card: Card, relevance: float, now: float, settings: Settings) -> float:
    """Return 0 to 1: relevance x decay since the last use x accesses x confidence. ``now``: seconds since 1970."""
    return min(1.0, relevance * decay(card, now, settings) * strength(card))


def band(score: float) -> str:
    if score > HOT_ABOVE:
        return "hot"
    return "warm" if score >= WARM_FROM else "cold"


def time_free_score(card: Card, settings: Settings) -> float:
    """Return a score that orders entries of one storage class as their attention does at any time, before relevance and
    the limits: ``attention = relevance x 2 ** (time_free_score - now / half-life)``. Pinned entries are a class of
    their own, whose score holds no time. An entry of no confidence has minus infinity."""
    power = strength(card)
    if power <= 0:
        return -inf
    return log2(power) + (0.0 if card.pinned else last_use(card) / half_life(card, settings))


def decay(card: Card, now: float, settings: Settings) -> float:
    """Return 1 when just used, half after each half-life. A last use in the future, by a wrong clock, counts as now."""
    if card.pinned:
        return 1.0
    idle = max(0.0, now - last_use(card))
    power: float = 0.5 ** (idle / half_life(card, settings))
    return power


def strength(card: Card) -> float:
    return card.confidence * access_factor(card.accesses)


def access_factor(accesses: int) -> float:
    """Return 1 for no access, a step more with each doubling."""
    return min(ACCESS_MOST, 1.0 + ACCESS_STEP * log2(1 + max(0, accesses)))


def last_use(card: Card) -> float:
    return max(card.created, card.last_accessed)


def half_life(card: Card, settings: Settings) -> float:
    days: float = settings["half_life_days"][card.storage]
    return days * DAY


def preferred_sectors() -> dict[str, dict[str, str]]:
    """Return the ``primary`` and ``secondary`` sector of each agent (chati.dev V7.1 section 4.5)."""
    return read_shipped("sectors")


def sector_relevance(sector: str, agent: str) -> float:
    """Return 0 to 1; 1 without an agent, and for one that prefers no sector (the orchestrator, a project's own)."""
    preferred = preferred_sectors().get(agent) if agent else None
    if preferred is None:
        return 1.0
    rank = next((rank for rank, name in preferred.items() if name == sector), "other")
    return RELEVANCE[rank]


def best_relevance(sector: str, owner: str) -> float:
    """Return the best over the agents that may read the owner's entries, 0 to 1. What is shared also meets agents that
    prefer no sector; what is private meets its owner only."""
    return 1.0 if owner in (SHARED, TEAM) else sector_relevance(sector, owner)


def current_tier(card: Card, now: float, settings: dict[str, Any]) -> str:
    """By the best score over the agents that may read the entry. A reached count holds for one half-life after the last
    access or evidence, and while the entry is pinned."""
    relevance = best_relevance(card.sector, card.owner)
    tier = band(attention(card, relevance, now, settings))
    support = min(now, max(last_use(card), card.last_evidence))
    if now > (inf if card.pinned else support + half_life(card, settings)):
        return tier
    if tier == "cold" and (card.accesses >= WARM_ACCESSES or card.evidence >= WARM_EVIDENCE):
        tier = "warm"
    if tier == "warm" and card.confidence > HOT_CONFIDENCE and card.evidence >= HOT_EVIDENCE:
        tier = "hot"
    return tier


def first_tier(confidence: float, sector: str, owner: str) -> str:
    return band(best_relevance(sector, owner) * confidence)
