"""Which sentence of a long entry a prompt asks about, and what stands around it."""

from contextlib import closing

import pytest

from limpet.memory.index.reading import open_index
from limpet.memory.search.passages import EntryPassage, find_passages
from limpet.memory.search.prompt_words import read_prompt_words

from ..indexes import cards, indexed, make_entry

BODY = """The importer reads orders. It was written in spring.

## Decision
Orders are kept in the queue until the bank has answered.

## Details
- `parse_order` drops lines without a number.
- Amounts are rounded to cents at the end.

## Gotcha
The queue loses orders that are older than a week. Restart the worker every Friday.
"""
LATE = f"{BODY}\n{'Nothing of this is about it. ' * 200}\nThe printer in Lisbon wants labels of 62 mm."
SENTENCES = [
    "The importer reads orders.",
    "It was written in spring.",
    "Orders are kept in the queue until the bank has answered.",
    "Details: `parse_order` drops lines without a number.",
    "Amounts are rounded to cents at the end.",
    "Gotcha: The queue loses orders that are older than a week.",
    "Restart the worker every Friday.",
]


def passage(shared, prompt, body=BODY, title="The importer"):
    """What is found of the only entry."""
    indexed(shared, [make_entry("k", title, body)])
    with closing(open_index(shared)) as connection:
        return find_passages(connection, cards(shared), read_prompt_words(prompt)).get("mem-2026-11-21-kaaaaaaa")


@pytest.mark.parametrize(
    ("prompt", "number"),
    [
        ("why does the queue lose old orders after a week?", 5),
        ("when are amounts rounded to cents?", 4),
        ("what does parse_order do?", 3),
        ("Restart that worker, is it Friday?", 6),
        ("what about orders?", -1),
        ("translate the login page into Welsh", -1),
    ],
)
def test_the_sentence_that_a_prompt_asks_about(shared, prompt, number):
    """By two words, or one identifier; none where the prompt singles none out."""
    found = passage(shared, prompt)
    assert (list(found.sentences), found.at) == (SENTENCES, number)


def test_it_is_found_beyond_the_excerpt(shared):
    found = passage(shared, "which labels does the Lisbon printer want?", LATE)
    assert found.asked == "The printer in Lisbon wants labels of 62 mm."


def test_of_equal_ones_the_excerpt_has_its_way(shared):
    """It begins with the decision, which is told where nothing else is asked for."""
    body = "Ledgers are closed at night.\n\n## Decision\nLedgers are closed at night by hand."
    assert passage(shared, "who closes ledgers at night?", body).at == 1


def test_an_entry_that_is_its_title_has_no_passage(shared):
    assert passage(shared, "when are amounts rounded?", "Amounts are rounded.", title="Amounts are rounded") is None


def test_no_secret_is_in_a_passage(shared):
    secret = "ghp_" + "a1B2c3D4e5" * 4
    found = passage(shared, "which token has the deploy bot?", f"One. The deploy bot has the token {secret}.")
    assert found.at == 1 and secret not in "".join(found.sentences)


@pytest.mark.parametrize(
    ("most", "said"),
    [
        (1, "... c."),
        (9, "... c. d."),
        (12, "... b. c. d."),
        (15, "... b. c. d. e."),
        (99, "Alpha. b. c. d. e."),
    ],
)
def test_what_stands_around_it_comes_as_far_as_there_is_room(most, said):
    """What follows it first."""
    found = EntryPassage(sentences=("Alpha.", "b.", "c.", "d.", "e."), at=2)
    assert found.around(lambda text: len(text) <= most) == said
