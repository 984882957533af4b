"""Tiers (chati.dev V7.1 section 4.6, decision 20): the score's band, raised by counts."""

from __future__ import annotations

from math import inf

from limpet.memory.model.attention import attention, band, best_relevance, half_life, last_use

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.memory.model.card import Card


def current_tier(card: Card, now: float, settings: dict[str, Any]) -> str:
    """Return the tier that the entry has now, by the best score over the agents that may read it.

    A reached count holds for one half-life after the last access or evidence, and while the entry is pinned.
    """
    relevance = best_relevance(card.sector, card.owner, settings)
    tier = band(attention(card, relevance, now, settings), settings)
    support = min(now, max(last_use(card), card.last_evidence))
    if now > (inf if card.pinned else support + half_life(card, settings)):
        return tier
    needed = settings["promote"]
    if tier == "cold" and (card.accesses >= needed["warm_accesses"] or card.evidence >= needed["warm_evidence"]):
        tier = "warm"
    if tier == "warm" and card.confidence > needed["hot_confidence"] and card.evidence >= needed["hot_evidence"]:
        tier = "hot"
    return tier


def first_tier(confidence: float, sector: str, owner: str, settings: dict[str, Any]) -> str:
    """Return the tier of an entry that is written now and that nobody used yet."""
    return band(best_relevance(sector, owner, settings) * confidence, settings)
