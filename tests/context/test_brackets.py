"""Brackets and what they allow (decisions 1, 2, 6, 7)."""

import pytest

from limpet.context.usage import active_layers, bracket_of, memory_level

from ..strategies import CONTEXT


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
