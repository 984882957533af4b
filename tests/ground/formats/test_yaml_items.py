"""Files that are one long list, each item read and changed alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.errors import LimpetError
from limpet.ground.formats.yaml_items import conflict_sides, edit_item, join_items, read_yaml_items, split_items

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
