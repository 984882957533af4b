"""Memories as lines within tokens: whatever they say, a level's budget holds, and what stands there stands whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.context.block import render_line
from holdfast.engine.block.quoting import describe, describe_in, describe_together
from holdfast.ground.text.tokens import estimate_tokens
from holdfast.memory.model.card import Card

texts = st.text(max_size=400) | st.lists(st.sampled_from(["ledger", "a/b.py", "日本語", "&<>", "naïve", ". "])).map(
    " ".join
)
cards = st.builds(
    Card,
    id=st.uuids().map(lambda key: f"mem-2026-11-22-{key.hex[:8]}"),
    path=st.just("shared/daily/a.md"),
    owner=st.just("shared"),
    type=st.just("decision"),
    sector=st.just("semantic"),
    storage=st.just("daily"),
    title=texts,
    excerpt=texts,
    flags=st.sampled_from([(), ("order",)]),
    stale=st.booleans(),
)
listed = pytest.mark.parametrize("level", ["relevant", "metadata", "chunks"])


def cost(entries):
    """Tokens of the lines as the block renders them."""
    return sum(estimate_tokens(render_line(("", line))) for _, line in entries)


@listed
@given(found=st.lists(cards, max_size=8), tokens=st.integers(120, 400))
def test_a_levels_memories_keep_its_tokens(level, found, tokens):
    """Whatever their scripts and lengths; of what was left out nothing is told."""
    entries = describe_in(found, level, tokens) if level != "chunks" else describe_together(found[:1], level, tokens)
    assert cost(entries) <= tokens
    assert [name for name, _ in entries] == [card.id for card in found if card.id in dict(entries)]


@given(found=st.lists(cards, min_size=2, max_size=8), tokens=st.integers(120, 400))
def test_all_lines_after_the_first_stand_whole(found, tokens):
    """A line that does not fit makes room for the next one, and is not cut."""
    whole = {card.id: describe(card, "relevant", 0) for card in found}
    assert all(line == whole[name] for name, line in describe_in(found, "relevant", tokens)[1:])
