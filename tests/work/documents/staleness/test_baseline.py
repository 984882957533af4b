"""The baseline of an evaluation: small, and exact about what differs."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.work.documents.staleness.baseline import (
    Baseline,
    baseline_fields,
    explain,
    fold,
    make_baseline,
    read_baseline,
)
from holdfast.work.documents.staleness.content import content_id

PATHS = st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map("/".join)
ENTRIES = st.dictionaries(PATHS, st.sampled_from(["1", "2"]), max_size=20)


@given(st.binary(max_size=40).filter(lambda data: b"\0" not in data))
def test_an_id_is_gits_and_line_ends_do_not_count(data):
    unix = data.replace(b"\r\n", b"\n").replace(b"\r", b"")
    assert content_id(unix) == hashlib.sha1(b"blob %d\0" % len(unix) + unix).hexdigest()[:12]
    assert content_id(unix.replace(b"\n", b"\r\n")) == content_id(unix)


def test_what_is_no_text_keeps_its_line_ends():
    assert content_id(b"\0\r\n") != content_id(b"\0\n")


@given(ENTRIES, ENTRIES, st.integers(0, 8))
def test_what_differs_is_told_however_many_entries_are_kept(before, after, most):
    """A phrase where something differs, none where nothing does."""
    known = make_baseline("d", "p", before, {}, most)
    assert len(known.entries) <= max(most, 1)
    assert bool(explain(known, after)) == (before != after)


@given(ENTRIES, st.integers(0, 8))
def test_what_is_written_is_read(entries, most):
    known = make_baseline("d", "p", entries, {"FR-1": "x"}, most)
    assert read_baseline(baseline_fields(known)) == known


@pytest.mark.parametrize(
    "data", [{}, {"watched": 3, "requirements": [], "watched_level": "x"}, {"watched_level": True}]
)
def test_what_is_no_baseline_is_an_empty_one(data):
    assert read_baseline(data) == Baseline()


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
    before = make_baseline("d", "p", {"a.py": "1", "b/": "there"}, {}, 9)
    assert explain(before, after) == words


def test_of_many_a_folder_is_one_entry():
    """As few folders as must be."""
    many = {f"src/p{number % 3}/{number}.py": "1" for number in range(30)}
    assert sorted(fold(many, 3)) == ["src/p0/*", "src/p1/*", "src/p2/*"]
    known = make_baseline("d", "p", many, {}, 5)
    assert explain(known, many | {"src/p1/1.py": "2"}) == "src/p1/ changed"
