"""Passages: long messages divided, and the part of one that shows what was looked for."""

from hypothesis import given
from hypothesis import strategies as st

from limpet.memory.sessions import LEAD, SHOWN, session_excerpt, split_text


@given(text=st.text(max_size=400), longest=st.integers(min_value=1, max_value=60))
def test_no_word_is_lost_and_no_part_is_too_long(text, longest):
    parts = list(split_text(text, longest))
    assert all(0 < len(part) <= longest for part in parts)
    assert "".join("".join(parts).split()) == "".join(text.split())


def test_parts_end_at_lines_and_words_where_they_can():
    assert list(split_text("one two three\nfour five", 14)) == ["one two three", "four five"]
    assert list(split_text("one two three", 9)) == ["one two", "three"]


def test_an_excerpt_shows_the_first_word_that_was_looked_for():
    text = "filler " * 200 + "redis " + "more " * 200
    shown = session_excerpt(text, frozenset({"redi", "redis"}))
    assert shown.startswith("...filler")
    assert "redis" in shown[: LEAD + 20]
    assert len(shown) <= SHOWN + 3
    assert session_excerpt("Redis.\n\nYes.", frozenset({"redis"})) == "Redis. Yes."
