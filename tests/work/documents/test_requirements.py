"""Numbered requirements of a Markdown text, and mentions of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.work.documents.requirements import mentioned, read_requirements

LINES = st.sampled_from(
    [
        "",
        "# PRD",
        "## FR-1 Login",
        "### FR-2: Out",
        "- FR-3 in",
        "  - **NFR-1**: fast",
        "  more",
        "text",
        "```",
        "1. R-12 x",
    ]
    + [
        "| FR-4 | a |",
        "**C-1** a",
        "- [x] FR-5 done",
        "- UTF-8",
        "## Scope",
        "    code",
        "FR-1",
        "- FR-3.1 sub",
        "\t- AC-2",
    ]
)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("## FR-1 Login\na\n\nb\n## Next\nc", {"FR-1": "## FR-1 Login a b"}),
        ("## FR-1\na\n### FR-2\nb\n### Notes\nc\n## X", {"FR-1": "## FR-1 a", "FR-2": "### FR-2 b"}),
        ("- FR-1 a\n  b\n- FR-2 c\n\nafter", {"FR-1": "- FR-1 a b", "FR-2": "- FR-2 c"}),
        ("- **FR-1**: a\nlazy\n\n  deeper\n\nafter", {"FR-1": "- **FR-1**: a lazy deeper"}),
        ("1. `R-12` a\n2. [NFR-2] b", {"R-12": "1. `R-12` a", "NFR-2": "2. [NFR-2] b"}),
        ("| id | text |\n|---|---|\n| FR-1 | a |\n| FR-2 | b |", {"FR-1": "| FR-1 | a |", "FR-2": "| FR-2 | b |"}),
        ("**FR-AUTH-1** a\nb\n\nc", {"FR-AUTH-1": "**FR-AUTH-1** a b"}),
        ("```\n- FR-1 a\n```\n- UTF-8 b\n- SHA-256\n- FR-1x\nFR-3 in a text", {}),
        ("- FR-1 first\n- FR-1 again", {"FR-1": "- FR-1 first"}),
    ],
)
def test_a_requirement_begins_with_its_id(text, wanted):
    """A heading, an item, a row, a paragraph; what follows belongs to it as far as Markdown says so."""
    assert read_requirements(text) == wanted


def test_a_tick_or_a_line_break_is_no_change():
    """Nor is white space at a line's end."""
    assert read_requirements("- [ ] FR-1 a\n  b\n") == read_requirements("- [x] FR-1 a b  \r\n")


@given(st.lists(LINES, max_size=12))
def test_every_text_is_read_and_what_is_read_stands_in_it(lines):
    """Nothing is made up, and each requirement names itself."""
    found = read_requirements("\n".join(lines))
    whole = " ".join(" ".join(lines).replace("[x]", "").split())
    for name, text in found.items():
        assert name in mentioned(text) and text.split()[-1] in whole


@given(st.lists(LINES, max_size=8), st.lists(LINES, max_size=8))
def test_what_stands_under_a_later_heading_changes_no_requirement_before(before, after):
    """Only the one whose text it is."""
    fenced = sum(line == "```" for line in before) % 2
    first = [*before, *(["```"] if fenced else []), "# End"]
    known = read_requirements("\n".join(first))
    now = read_requirements("\n".join([*first, *after]))
    assert {name: now[name] for name in known} == known


@given(st.text(max_size=80))
def test_any_text_is_read(text):
    read_requirements(text)
    mentioned(text)


def test_an_id_within_another_is_no_mention():
    """FR-3 is neither FR-30 nor FR-3.1; marks around it do not matter."""
    assert mentioned("FR-30, FR-3.1, XFR-3, FR-3x, FR-3-b") == {"FR-30", "FR-3.1"}
    assert mentioned("(FR-3), **NFR-2**. See FR-4.") == {"FR-3", "NFR-2", "FR-4"}
