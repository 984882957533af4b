"""Sections and items of Markdown, found by position so that an edit keeps every other byte."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.errors import LimpetError
from limpet.ground.formats import markdown
from limpet.ground.formats.markdown import (
    BLOCK_OPEN,
    CLOSE,
    has_block,
    plain_lines,
    put_block,
    read_sections,
    take_block,
)

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


BODY = "## Ours\n\nline\n"
# Hypothesis draws literals of the source too: files that hold one of the markers are another test's.
FILES = st.one_of(
    st.none(),
    st.binary(max_size=60).filter(
        lambda raw: raw[:2] not in (b"\xff\xfe", b"\xfe\xff") and BLOCK_OPEN not in raw and CLOSE not in raw
    ),
    st.text("a#\n\r\ufeffé ", max_size=40).map(str.encode),
)


@given(FILES, st.sampled_from([BODY, "", "x\n"]))
def test_what_is_taken_out_again_leaves_no_trace(raw, body):
    """Whatever the file was: none, empty, without a last line break, CRLF, with a BOM, no UTF-8; twice is once."""
    once = put_block(raw, BODY, "f")
    assert has_block(once) and put_block(once, BODY, "f") == once
    assert take_block(put_block(once, body, "f"), "f") == raw


def test_line_ends_are_the_files_own():
    """A file with CRLF gets CRLF; in UTF-16 our bytes would spoil it."""
    raw = put_block(b"# Mine\r\n", BODY, "f")
    assert raw.count(b"\n") == raw.count(b"\r\n") == 6
    with pytest.raises(LimpetError, match="UTF-16"):
        put_block("# Mine".encode("utf-16"), BODY, "f")


@pytest.mark.parametrize("mine", [b"# Mine\n", b"# Mine", b"\xef\xbb\xbf# Mine\r\n"])
def test_edits_around_the_block_stay(mine):
    """Text that the user wrote before and behind it, and into a file that was made for it."""
    for raw in (mine, None):
        edited = b"before\n" + put_block(raw, BODY, "f") + b"after"
        left = take_block(edited, "f")
        assert left is not None and left.startswith(b"before\n" + (raw or b"")) and left.endswith(b"after")
        assert b"Ours" not in left and b"\nafter" in left


@pytest.mark.parametrize(
    ("raw", "line"),
    [
        (b"a\n<!-- limpet:begin -->\nx\n", "f:2"),
        (b"a\nb\n<!-- limpet:end -->\n", "f:3"),
        (b"<!-- limpet:end -->\n<!-- limpet:begin -->\n", "f:2"),
        (b"<!-- limpet:begin -->\n<!-- limpet:end -->\n" * 2, "f:1"),
        (b"<!-- limpet:begin\n<!-- limpet:end -->\n", "f:1"),
    ],
)
def test_markers_that_do_not_pair_are_refused(raw, line):
    """Nothing is guessed in a user's file."""
    for act in (lambda: put_block(raw, BODY, "f"), lambda: take_block(raw, "f")):
        with pytest.raises(LimpetError) as error:
            act()
        assert error.value.where == line


@pytest.mark.parametrize(
    "code",
    [
        "```markdown\n{}\n```",
        "````\n```\n{}\n```\n````",
        "~~~ yaml\n{}\n```\n{}\n~~~~~",
        "   ```\n   {}\n   ```",
        "- item\n  ```\n  {}\n  ```",
        "1. item\n\n   ~~~\n   {}\n\n   {}\n   ~~~",
        "- ```\n  {}\n  ```",
        "- [ ] item\n\n      {}",
        "para\n\n    {}\n\n\t{}",
        "# Title\n    {}",
        "* * *\n    {}",
        "<!-- {}\n{}\n-->",
        "- item\n  ```\n  {}\n  unclosed",
    ],
)
@pytest.mark.parametrize("sign", ["# Zebra", "- [ ] Zebra", "- Zebra", "### Zebra"])
def test_code_has_no_structure(code, sign):
    """Nor has a comment; what comes behind it is prose again."""
    text = code.replace("{}", sign) + "\n\n# Behind\n"
    assert not [line for _, line in plain_lines(text) if "Zebra" in line]
    assert read_sections(text)[-1].title == "Behind"


@pytest.mark.parametrize(
    "prose",
    [
        "para\n    {}",
        "- item\n\n    {}",
        "1. item\n\n     {}",
        "- a\n    - b\n\n        {}",
        "```inline``` code\n{}",
        "- item\n  ```\n  code\n{}",
        "```\ncode\n```\n{}",
        "~~~\n```\n~~~\n{}",
        "   {}",
    ],
)
def test_prose_beside_code_keeps_its_structure(prose):
    """Indented as an item goes on, behind a span, and where the item ends that an unclosed fence stands in."""
    text = prose.replace("{}", "- [ ] Zebra")
    assert [line for _, line in plain_lines(text) if "Zebra" in line]


def test_an_unclosed_fence_goes_on_to_the_end():
    assert read_sections("# A\n```\n# B\n") == read_sections("# A\n```\n- b\n")
