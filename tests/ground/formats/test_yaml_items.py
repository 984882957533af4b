"""Files that are one long list, each item read and changed alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.errors import LimpetError
from limpet.ground.formats.yaml_items import (
    conflict_sides,
    edit_item,
    insert_item,
    join_items,
    read_yaml_items,
    remove_item,
    remove_items,
    split_items,
)
from limpet.ground.formats.yaml_text import load_yaml

ITEM = {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}}
LINES = st.sampled_from(
    ("- id: a", "- id: b  # why", "  text: >", "    folded", "", "# note", "  more: [1, 2]", "- {id: c}", "-", "  - d")
)


@given(st.lists(LINES, max_size=12), st.sampled_from(("", "  ", "    ")), st.sampled_from(("\n", "\r\n")))
def test_the_parts_are_the_text(lines, indent, end):
    """Nothing is lost between them, and every item begins with its dash."""
    text = end.join(["# head", "items:", *(indent + line if line else line for line in lines), "after: 1", ""])
    try:
        file = split_items(text, "items", "f")
    except LimpetError:
        return
    assert join_items(file) == text
    assert all(item.startswith(f"{file.indent}-") for item in file.items)


def test_an_item_is_a_document_of_its_own():
    """Whatever its indent, and whatever follows it."""
    text = "items:\n  - id: a\n    n: 1\n\n  # about b\n  - id: b\n# the end\nafter: 1\n"
    file, items, mistakes = read_yaml_items(text, "items", "f", ITEM)
    assert (list(items.values()), mistakes) == ([{"id": "a", "n": 1}, {"id": "b"}], ())
    changed = edit_item(file.items[1], lambda body: body + "    n: 2\n")
    assert join_items(file.replace(items=(file.items[0], changed))) == text.replace("id: b\n", "id: b\n    n: 2\n")


@pytest.mark.parametrize("text", ["items: [a]\n", "items:\n  a: 1\n", "items: x\n", "items:\nb: [\n", "- a\n"])
def test_what_is_no_such_list_is_said(text):
    """Also where the rest of the file cannot be read."""
    with pytest.raises(LimpetError):
        split_items(text, "items", "f")


def test_a_mistake_is_named_with_its_line():
    """And costs its item only."""
    text = "items:\n- id: a\n- id: 5\n- text: x\n- plain\n- id: [\n"
    _, items, mistakes = read_yaml_items(text, "items", "f.yml", ITEM)
    assert [data for data in items.values() if data] == [{"id": "a"}]
    assert mistakes[:3] == (
        "f.yml:3: id must be a text (got 5)",
        "f.yml:4: id is missing",
        "f.yml:5: must be a mapping",
    )
    assert mistakes[3].startswith("f.yml:6: Invalid YAML")


ANYTHING = {"type": "object", "properties": {}, "required": []}


@pytest.mark.parametrize("base", ["", "||||||| merged\n  - id: o\n"])
def test_a_conflict_is_read_as_both_sides(base):
    """With what both have, with or without what was there before."""
    text = f"items:\n  - id: a\n<<<<<<< HEAD\n  - id: b\n{base}=======\n  - id: c\n>>>>>>> branch\n  - id: d\n"
    assert conflict_sides(text) == (
        "items:\n  - id: a\n  - id: b\n  - id: d\n",
        "items:\n  - id: a\n  - id: c\n  - id: d\n",
    )
    _, items, _ = read_yaml_items(text, "items", "f", ITEM)
    assert [data["id"] for data in items.values()] == ["a", "b", "d", "c"]
    assert conflict_sides("a: 1\n") == ("a: 1\n",)


@pytest.mark.parametrize(
    ("item", "read"),
    [
        ("- id: a\n  id: b\n", [{"id": "a"}, {"id": "b"}]),
        (
            "- id: a\n  note:\n    - x\n  note:\n    - y\n  id: a\n",
            [{"id": "a", "note": ["x"]}, {"id": "a", "note": ["y"]}],
        ),
        ("- id: a\r\n  id: b\r\n", [{"id": "a"}, {"id": "b"}]),
        ("- id: a\n  at: 1\n  more:\n    at: 2\n", [{"id": "a", "at": 1, "more": {"at": 2}}]),
        ("- ? [x]\n  : y\n  id: a\n  id: b\n", [None]),
        ("- id: a\n  id: [\n", [None]),
    ],
)
def test_what_git_kept_of_two_branches_in_one_item_is_read_as_both(item, read):
    _, items, mistakes = read_yaml_items(f"items:\n{item}", "items", "f", ANYTHING)
    assert [*items.values()] == read
    assert bool(mistakes) == (None in read)


BLOCK = """\
# head
backlog:   # what is left
  - item: "a"     # first
    priority: high
  # between
  - item: b
    note: "- x"
