"""Attention: the figures of decision 20, and the laws that make it forget."""

from math import inf, isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.memory.model.attention import attention, band, time_free_score

from ..cards import DAY, NOW, QUICK, SETTINGS, cards, make_card

levels = st.floats(0.01, 1)


@pytest.mark.parametrize(
    ("card", "relevance", "score"),
    [
        (make_card(confidence=0.76, accesses=3), 1.0, 0.912),
        (make_card(confidence=0.76, accesses=3, created=NOW - 14 * DAY), 1.0, 0.456),
        (make_card(confidence=0.6), 0.75, 0.45),
        (make_card(storage="session", created=NOW - DAY), 1.0, 0.5),
        (make_card(storage="durable", created=NOW - 90 * DAY), 1.0, 0.5),
        (make_card(storage="daily", created=NOW - 28 * DAY), 1.0, 0.25),
        (make_card(confidence=0.5, accesses=1), 1.0, 0.55),
        (make_card(confidence=0.5, accesses=31), 1.0, 0.75),
        (make_card(confidence=0.5, accesses=1_000_000), 1.0, 0.75),
        (make_card(accesses=31), 1.0, 1.0),
        (make_card(created=NOW - 100 * DAY, last_accessed=NOW), 1.0, 1.0),
        (make_card(created=NOW, last_accessed=NOW - 100 * DAY), 1.0, 1.0),
        (make_card(created=NOW + 9 * DAY, confidence=0.5), 1.0, 0.5),
        (make_card(confidence=0.5, pinned=True, created=NOW - 9999 * DAY), 1.0, 0.5),
        (make_card(created=0.0), 1.0, 0.0),
    ],
    ids=(
        "the worked example fresh",
        "the worked example a half-life later",
        "another sector",
        "session halves in a day",
        "durable halves in ninety",
        "two half-lives quarter",
        "one access is a step",
        "thirty-one accesses reach the most",
        "no number of accesses exceeds it",
        "clamped to one",
        "an access restarts the decay",
        "a creation after the access counts",
        "the future is no idleness",
        "pinned does not decay",
        "without any date it is forgotten",
    ),
)
def test_attention_is_the_product_of_decision_20(card, relevance, score):
    assert attention(card, relevance, NOW, SETTINGS) == pytest.approx(score, abs=1e-9)


@pytest.mark.parametrize(
    ("score", "tier"),
    [(1.0, "hot"), (0.7001, "hot"), (0.7, "warm"), (0.3, "warm"), (0.2999, "cold"), (0.0, "cold")],
)
def test_bands_are_hot_above_and_warm_from(score, tier):
    assert band(score, SETTINGS) == tier


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
