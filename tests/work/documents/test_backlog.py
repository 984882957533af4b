"""Which problems are the same, and which the manifest shows."""

from hypothesis import given
from hypothesis import strategies as st

from limpet.work.documents.form import (
    LONGEST,
    PRIORITIES,
    BacklogItem,
    is_same_form,
    rank,
    read_backlog_item,
    shorten_text,
    show_form,
    union,
)

LONG = "The section on caching does not say when entries become invalid, nor who may clear them"


def test_a_shortened_text_is_the_same_problem():
    """The manifest's copy of the detail's; two long ones that begin alike are two."""
    short = BacklogItem("a", shorten_text(LONG))
    assert is_same_form(BacklogItem("a", LONG), short)
    assert not is_same_form(BacklogItem("b", LONG), short)
    assert not is_same_form(BacklogItem("a", LONG), BacklogItem("a", LONG + " again"))


def test_a_union_has_each_problem_once_in_full():
    """The first list's copy, the most urgent first."""
    full, other = BacklogItem("a", LONG, "low"), BacklogItem("a", "x", "high")
    assert union([full], [BacklogItem("a", shorten_text(LONG), "low"), other]) == (other, full)


def test_bad_rows_are_left_out_and_bad_priorities_are_medium():
    """By whatever hand."""
    rows = [
        "x",
        {"item": ""},
        {"item": 3},
        {"item": " a\n b ", "priority": "URGENT"},
        {"item": "c", "priority": "High"},
    ]
    found = [(item.artifact, item.item, item.priority) for row in rows if (item := read_backlog_item(row, "k"))]
    assert found == [("k", "a b", "medium"), ("k", "c", "high")]


@given(st.text(max_size=80))
def test_a_shortened_text_fits_and_stays_as_it_is(text):
    """In bytes, of any script."""
    assert len(shorten_text(text).encode()) <= LONGEST
    assert shorten_text(shorten_text(text)) == shorten_text(text)


@given(st.lists(st.sampled_from(PRIORITIES), max_size=30))
def test_the_manifest_never_shows_more_than_ten_and_never_a_lesser_one(priorities):
    """Whatever comes in which order."""
    shown: tuple[BacklogItem, ...] = ()
    for number, priority in enumerate(priorities):
        shown, gone = show_form(shown, BacklogItem("a", str(number), priority), 10)
        assert not gone or len(gone) == 1 and rank(gone[0]) >= max(map(rank, shown))
    assert len(shown) == min(10, len(priorities))
    assert [rank(item) for item in shown] == sorted(map(PRIORITIES.index, priorities))[:10]
