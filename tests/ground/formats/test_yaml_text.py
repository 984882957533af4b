"""YAML text to plain data."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.errors import LimpetError
from limpet.ground.formats.yaml_text import DEEPEST, key_lines, load_yaml


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("no", "no"),
        ("yes", "yes"),
        ("on", "on"),
        ("off", "off"),
        ("012", 12),
        ("0o14", 12),
        ("0xff", 255),
        ("-7", -7),
        ("1_000", "1_000"),
        ("1:30", "1:30"),
        ("1e3", 1000.0),
        ("-.5", -0.5),
        (".inf", float("inf")),
        ("TRUE", True),
        ("false", False),
        ("~", None),
        ("", None),
        ("2026-11-21", "2026-11-21"),
        ("2026-11-21T12:00:00Z", "2026-11-21T12:00:00Z"),
        ("<<", "<<"),
        ("'1'", "1"),
    ],
)
def test_scalars_mean_what_yaml_1_2_says(written, value):
    """Only the core types are guessed from plain text; everything else stays text."""
    found = load_yaml(f"key: {written}\n", "f.yaml")
    assert found == {"key": value}
    assert type(found["key"]) is type(value)


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("a: 1\nb: 2\na: 3\n", "f.yaml:3", "duplicate key 'a'"),
        ("x:\n  a: 1\n  a: 1\n", "f.yaml:3", "duplicate key 'a'"),
        ("a: [\n", "f.yaml:2", "did not find expected"),
        ("a: 1\n\tb: 2\n", "f.yaml:2", "tab character"),
        ("a: 1\nb: \x01\n", "f.yaml:2", "forbidden character"),
        ("a: 1\nb: !!python/object:os.system {}\n", "f.yaml:2", "constructor"),
        ("a: 1\n---\nb: 2\n", "f.yaml:2", "another document"),
        ("? [1]\n: 2\n", "f.yaml:1", "unhashable"),
        ("a: &a [*a]\n", "f.yaml", "aliases"),
        ("a: \ud800\n", "f.yaml", "Invalid YAML"),
    ],
)
def test_what_cannot_be_read_is_named_with_file_and_line(text, where, what):
    """Broken syntax, twins, unsafe tags, second documents and forbidden characters are errors that say where."""
    with pytest.raises(LimpetError, match=what) as caught:
        load_yaml(text, "f.yaml")
    assert caught.value.where == where


def test_a_few_aliases_that_stand_for_billions_of_values_are_refused():
    """Data that would be unpayable once written out is an error, not a process out of memory."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    with pytest.raises(LimpetError, match="aliases"):
        load_yaml("\n".join(lines), "f.yaml")


@pytest.mark.parametrize("text", ["[" * 200_000 + "]" * 200_000, "- " * 200_000 + "x", "{a: " * 500 + "}" * 500])
def test_nesting_that_would_overrun_the_parser_is_an_error(text):
    """The C loader crashes the process on very deep nesting; such text is refused before it is built."""
    with pytest.raises(LimpetError, match=f"deeper than {DEEPEST}"):
        load_yaml(text, "f.yaml")


def test_every_key_path_has_its_line():
    """Lines count from one, through comments, nesting and flow mappings; a byte order mark is no part of a key."""
    text = "# top\na:\n  b: 1\n\n  c: {d: 2}\ne: 3\n"
    assert key_lines(text, "f.yaml") == {("a",): 2, ("a", "b"): 3, ("a", "c"): 5, ("a", "c", "d"): 5, ("e",): 6}
    assert load_yaml("\ufeffa: 1\n", "f.yaml") == {"a": 1}


@given(st.text(alphabet="ab01:-[]{},&*!|>'\"#? \n\t%@.~", max_size=60) | st.text(max_size=40))
def test_no_text_raises_anything_but_our_own_error(text):
    """Whatever stands in a file, reading it gives data or a LimpetError."""
    try:
        load_yaml(text, "f.yaml")
    except LimpetError as error:
        assert error.where.startswith("f.yaml")
