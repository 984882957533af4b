"""A search while somebody types: all words, the last perhaps unfinished, the newest first."""

import pytest

from limpet.memory.model.entry import Query

from ...memories import Memories


@pytest.fixture
def found(workspace):
    memories = Memories(workspace)
    memories.add("The database is Postgres", days_ago=3)
    memories.add("Never mock the database", days_ago=2)
    memories.add("Databases are dumped at night", days_ago=1)
    memories.add("A wish of an agent about the database", owner="dev")
    memories.library.archive(memories.add("The old database was SQLite"))
    memories.tell_index()

    def titles(text, **query):
        return [card.title for card in memories.library.find_begun(Query(text=text, **query))]

    return titles


@pytest.mark.parametrize("text", ["datab", "database", "the datab", "DATABASES"])
def test_a_word_is_found_by_its_beginning_and_in_its_forms(found, text):
    """What was put away is not among them."""
    assert len(found(text)) == 4


def test_all_words_count_and_the_newest_come_first(found):
    assert found("mock datab") == ["Never mock the database"]
    assert found("datab") == [
        "A wish of an agent about the database",
        "Databases are dumped at night",
        "Never mock the database",
        "The database is Postgres",
    ]
    assert found("datab", limit=2)[1:] == ["Databases are dumped at night"]


def test_what_is_too_short_or_says_nothing_finds_nothing(found):
    for text in ("", "da", "the", '"', "zebra", 'x" OR "y'):
        assert found(text) == []


def test_the_state_that_is_asked_for_counts(found):
    assert found("sqli", states=("archive",), valid=False) == ["The old database was SQLite"]