log: []
"""


@pytest.mark.parametrize(
    ("index", "wanted"),
    [
        (0, BLOCK.replace('  - item: "a"', '  - {item: c}\n  - item: "a"')),
        (1, BLOCK.replace("  # between", "  - {item: c}\n  # between")),
        (2, BLOCK.replace("log: []", "  - {item: c}\nlog: []")),
        (9, BLOCK.replace("log: []", "  - {item: c}\nlog: []")),
    ],
)
def test_an_item_is_a_new_line_and_nothing_else(index, wanted):
    """Comments, quotes and order around it stay."""
    assert insert_item(BLOCK, ("backlog",), index, "{item: c}", "f") == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", "log:\n  - x\n"),
        ("a: 1", "a: 1\nlog:\n  - x\n"),
        ("log:\n", "log:\n  - x\n"),
        ("log: []  # none\nb: 2\n", "log:\n  - x  # none\nb: 2\n"),
        ("log: [a, b]\n", "log: [x, a, b]\n"),
        ("log:\n- a\n", "log:\n- x\n- a\n"),
        ("log:\n  - a", "log:\n  - x\n  - a"),
        ("log:\r\n  - a\r\n", "log:\r\n  - x\r\n  - a\r\n"),
        ("\ufefflog:\n  - a\n", "\ufefflog:\n  - x\n  - a\n"),
    ],
)
def test_a_list_of_any_shape_takes_an_item_in_front(text, wanted):
    """Missing, null, empty, flow, block, with CRLF, with a byte order mark."""
    assert insert_item(text, ("log",), 0, "x", "f") == wanted


@pytest.mark.parametrize(
    ("text", "name", "index", "wanted"),
    [
        (BLOCK, "backlog", 0, BLOCK.replace('  - item: "a"     # first\n    priority: high\n', "")),
        (BLOCK, "backlog", 1, BLOCK.replace('  - item: b\n    note: "- x"\n', "")),
        ("log:  # l\n  - a\nb: 1\n", "log", 0, "log: []  # l\nb: 1\n"),
        ("log: [a]\n", "log", 0, "log: []\n"),
        ("log: [a, b, c]\n", "log", 0, "log: [b, c]\n"),
        ("log: [a, b, c]\n", "log", 1, "log: [a, c]\n"),
        ("log: [a, b, c]\n", "log", 2, "log: [a, b]\n"),
        ("log:\n  - a\n  - b", "log", 1, "log:\n  - a\n"),
    ],
)
def test_an_item_goes_with_its_lines_only(text, name, index, wanted):
    """The comment before the next one stays, and a list a list."""
    assert remove_item(text, (name,), index, "f") == wanted


@pytest.mark.parametrize(
    "text", ["log: {a: 1}\n", "log: 3\n", "log: [\n", "a: &x [1, 2]\nlog: *x\n", "log: [[1, 2]\n, 3]\nlog: []\n"]
)
def test_what_cannot_be_changed_alone_is_refused(text):
    """No list, broken YAML, a list that stands elsewhere too."""
    with pytest.raises(LimpetError):
        insert_item(text, ("log",), 0, "x", "f")


def test_items_that_are_not_there_or_needed_elsewhere_are_refused():
    """By the list's name; those that others need have an anchor."""
    with pytest.raises(LimpetError, match="log has no item 1"):
        remove_item("log: [a]\n", ("log",), 1, "f")
    for text in ("a: [&b x, y, z]\nb: *b\n", "a:\n  - &b x\n  - y\n  - z\nb: *b\n"):
        with pytest.raises(LimpetError, match="Cannot change the list a"):
            remove_items(text, ("a",), [0, 2], "f")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a:\n- x\n- y\n- z\nb: 1\n", "a:\n- y\nb: 1\n"),
        ("a:\n  - n: 1\n    m: [1]  # c\n  # about y\n  - y\n  - n:\n", "a:\n  # about y\n  - y\n"),
        ("a:\r\n  - |\r\n    long\r\n    text\r\n  - y\r\n  - z # c\r\nb: 1\r\n", "a:\r\n  - y\r\nb: 1\r\n"),
        ("a:\n  - {k: é}\n\n  - y\n\n  - - z\n    - w\n", "a:\n\n  - y\n\n"),
        ("a:\n  - x\n  - y\n  - z", "a:\n  - y\n"),
        ("a: [x, y, z]\n", "a: [y]\n"),
        ("a: [x]  # c\n", "a: []  # c\n"),
    ],
)
def test_several_items_go_at_once(before, after):
    """The first and the last of three."""
    assert remove_items(before, ("a",), [0, 2], "f") == after


@given(st.lists(st.sampled_from(["a", "- b", "c: d", "'e'"]), max_size=5), st.integers(0, 6), st.booleans())
def test_what_went_in_comes_out_again(items, index, flow):
    """An item inserted and removed leaves the same data."""
    quoted = [repr(item.replace("'", "")) for item in items]
    lines = f"[{', '.join(quoted)}]\n" if flow else "\n" + "".join(f"  - {item}  # c\n" for item in quoted)
    text = f"x: 1\nlog: {lines}y: 2\n"
    place = min(index, len(items))
    inserted = insert_item(text, ("log",), index, "{new: 1}", "f")
    after = load_yaml(remove_item(inserted, ("log",), place, "f"), "f")
    before = load_yaml(text, "f")
    assert after == {**before, "log": before["log"] or []}


@given(st.lists(st.sampled_from(["a", "{b: c}", "[d, e]"]), max_size=6), st.sets(st.integers(0, 7)), st.booleans())
def test_what_is_left_is_what_did_not_go(items, gone, flow):
    """Whichever items go, of a list in brackets or in lines."""
    lines = f"[{', '.join(items)}]\n" if flow or not items else "\n" + "".join(f"  - {item}  # c\n" for item in items)
    text = f"x: 1\nlog: {lines}y: 2\n"
    after, before = load_yaml(remove_items(text, ("log",), gone, "f"), "f"), load_yaml(text, "f")
    assert after == {**before, "log": [item for place, item in enumerate(before["log"]) if place not in gone]}
