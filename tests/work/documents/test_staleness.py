"""The baseline of an evaluation: small, and exact about what differs."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.work.documents.detail import Baseline, Detail, edit_detail, read_detail_text
from limpet.work.documents.project_files import content_id
from limpet.work.documents.requirements import explain_stale, fold_level, fold_requirement

PATHS = st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map("/".join)
ENTRIES = st.dictionaries(PATHS, st.sampled_from(["1", "2"]), max_size=20)


def kept(entries, most):
    level = fold_level(entries, most)
    return Baseline("d", "e", "p", level, fold_requirement(entries, level))


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
