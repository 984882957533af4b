"""The KEY=VALUE grammar (decision 15)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.rules.format.domain import is_key, is_true, read_lines, read_list

from ...strategies import QUICK, hostile


def test_the_first_equals_sign_divides_and_both_sides_are_trimmed():
    """No quoting, no continuation, and a # inside a value is part of it."""
    text = "# note\n\n  A = b = c # d \\\nB='x'\n=empty\nno divider\n"
    assert read_lines(text) == [(3, "A", "b = c # d \\"), (4, "B", "'x'"), (5, "", "empty"), (6, "no divider", None)]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_line_end_ends_a_line(end):
    """Line numbers are those of an editor."""
    assert read_lines(end.join(["A=1", "", "B=2"])) == [(1, "A", "1"), (3, "B", "2")]


@QUICK
@given(st.lists(hostile).map("\n".join))
def test_any_text_is_read_in_the_order_of_its_lines(text):
    """Numbers rise, nothing blank and no comment is among the lines."""
    found = read_lines(text)
    assert [number for number, _, _ in found] == sorted({number for number, _, _ in found})
    assert all(not key.startswith("#") and (key or value is not None) for _, key, value in found)


@QUICK
@given(st.dictionaries(st.from_regex(r"[A-Z][A-Z0-9_]{0,8}", fullmatch=True), st.text("ab =#,é", min_size=1)))
def test_what_was_written_is_read(pairs):
    """Keys and trimmed values come back."""
    text = "".join(f"{key}={value}\n" for key, value in pairs.items())
    assert [(key, value) for _, key, value in read_lines(text)] == [
        (key, value.strip()) for key, value in pairs.items()
    ]


@pytest.mark.parametrize(
    "text", ["active", "TRUE", "yes", "1", "On", "", "inactive", "no", "0", "off", "truely", " true"]
)
def test_few_words_switch_on_and_everything_else_off(text):
    """In any case of letters; a typing mistake is no consent."""
    assert is_true(text) == (text in ("active", "TRUE", "yes", "1", "On"))


def test_a_list_has_no_empty_entries():
    """CARL's empty entry matches every prompt (facts 1.9, defect 1)."""
    assert read_list(" a, ,b c,,") == ("a", "b c")
    assert read_list("") == read_list(" , ") == ()


@pytest.mark.parametrize(
    ("text", "key"), [("API_RULE_0", True), ("A-B", True), ("Set x", False), ("x", False), ("", False), ("0", False)]
)
def test_a_key_is_no_beginning_of_a_sentence(text, key):
    """A plain rule that happens to hold an equals sign stays a rule."""
    assert is_key(text) == key
