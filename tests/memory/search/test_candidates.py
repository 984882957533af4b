"""What is looked up for a question, and in which order it is worth ranking."""

from contextlib import closing

import pytest

from limpet.ground.text.stems import stem
from limpet.memory.index.database import POSITIONS
from limpet.memory.index.reading import docs_holding, open_index
from limpet.memory.index.terms import is_stop
from limpet.memory.model.entry import Query
from limpet.memory.search.candidates import (
    MOST,
    WEAK_TERMS,
    SearchLimits,
    add_conversation_gains,
    count_by_conversation,
    look_up_terms,
    order,
    parse_query,
)

from ..indexes import NOW, indexed, make_entry

LETTERS = "bcdefghjkmnpqrstvwxyz"


@pytest.fixture
def connection(tmp_path):
    """An index: twenty entries say "common", one of them "rare"; it stands in the midst of their conversation."""
    entries = [
        make_entry(letter, "common rare" if at == 10 else "common", session="s", created_at=f"2026-11-21T10:{at}:00Z")
        for at, letter in enumerate(LETTERS[:20], 10)
    ]
    shared = str(tmp_path / ".limpet")
    indexed(shared, entries)
    with closing(open_index(shared)) as opened:
        yield opened


def found(connection, words, **limits):
    parsed = parse_query(connection, Query(text=words, owners=None, now=NOW))
    return look_up_terms(connection, parsed, SearchLimits(**limits)), parsed


def test_every_entry_that_holds_a_term_is_found_and_the_rare_one_gains_most(connection):
    result, _ = found(connection, "common rare")
    (rare,) = result.postings[stem("rare")]
    assert (len(result.postings[stem("common")]), result.complete) == (20, True)
    assert order(result.gains, 1) == [rare]


def test_what_stands_beside_a_holder_gains_and_most_what_follows_it(connection):
    result, _ = found(connection, "rare")
    (rare,) = result.postings[stem("rare")]
    assert sorted(result.gains) == [rare - 2, rare - 1, rare, rare + 1, rare + 2]
    assert order(result.gains, 5)[:2] == [rare, rare + 1]


def test_a_term_that_is_too_common_is_not_looked_up_unless_none_is_rarer(connection):
    result, _ = found(connection, "common rare", looked_up=10)
    assert (list(result.postings), result.complete) == (["rare"], False)
    result, _ = found(connection, "common", looked_up=5, spread=0)
    assert (len(result.gains), result.postings, result.complete) == (5, {}, False)


def test_of_a_term_that_is_too_common_the_newest_are_taken(connection):
    parsed = parse_query(connection, Query(text="common", owners=None, now=NOW))
    postings = parsed.terms[0].content_postings
    every = docs_holding(connection, postings, 100)
    assert docs_holding(connection, postings, 3) == frozenset(sorted(every)[-3:])


@pytest.mark.parametrize("most", [1, 2, 3, 10])
def test_the_best_come_first_and_of_equal_ones_the_newest(most):
    gains = {1: 1.0, 2: 3.0, 3: 1.0, 4: 2.0, 5: 1.0, 6: 1.0, 7: 1.0}
    assert order(gains, most) == [2, 4, 7, 6, 5, 3, 1][:most]


def test_terms_are_counted_in_the_conversations_that_matter():
    first, second = 1 << POSITIONS, 2 << POSITIONS
    postings = {"redis": frozenset({first + 2, first + 5, second + 2})}
    assert count_by_conversation(postings, [first + 9]) == {"redis": {1: 2}}


def test_a_conversation_raises_its_entries_up_to_a_bound(connection):
    result, parsed = found(connection, "rare")
    (rare,) = result.postings[stem("rare")]
    conversation = rare >> POSITIONS
    raised = [
        add_conversation_gains(result, parsed, {"rare": {conversation: count}}, [rare])[rare] for count in (0, 1, 5, 50)
    ]
    assert result.gains[rare] == raised[0] < raised[1] < raised[2] == raised[3]


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
