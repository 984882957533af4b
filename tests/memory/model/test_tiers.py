"""Tiers: every row of the seed's table of transitions (chati.dev V7.1 section 4.6), and how long a count holds."""

import pytest
from hypothesis import given

from limpet.memory.model.attention import attention, band, best_relevance, current_tier

from ..cards import DAY, NOW, QUICK, SETTINGS, cards, days_ago, make_card


@pytest.mark.parametrize(
    ("row", "card", "tier"),
    [
        ("HOT: score above 0.7", make_card(confidence=0.71), "hot"),
        ("WARM: score of 0.7", make_card(confidence=0.7), "warm"),
        ("WARM: score of 0.3", make_card(confidence=0.3), "warm"),
        ("COLD: score below 0.3", make_card(confidence=0.29), "cold"),
        ("COLD -> WARM: 2 accesses do not", make_card(confidence=0.2, accesses=2), "cold"),
        ("COLD -> WARM: 3 accesses do", make_card(confidence=0.2, accesses=3), "warm"),
        ("COLD -> WARM: evidence 1 does not", make_card(confidence=0.2, evidence=1), "cold"),
        ("COLD -> WARM: evidence 2 does", make_card(confidence=0.2, evidence=2), "warm"),
        ("WARM -> HOT: evidence 5, confidence 0.7 does not", make_card(confidence=0.7, evidence=5), "warm"),
        (
            "WARM -> HOT: evidence 4, confidence 0.8 does not",
            make_card(confidence=0.8, evidence=4, created=days_ago(7)),
            "warm",
        ),
        (
            "WARM -> HOT: evidence 5, confidence 0.8 does",
            make_card(confidence=0.8, evidence=5, created=days_ago(7)),
            "hot",
        ),
        (
            "COLD -> WARM -> HOT: both counts at once",
            make_card(confidence=0.8, evidence=5, created=days_ago(99), last_evidence=days_ago(1)),
            "hot",
        ),
        ("HOT -> WARM: by decay", make_card(confidence=0.9, created=days_ago(14)), "warm"),
        ("HOT -> COLD: by decay", make_card(confidence=0.9, created=days_ago(28)), "cold"),
        (
            "HOT -> WARM: a count that has run out no longer holds",
            make_card(confidence=0.8, evidence=5, created=days_ago(15)),
            "warm",
        ),
        (
            "WARM -> COLD: a count that has run out no longer holds",
            make_card(confidence=0.5, accesses=3, last_accessed=days_ago(15), created=days_ago(20)),
            "cold",
        ),
    ],
)
def test_the_seeds_table_of_tiers(row, card, tier):
    assert current_tier(card, NOW, SETTINGS) == tier


@pytest.mark.parametrize("storage", ["session", "daily", "durable"])
@pytest.mark.parametrize("support", ["created", "last_accessed", "last_evidence"])
def test_a_count_holds_one_half_life_after_the_last_access_or_evidence(storage, support):
    days = SETTINGS["half_life_days"][storage]
    card = make_card(storage=storage, confidence=0.2, evidence=2, created=1.0).replace(**{support: NOW})
    assert current_tier(card, NOW + days * DAY, SETTINGS) == "warm"
    assert current_tier(card, NOW + days * DAY + 1, SETTINGS) == "cold"


def test_what_is_pinned_keeps_the_tier_of_its_counts():
    card = make_card(confidence=0.8, evidence=5, pinned=True, created=days_ago(5000))
    card = card.replace(owner="dev", sector="reflective")
    assert current_tier(card, NOW, SETTINGS) == "hot"


@QUICK
@given(cards)
def test_counts_only_ever_raise_the_band_of_the_score(card):
    order = ("cold", "warm", "hot")
    relevance = best_relevance(card.sector, card.owner, SETTINGS)
    least = band(attention(card, relevance, NOW, SETTINGS), SETTINGS)
    assert order.index(current_tier(card, NOW, SETTINGS)) >= order.index(least)


def test_a_private_entry_is_judged_by_its_owners_sectors():
    private = make_card(confidence=0.9).replace(owner="dev", sector="reflective")
    assert current_tier(private, NOW, SETTINGS) == "warm"
    assert current_tier(private.replace(owner="shared"), NOW, SETTINGS) == "hot"
