"""The doors' search, with what is installed and without it."""

from contextlib import closing

import pytest

from holdfast.ground.errors import HoldfastError
from holdfast.memory.index.reading import open_index
from holdfast.memory.model.card import Query
from holdfast.memory.search.encoders import load_encoder
from holdfast.memory.search.parsed_query import ParsedQuery, Term
from holdfast.memory.search.retrieval import Retrieval
from holdfast.memory.search.semantic import Fusion, bare, spread

from ..indexes import NOW, SETTINGS, found, indexed, make_entry


def store(shared):
    entries = [make_entry("b", "Bought a car"), make_entry("c", "The doctor called about the car")]
    return indexed(shared, [*entries, make_entry("d", "Lunch")])


def test_without_any_extra_it_is_the_plain_search(shared):
    store(shared)
    with closing(open_index(shared)) as connection:
        hits = Retrieval(shared, SETTINGS).search(connection, Query(text="the car", owners=None, now=NOW))
    assert hits == found(shared, "the car")


def test_an_encoder_that_is_not_there_is_told_and_done_without(shared):
    store(shared)
    retrieval = Retrieval(shared, {**SETTINGS, "semantic": {"encoder": "no-such-model"}})
    with closing(open_index(shared)) as connection:
        hits = retrieval.search(connection, Query(text="car", owners=None, now=NOW))
        lines = retrieval.describe(connection)
    assert hits == found(shared, "car")
    assert any("Unknown encoder no-such-model" in line for line in lines)


def test_an_unknown_encoder_is_refused_with_those_that_are_known():
    with pytest.raises(HoldfastError, match="all-minilm-l6-v2"):
        load_encoder("no-such-model")


def test_words_that_tell_who_and_when_are_no_part_of_a_question():
    anna = Term(text="anna", weight=1.0, content_frequency=0, metadata_frequency=4)
    jog = Term(text="jog", weight=2.0, content_frequency=1, metadata_frequency=0)
    wanted = ParsedQuery(
        terms=(jog, anna),
        relevant_weight=3.0,
        wants_time=False,
        wants_number=False,
        average_body=5.0,
        average_conversation=0.0,
    )
    assert bare("Where does Anna jog?", wanted) == "Where does jog?"
    assert bare("Anna?", wanted) == "Anna?"


def test_values_are_spread_from_nought_to_one():
    assert spread({1: 2.0, 2: 4.0, 3: 3.0}) == {1: 0.0, 2: 1.0, 3: 0.5}
    assert spread({1: 2.0}) == {1: 0.0}
    assert spread({}) == {}


def test_a_fusion_ships_that_leaves_most_to_the_words():
    assert Fusion().meaning + Fusion().pieces + Fusion().pieces_after < 1
