"""Tiers and the reasons for them (chati.dev V7.1 section 4.6, decision 20): the score's band, raised by counts."""

from __future__ import annotations

from math import inf

from holdfast.ground.clock import iso
from holdfast.memory.model.attention import access_factor, attention, band, decay, half_life, last_use
from holdfast.memory.model.sectors import best_relevance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from holdfast.memory.model.card import Card


def tier_of(card: Card, now: float, settings: dict[str, Any]) -> tuple[str, str]:
    """Return (the tier, a sentence that gives the reason and the figures).

    The score is the best over the agents that may read the entry.
    """
    score = attention(card, best_relevance(card.sector, card.owner, settings), now, settings)
    by_score = band(score, settings)
    why = f"Score {score:.3f} is {_limits(by_score, settings)}: {_factors(card, now, settings)}."
    end = held_until(card, now, settings)
    if now > end:
        return by_score, why
    tier, counted = _promote(card, by_score, settings)
    held = "while it is pinned" if card.pinned else f"until {iso(end)[:10]}"
    return tier, f"{counted}, {held}. {why}" if counted else why


def current_tier(card: Card, now: float, settings: dict[str, Any]) -> str:
    """Return the tier alone, as ``tier_of`` does, for the prompt hook, which needs no reason."""
    by_score = band(attention(card, best_relevance(card.sector, card.owner, settings), now, settings), settings)
    return by_score if now > held_until(card, now, settings) else _promote(card, by_score, settings)[0]


def first_tier(confidence: float, sector: str, owner: str, settings: dict[str, Any]) -> str:
    """Return the tier of an entry that is written now and that nobody used yet."""
    return band(best_relevance(sector, owner, settings) * confidence, settings)


def held_until(card: Card, now: float, settings: dict[str, Any]) -> float:
    """Return until when a reached count holds: one half-life after the last access or evidence; infinity where
    pinned."""
    return inf if card.pinned else min(now, last_support(card)) + half_life(card, settings)


def last_support(card: Card) -> float:
    """Return when the entry was last made, used or seen to be true, in seconds since 1970."""
    return max(last_use(card), card.last_evidence)


def _promote(card: Card, tier: str, settings: dict[str, Any]) -> tuple[str, str]:
    """Return (the tier that the counts make of ``tier``, the count that did it)."""
    counted = ""
    if tier == "cold" and (counted := _reason_for_warm(card, settings["promote"])):
        tier = "warm"
    if tier == "warm" and (counted_hot := _reason_for_hot(card, settings["promote"])):
        return "hot", counted_hot
    return tier, counted


def _reason_for_warm(card: Card, needed: dict[str, Any]) -> str:
    if card.accesses >= needed["warm_accesses"]:
        return f"Warm by {card.accesses} accesses (from {needed['warm_accesses']})"
    if card.evidence >= needed["warm_evidence"]:
        return f"Warm by evidence {card.evidence} (from {needed['warm_evidence']})"
    return ""


def _reason_for_hot(card: Card, needed: dict[str, Any]) -> str:
    if card.confidence > needed["hot_confidence"] and card.evidence >= needed["hot_evidence"]:
        return (
            f"Hot by confidence {card.confidence:g} (above {needed['hot_confidence']:g}) "
            f"and evidence {card.evidence} (from {needed['hot_evidence']})"
        )
    return ""


def _limits(tier: str, settings: dict[str, Any]) -> str:
    hot, warm = settings["hot_above"], settings["warm_from"]
    return {"hot": f"above {hot:g}", "warm": f"from {warm:g} to {hot:g}", "cold": f"below {warm:g}"}[tier]


def _factors(card: Card, now: float, settings: dict[str, Any]) -> str:
    relevance = best_relevance(card.sector, card.owner, settings)
    return (
        f"relevance {relevance:g} x decay {decay(card, now, settings):.2f} "
        f"x accesses {access_factor(card.accesses, settings):.2f} x confidence {card.confidence:g}"
    )
