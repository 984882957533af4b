"""Frontmatter apart from the body, and changes that leave every other byte."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.errors import LimpetError
from limpet.ground.formats.frontmatter import LONGEST, remove_key, render_plainly, set_keys, split_frontmatter
from limpet.ground.formats.yaml_text import load_yaml

from ...strategies import QUICK


@pytest.mark.parametrize(
    ("text", "yaml", "body"),
    [
        ("---\na: 1\n---\nbody\n", "a: 1\n", "body\n"),
        ("---\n---\n", "", ""),
        ("---\n---", "", ""),
        ("--- \t\r\na: 1\r\n---\r\nbody", "a: 1\r\n", "body"),
        ("\ufeff---\na: 1\n---\n\n---\nrule\n", "a: 1\n", "\n---\nrule\n"),
        ("---\na: |\n  ---\n  ----\n---\nb", "a: |\n  ---\n  ----\n", "b"),
        ("---\n----\n--- x\n---\n", "----\n--- x\n", ""),
    ],
)
def test_frontmatter_ends_at_the_first_line_of_three_dashes(text, yaml, body):
    """Byte order mark, CRLF and blanks behind the dashes are no hindrance; dashes in the body are the body's."""
    parts = split_frontmatter(text, "f.md")
    assert (parts.yaml, parts.rest[parts.body :], parts.text) == (yaml, body, text)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "No frontmatter"),
        ("# title\n---\na: 1\n---\n", "No frontmatter"),
        ("\n---\na: 1\n---\n", "No frontmatter"),
        ("---", "No frontmatter"),
        ("---\na: 1\n", "not closed"),
        ("---\na: 1\n ---\n----\n", "not closed"),
        ("---\n" + "a: 1\n" * LONGEST + "---\n", "not closed within"),
        ("---\n" + "x" * (LONGEST - 4) + "\n---y\n---\n", "not closed within"),
    ],
)
def test_a_text_without_whole_frontmatter_is_refused(text, what):
    """The error names the file's first line and what to write."""
    with pytest.raises(LimpetError, match=what) as caught:
        split_frontmatter(text, "f.md")
    assert caught.value.where == "f.md:1"
    assert "---" in caught.value.hint


@QUICK
@given(st.lists(st.sampled_from(["---", "\n", "\r\n", "\ufeff", " ", "a: 1", "x", "\r"])).map("".join))
def test_the_parts_make_up_the_text_again(text):
    """Nothing is lost or invented in splitting, whatever the text."""
    try:
        parts = split_frontmatter(text, "f.md")
    except LimpetError:
        return
    assert parts.text == text
    assert parts.rest.startswith("---")


@pytest.mark.parametrize(
    ("before", "changes", "after"),
    [
        ("a: 1 # why\nb: 2\n", {"a": 7}, "a: 7 # why\nb: 2\n"),
        ("a: 1\n", {"t": "2026-02-12T16:30:00Z"}, "a: 1\nt: 2026-02-12T16:30:00Z\n"),
        ("t: 2026-02-12T16:30:00Z # x\n", {"t": "2027-01-01T00:00:00Z"}, "t: 2027-01-01T00:00:00Z # x\n"),
        ("a: 1\n", {"b": ("x", "y, z")}, 'a: 1\nb: [x, "y, z"]\n'),
        ("a: 1 # why\n# c\nb: 2\n", {"a": None}, "# c\nb: 2\n"),
        ("a: 1\nb:\n- x\n- y # z\n\n# c\nd: 3\n", {"b": None}, "a: 1\n\n# c\nd: 3\n"),
        ("a: 1\nb: |\n  x\n\n  y\nc: 2\n", {"b": None}, "a: 1\nc: 2\n"),
        ("a: 1\nb: [x,\n  y]\nc: 2\n", {"b": None}, "a: 1\nc: 2\n"),
        ("a: 1\r\nb:\r\nc: 2\r\n", {"b": None}, "a: 1\r\nc: 2\r\n"),
        ("{a: 1, b: 2}\n", {"b": None}, "{a: 1}\n"),
        ("a: 1\n", {"b": None}, "a: 1\n"),
        ("a: 1\nb: 2\n", {"a": None, "c": 3}, "b: 2\nc: 3\n"),
    ],
)
def test_only_the_named_keys_change(before, changes, after):
    """Comments, order and line ends stay; a timestamp needs no quotes; a key that cannot be cut out becomes null."""
    parts = split_frontmatter(f"---\n{before}---\nb: ody\n", "f.md")
    assert set_keys(parts, changes, "f.md").text == f"---\n{after}---\nb: ody\n"


def test_a_key_whose_value_others_share_is_not_taken_out():
    """The text stays and the error says so; only a whole moment is written without quotes."""
    with pytest.raises(LimpetError, match="without changing the text around it"):
        remove_key("a: &x 1\nb: *x\n", "a", "f.md")
    assert render_plainly("2026-02-12T16:30:00Z") == "2026-02-12T16:30:00Z"
    assert render_plainly("2026-02-12T16:30:00Z: x") == '"2026-02-12T16:30:00Z: x"'


lines = st.sampled_from(
    ["a: 1", "b: [x, 'y']", "c:\n  - 1\n  - 2", "d: |\n  t\n", "e: {x: 1}", "# note", "", "f:  'q' # z", "g: &n 5"]
)


@QUICK
@given(st.lists(lines, unique=True).map(lambda some: "".join(f"{line}\n" for line in some)), st.sampled_from("abcdefg"))
def test_taking_a_key_out_leaves_all_others(text, key):
    """The rest of the mapping reads as before, and no comment of its own line is lost."""
    data = load_yaml(text, "f.md") or {}
    shorter = remove_key(text, key, "f.md")
    left = {name: value for name, value in (load_yaml(shorter, "f.md") or {}).items() if value is not None}
    assert left == {name: value for name, value in data.items() if name != key}
    assert shorter.count("# note") == text.count("# note")
