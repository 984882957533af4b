"""How full the window is (decision 3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.context.usage import UsageFigures, active_layers, bracket_of, measure, memory_level

from ..strategies import CONTEXT, QUICK

REPORTED = {"status_used": 60_000, "status_window": 500_000, "transcript_used": 50_000}


@pytest.mark.parametrize(
    ("figures", "used", "window", "remaining", "source"),
    [
        ({"transcript_used": 50_000}, 50_000, 200_000, 75.0, "transcript"),
        ({**REPORTED, "status_size": 900, "transcript_at": 800}, 60_000, 500_000, 88.0, "host"),
        ({**REPORTED, "status_size": 700, "transcript_at": 800}, 50_000, 500_000, 90.0, "transcript"),
        ({"payload_used": 10_000, "status_used": 60_000, "status_size": 9}, 10_000, 200_000, 95.0, "payload"),
        ({"status_used": 190_000, "status_size": 500, "void_before": 600, "begun": True}, 0, 200_000, 100.0, "start"),
        ({"begun": True}, 0, 200_000, 100.0, "start"),
        ({"prompts": 40}, 60_000, 200_000, 70.0, "estimate"),
        ({"transcript_used": 300_000}, 300_000, 1_000_000, 70.0, "transcript"),
    ],
    ids=["transcript", "host newest", "host older", "payload", "before a compaction", "begun", "prompts", "more used"],
)
def test_the_best_figure_is_used(figures, used, window, remaining, source):
    """More used than the window holds means a larger window: 200,000 as a constant gave false alarms."""
    found = measure(UsageFigures(model="claude-haiku-4-5", **figures), CONTEXT)
    assert (found.used, found.window, found.remaining, found.source) == (used, window, remaining, source)


@pytest.mark.parametrize(
    ("model", "window"),
    [
        ("", 1_000_000),
        ("unheard-of", 1_000_000),
        ("us.anthropic.claude-opus-4-20250514-v1:0", 200_000),
        ("claude-sonnet-4-5-20250929", 200_000),
        ("claude-sonnet-4-5[1m]", 1_000_000),
        ("claude-opus-5-20260101", 1_000_000),
    ],
)
def test_the_window_is_the_models(model, window):
    """By family from the configuration, by the client's own mark; of an unknown model it is no small one."""
    assert measure(UsageFigures(transcript_used=1, model=model), CONTEXT).window == window


@QUICK
@given(st.integers(0, 10**7), st.integers(1, 10**7), st.sampled_from(["", "claude-opus-5", "x[1m]"]))
def test_remaining_is_always_a_percentage(used, window, model):
    """0 to 100, whatever the figures."""
    assert 0 <= measure(UsageFigures(transcript_used=used, status_window=window, model=model), CONTEXT).remaining <= 100


@pytest.mark.parametrize(
    ("remaining", "bracket"),
    [
        (100, "FRESH"),
        (60, "FRESH"),
        (59.9, "MODERATE"),
        (40, "MODERATE"),
        (39.9, "DEPLETED"),
        (25, "DEPLETED"),
        (24.9, "CRITICAL"),
        (0, "CRITICAL"),
    ],
)
def test_the_bounds_belong_to_the_better_bracket(remaining, bracket):
    """Decision 2: FRESH from 60, MODERATE from 40, DEPLETED from 25, CRITICAL below."""
    assert bracket_of(remaining, CONTEXT) == bracket


@pytest.mark.parametrize(
    ("bracket", "layers"),
    [
        ("FRESH", "L0 L1 L2 L3 L4 L5 L6 L7"),
        ("MODERATE", "L0 L1 L2 L3 L4 L5 L6 L7"),
        ("DEPLETED", "L0 L1 L2 L7"),
        ("CRITICAL", "L0 L1 L7"),
    ],
)
def test_each_bracket_has_its_layers(bracket, layers):
    """Decision 1."""
    assert active_layers(bracket, "agent", CONTEXT) == tuple(layers.split())


@pytest.mark.parametrize(
    ("executor", "bracket", "layers"),
    [
        ("worker", "FRESH", "L0 L1 L7"),
        ("human", "FRESH", "L0 L1 L4 L7"),
        ("human", "DEPLETED", "L0 L1 L7"),
        ("clone", "FRESH", "L0 L1 L2 L4 L7"),
        ("clone", "CRITICAL", "L0 L1 L7"),
        ("unheard-of", "DEPLETED", "L0 L1 L2 L7"),
    ],
)
def test_an_executor_has_what_its_bracket_allows_too(executor, bracket, layers):
    """Decision 7: the two are intersected, typed commands survive, an unknown executor is an agent."""
    assert active_layers(bracket, executor, CONTEXT) == tuple(layers.split())


def test_memory_grows_as_the_window_empties():
    """Decision 6: relevant, metadata, chunks, full; none at all for workers and humans."""
    levels = [memory_level(bracket, "agent", CONTEXT) for bracket in ("FRESH", "MODERATE", "DEPLETED", "CRITICAL")]
    assert levels == ["relevant", "metadata", "chunks", "full"]
    assert {memory_level("CRITICAL", executor, CONTEXT) for executor in ("worker", "human")} == {"none"}
    assert memory_level("CRITICAL", "clone", CONTEXT) == "full"
