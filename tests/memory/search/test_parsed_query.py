"""What a question looks for: which of its words count, and how much."""

from contextlib import closing

import pytest

from limpet.ground.text.stems import stem
from limpet.memory.index.reading import open_index
from limpet.memory.index.terms import is_stop
from limpet.memory.model.entry import Query
from limpet.memory.search.candidates import MOST, WEAK_TERMS, parse_query

from ..indexes import indexed, make_entry


@pytest.fixture
def ask(tmp_path):
    """Reads a question in an index of three entries."""
    shared = str(tmp_path / ".limpet")
    bodies = ("redis holds what is common", "postgres is common", "common kind of files")
    indexed(shared, [make_entry("bcd"[at], "", body, agent="dev") for at, body in enumerate(bodies)])
    with closing(open_index(shared)) as connection:
        yield lambda text: parse_query(connection, Query(text=text, owners=None))


def test_words_that_say_nothing_and_repetitions_are_left_out(ask):
    assert [term.text for term in ask("what is the Redis, redis?").terms] == ["redis"]


def test_a_rare_word_weighs_more_than_a_common_one_and_a_weak_one_less(ask):
    weights = {term.text: term.weight for term in ask("redis common kind").terms}
    assert weights["redis"] > weights["kind"] > weights[stem("common")]


def test_a_name_weighs_by_how_often_it_is_said_not_by_how_much_it_wrote(ask):
    (term,) = ask("dev").terms
    assert (term.content_frequency, term.metadata_frequency) == (0, 3)
    assert term.weight > 1


def test_words_that_the_index_knows_come_before_those_that_it_does_not(ask):
    unknown = " ".join(f"word{number}" for number in range(60))
    terms = ask(f"{unknown} common redis").terms
    assert [term.text for term in terms[:2]] == ["redis", stem("common")]
    assert len(terms) == MOST


def test_the_weak_words_are_the_stems_of_these():
    words = """according activity area change current date day decide describe enjoy event example favorite favourite
    feel find happen help idea item kind likely long main mention month name number old part
    particular people person place plan purpose reason receive recent share sort specific start think time topic type
    visit want week year"""
    assert set(map(stem, words.split())) == WEAK_TERMS
    assert not any(map(is_stop, WEAK_TERMS))
