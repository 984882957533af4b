"""The similarity of two texts by their words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.ground.text.similarity import cosine, grams, similarity

TEXTS = st.lists(
    st.sampled_from(["use", "never", "tabs", "the", "tests", "testing", "café", "データ", "x1", ","]), max_size=8
).map(" ".join)


@given(TEXTS | st.text(max_size=20), TEXTS)
def test_it_is_the_same_in_both_directions_and_between_0_and_1(a, b):
    """Whichever text is the longer."""
    assert 0.0 <= similarity(a, b) == similarity(b, a) <= 1.0


@given(TEXTS | st.text(max_size=20))
def test_a_text_is_like_itself(text):
    """Even one without words."""
    assert similarity(text, text) == 1.0


def test_texts_without_a_common_word_are_not_alike():
    """Stop words do not count."""
    assert similarity("We deploy on Fridays", "The cache is on Redis") == 0.0


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Always validate input with zod", "Validate all inputs with zod"),
        ("The migrations were tested", "Test the migration"),
        ("Valide as entradas", "validar a entrada"),
        ("Migrações do usuário", "migracao do usuario"),
    ],
)
def test_inflections_and_accents_are_the_same_word(a, b):
    """In English and Portuguese."""
    assert similarity(a, b) > 0.6


def test_a_negation_counts():
    """Else a rule and its contrary would be one."""
    assert similarity("Use tabs", "Never use tabs") < 0.7


def test_the_order_of_words_counts_and_less_than_the_words():
    """By the pairs."""
    same, turned, other = "cache before database", "database before cache", "queue after parser"
    assert similarity(same, other) < similarity(same, turned) < 1.0


def test_a_script_without_spaces_counts_by_its_pairs_of_characters():
    """Japanese has no other words to take."""
    assert 0.5 < similarity("データベースを使う", "データベースを使用する") < 1.0


def test_vectors_can_be_kept_and_compared_later():
    """As one compares a text with many."""
    one, two = "Use PostgreSQL for sessions", "The session store uses PostgreSQL"
    assert cosine(grams(one), grams(two)) == similarity(one, two) > 0.4
