"""Numbered requirements of a Markdown text, and mentions of them."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.work.documents.detail import Baseline, Detail, edit_detail, read_detail_text
from limpet.work.documents.project_files import content_id
from limpet.work.documents.requirements import explain_stale, fold_level, fold_requirement, mentioned, read_requirements

LINES = st.sampled_from(
    ["", "# PRD", "## FR-1 Login", "### FR-2: Out", "- FR-3 in", "  - **NFR-1**: fast", "  more", "text", "```"]
    + ["1. R-12 x", "| FR-4 | a |", "**C-1** a", "- [x] FR-5 done", "- UTF-8", "## Scope", "    code", "FR-1"]
    + ["- FR-3.1 sub", "\t- AC-2"]
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


PATHS = st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map("/".join)
ENTRIES = st.dictionaries(PATHS, st.sampled_from(["1", "2"]), max_size=20)


def kept(entries, most):
    level = fold_level(entries, most)
    return Baseline("d", "e", "p", level, fold_requirement(entries, level))


@given(st.binary(max_size=40).filter(lambda data: b"\0" not in data))
def test_an_id_is_gits_and_line_ends_do_not_count(data):
    """But where it is no text."""
    unix = data.replace(b"\r\n", b"\n").replace(b"\r", b"")
    assert content_id(unix) == hashlib.sha1(b"blob %d\0" % len(unix) + unix).hexdigest()[:12]
    assert content_id(unix.replace(b"\n", b"\r\n")) == content_id(unix)
    assert content_id(b"\0\r\n") != content_id(b"\0\n")


@given(ENTRIES, ENTRIES, st.integers(0, 8))
def test_what_differs_is_told_however_many_entries_are_kept(before, after, most):
    """A phrase where something differs, none where nothing does."""
    known = kept(before, most)
    assert len(known.watched) <= max(most, 1)
    assert bool(explain_stale(known, after)) == (before != after)


@given(ENTRIES, st.integers(0, 8))
def test_what_is_written_is_read(entries, most):
    known = kept(entries, most).replace(requirements={"FR-1": "x"})
    assert read_detail_text("a", edit_detail("", Detail("a", baseline=known))).baseline == known


@pytest.mark.parametrize("text", ["", "watched: 3\nrequirements: []\nwatched_level: x\n", "watched_level: true\n"])
def test_what_is_no_baseline_is_an_empty_one(text):
    assert read_detail_text("a", text).baseline == Baseline()


@pytest.mark.parametrize(
    ("after", "words"),
    [
        ({"a.py": "2", "b/": "there"}, "a.py changed"),
        ({"b/": "there"}, "a.py was deleted"),
        ({"a.py": "1", "b/": "there", "c/": "there"}, "c/ is new"),
        ({"a.py": "2", "c/": "there"}, "a.py changed, and 2 more"),
    ],
)
def test_the_first_change_is_told_and_the_rest_counted(after, words):
    before = kept({"a.py": "1", "b/": "there"}, 9)
    assert explain_stale(before, after) == words


def test_of_many_a_folder_is_one_entry():
    """As few folders as must be."""
    many = {f"src/p{number % 3}/{number}.py": "1" for number in range(30)}
    assert sorted(fold_requirement(many, 3)) == ["src/p0/*", "src/p1/*", "src/p2/*"]
    known = kept(many, 5)
    assert explain_stale(known, many | {"src/p1/1.py": "2"}) == "src/p1/ changed"
