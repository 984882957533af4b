"""Sections and items of Markdown, found by position so that an edit keeps every other byte."""

import pytest

from limpet.ground.errors import LimpetError
from limpet.ground.formats import markdown

TEXT = """# Title

intro

## 1. Tasks ##
- [ ] one
  goes on
    - [x] nested
- [X] two
- three

```
## no heading
- [ ] no item
```
<!-- ## nor this
- [ ] nor this -->

## Notes
words <!-- said aside --> here
"""


def section(text, key):
    return markdown.find_section(markdown.read_sections(text), [key])


def test_headings_in_fences_and_comments_are_none():
    """A section ends at the next heading of its rank or a higher one, and its text is without comments."""
    assert [found.key for found in markdown.read_sections(TEXT)] == ["title", "tasks", "notes"]
    found = {each.key: TEXT[each.start : each.end] for each in markdown.read_sections(TEXT)}
    assert found["title"] == TEXT
    assert found["tasks"].endswith("nor this -->\n\n")
    assert markdown.section_text(TEXT, section(TEXT, "notes")) == "words  here"


@pytest.mark.parametrize(
    ("title", "key"), [("1. Próximos passos!", "proximos passos"), ("2026", "2026"), ("3.2 API", "api")]
)
def test_titles_are_compared_without_accents_and_leading_numbers(title, key):
    assert markdown.heading_key(title) == key


def test_of_sections_of_one_name_the_highest_rank_is_found():
    text = "# A\n### Tasks\n1\n## Tasks\n2\n"
    assert markdown.section_text(text, section(text, "tasks")) == "2"


def test_items_are_those_of_the_outermost_list_with_boxes():
    """A line that goes on belongs to its item, and an item without a box counts as open."""
    items = markdown.read_items(TEXT, section(TEXT, "tasks"))
    assert [(item.text, item.done) for item in items] == [("one goes on", False), ("two", True), ("three", False)]


@pytest.mark.parametrize(
    ("number", "done", "before", "after"),
    [(0, True, "- [ ] one", "- [x] one"), (1, False, "- [X] two", "- [ ] two"), (2, True, "- three", "- [x] three")],
)
def test_a_box_is_set_and_no_other_byte(number, done, before, after):
    item = markdown.read_items(TEXT, section(TEXT, "tasks"))[number]
    assert markdown.set_box(TEXT, item, done) == TEXT.replace(before, after)


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_words_come_last_in_their_section_and_a_new_one_last_of_all(line_break):
    """With the line breaks of the text."""
    text = "# A\nx\n\n# B\ny\n".replace("\n", line_break)
    expected = "# A\nx\n\nnew\nwords\n\n# B\ny\n".replace("\n", line_break)
    assert markdown.append_to_section(text, section(text, "a"), "new\nwords\n") == expected
    text = "# A\nx\n\n".replace("\n", line_break)
    assert markdown.append_section(text, "B", "y\n") == "# A\nx\n\n## B\n\ny\n".replace("\n", line_break)


def test_demoted_headings_end_no_section_that_they_are_put_in():
    text = markdown.append_section("", "Outer", markdown.demote("# In\n## Deep\n### Deeper"))
    outer = section(text, "outer")
    assert (outer.end, outer.rank) == (len(text), 2)


@pytest.mark.parametrize("line", ["<<<<<<< HEAD", ">>>>>>> theirs", "||||||| base"])
def test_a_merge_conflict_is_refused_with_its_line(line):
    """An underlined heading is none."""
    with pytest.raises(LimpetError, match=r"story.md:2: Unresolved merge conflict"):
        markdown.refuse_conflict_marks(f"a\n{line}\n", "story.md")
    assert markdown.refuse_conflict_marks("Title\n=======\n", "story.md") is None
