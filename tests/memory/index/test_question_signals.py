"""Questions that want a time or a number, and texts that name one."""

import pytest

from limpet.memory.index.records import (
    asks_how_many,
    asks_when,
    is_question_title,
    tells_number,
    tells_when,
    title_words_of,
)


@pytest.mark.parametrize("text", ["When did we move?", "Quando foi?", "¿Cuándo?", "In which month did it break?"])
def test_a_question_for_a_moment(text):
    assert asks_when(title_words_of(text))


@pytest.mark.parametrize("text", ["Where is it?", "Tell me what happens when it fails", ""])
def test_no_question_for_a_moment(text):
    assert not asks_when(title_words_of(text))


@pytest.mark.parametrize("text", ["How many retries?", "how long does it take", "Quantas vezes?", "Combien de fois ?"])
def test_a_question_for_a_number(text):
    assert asks_how_many(title_words_of(text))


@pytest.mark.parametrize("text", ["since last week", "in 2024", "on the 3rd", "ontem", "em março", "hier"])
def test_a_moment_is_named(text):
    assert tells_when(title_words_of(text))


def test_no_moment_is_named():
    assert not tells_when(title_words_of("We use port 8080 for the proxy"))


@pytest.mark.parametrize(("text", "named"), [("3 retries", True), ("three retries", True), ("some retries", False)])
def test_a_number_is_named(text, named):
    assert tells_number(title_words_of(text)) is named


@pytest.mark.parametrize(
    ("text", "asks"),
    [("Should we?", True), ("Should we? \n", True), ("為什麼？", True), ("Why? Because.", False), ("", False)],
)
def test_a_text_that_ends_as_a_question(text, asks):
    assert is_question_title(text) is asks
