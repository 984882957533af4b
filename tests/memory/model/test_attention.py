"""Attention: the figures of decision 20, and the laws that make it forget."""

from math import inf, isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.memory.model.attention import attention, band, best_relevance, current_tier, time_free_score

from ..cards import DAY, NOW, QUICK, SETTINGS, cards, days_ago, make_card


@pytest.mark.parametrize(
    ("why", "card", "relevance", "score"),
    [
        ("the worked example", make_card(confidence=0.76, accesses=3), 1.0, 0.912),
        ("a half-life later", make_card(confidence=0.76, accesses=3, created=NOW - 14 * DAY), 1.0, 0.456),
        ("another sector", make_card(confidence=0.6), 0.75, 0.45),
        ("session halves in a day", make_card(storage="session", created=NOW - DAY), 1.0, 0.5),
        ("durable halves in ninety", make_card(storage="durable", created=NOW - 90 * DAY), 1.0, 0.5),
        ("two half-lives quarter", make_card(storage="daily", created=NOW - 28 * DAY), 1.0, 0.25),
        ("one access is a step", make_card(confidence=0.5, accesses=1), 1.0, 0.55),
        ("thirty-one reach the most", make_card(confidence=0.5, accesses=31), 1.0, 0.75),
        ("no number exceeds it", make_card(confidence=0.5, accesses=1_000_000), 1.0, 0.75),
        ("clamped to one", make_card(accesses=31), 1.0, 1.0),
        ("an access restarts decay", make_card(created=NOW - 100 * DAY, last_accessed=NOW), 1.0, 1.0),
        ("a later creation counts", make_card(created=NOW, last_accessed=NOW - 100 * DAY), 1.0, 1.0),
        ("the future is no idleness", make_card(created=NOW + 9 * DAY, confidence=0.5), 1.0, 0.5),
        ("pinned does not decay", make_card(confidence=0.5, pinned=True, created=NOW - 9999 * DAY), 1.0, 0.5),
        ("forgotten without a date", make_card(created=0.0), 1.0, 0.0),
    ],
)
def test_attention_is_the_product_of_decision_20(why, card, relevance, score):
    assert attention(card, relevance, NOW, SETTINGS) == pytest.approx(score, abs=1e-9)


@pytest.mark.parametrize(
    ("score", "tier"), [(1.0, "hot"), (0.7001, "hot"), (0.7, "warm"), (0.3, "warm"), (0.2999, "cold"), (0.0, "cold")]
)
def test_bands_are_hot_above_and_warm_from(score, tier):
    assert band(score) == tier


@QUICK
@given(cards, st.floats(0, 1), st.floats(0, 500), st.floats(0, 500))
def test_attention_stays_within_zero_and_one_and_never_grows_by_waiting(card, relevance, first, second):
    early, late = sorted((first, second))
    scores = [attention(card, relevance, NOW + days * DAY, SETTINGS) for days in (early, late)]
    assert 1 >= scores[0] >= scores[1] >= 0


@QUICK
@given(cards, cards, st.floats(0, 500))
def test_heat_orders_entries_of_a_storage_class_as_attention_does_at_any_moment(one, other, days):
    other = other.replace(storage=one.storage, pinned=one.pinned)
    hotter, colder = sorted((one, other), key=lambda card: time_free_score(card, SETTINGS), reverse=True)
    timestamp = NOW + days * DAY
    scores = [attention(card, 1.0, timestamp, SETTINGS) for card in (hotter, colder)]
    assert scores[0] >= scores[1] or isclose(scores[0], scores[1], rel_tol=1e-6)


@QUICK
@given(cards.filter(lambda card: card.confidence > 0.001), st.floats(0, 30))
def test_attention_can_be_had_from_heat(card, days):
    timestamp = NOW + days * DAY
    age = 0 if card.pinned else timestamp / (SETTINGS["half_life_days"][card.storage] * DAY)
    expected = min(1.0, 0.9 * 2.0 ** (time_free_score(card, SETTINGS) - age))
    assert attention(card, 0.9, timestamp, SETTINGS) == pytest.approx(expected, rel=1e-6)


def test_no_confidence_is_the_coldest_of_all():
    assert time_free_score(make_card(confidence=0.0), SETTINGS) == -inf


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
    relevance = best_relevance(card.sector, card.owner)
    least = band(attention(card, relevance, NOW, SETTINGS))
    assert order.index(current_tier(card, NOW, SETTINGS)) >= order.index(least)


def test_a_private_entry_is_judged_by_its_owners_sectors():
    private = make_card(confidence=0.9).replace(owner="dev", sector="reflective")
    assert current_tier(private, NOW, SETTINGS) == "warm"
    assert current_tier(private.replace(owner="shared"), NOW, SETTINGS) == "hot"
