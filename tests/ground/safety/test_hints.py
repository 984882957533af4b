"""Hints: the rows that may match are found by them, in order, each once."""

from limpet.ground.safety.hints import by_hint, hinted
from limpet.ground.safety.redaction import redact


def test_rows_are_found_by_any_of_their_hints_in_order():
    """A row with two hints in the text counts once; one without is left out."""
    table = by_hint([(("b", "c"), 0), (("z",), 1), (("a", "b"), 2)])
    assert hinted(table, "a b c") == [0, 2]
    assert hinted(table, "y") == []


def test_the_kind_of_a_secret_is_that_of_the_first_row_that_knows_it():
    """The rows go in the order of their table, whichever hint stands first in the text."""
    text = "OPENAI sk-" + "ant-api03-Zk4Qw8Lm2Np6Rt0Vx9Yb3Df7"
    assert redact(text) == "OPENAI [redacted:anthropic-key]"
