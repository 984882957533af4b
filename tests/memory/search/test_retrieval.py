"""The doors' search, with what is installed and without it."""

from contextlib import closing

from holdfast.memory.index.reading import open_index
from holdfast.memory.model.card import Query
from holdfast.memory.search.retrieval import Retrieval

from ..indexes import NOW, SETTINGS, found, indexed, make_entry


def store(shared):
    entries = [make_entry("b", "Bought a car"), make_entry("c", "The doctor called about the car")]
    return indexed(shared, [*entries, make_entry("d", "Lunch")])


def test_without_any_extra_it_is_the_plain_search(shared):
    store(shared)
    with closing(open_index(shared)) as connection:
        hits = Retrieval(shared, SETTINGS).search(connection, Query(text="the car", owners=None, now=NOW))
    assert hits == found(shared, "the car")
