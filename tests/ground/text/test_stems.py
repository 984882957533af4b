"""Inflections of one word meet in one stem, and words that have nothing to do with each other do not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.ground.text.stems import stem
from holdfast.ground.text.stop_words import STOP_WORDS


@pytest.mark.parametrize(
    "words",
    [
        "cache caches cached caching",
        "hike hikes hiked hiking",
        "run runs running",
        "plan plans planned planning",
        "plane planes",
        "validate validates validated validating validation",
        "require requires required requiring",
        "authenticate authentication authenticated",
        "retry retries retried",
        "box boxes boxing",
        "configurar configurado configurando configuracao configuration configured",
        "arquivo arquivos",
        "decisao decisoes decision decisiones",
        "sessao sessoes",
        "valider validee validation",
        "entscheidung entscheidungen entscheiden",
    ],
)
def test_the_forms_of_a_word_have_one_stem(words):
    assert len({stem(word) for word in words.split()}) == 1


@pytest.mark.parametrize("pair", ["data date", "plan plane", "car care", "list listen", "user use", "port portal"])
def test_words_of_their_own_keep_apart(pair):
    first, second = pair.split()
    assert stem(first) != stem(second)


@pytest.mark.parametrize("word", ["", "a", "the", "sha256", "配置", "übung", "x1"])
def test_what_is_no_plain_word_stays_as_it_is(word):
    assert stem(word) == word


@settings(deadline=None, derandomize=True)
@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=14))
def test_a_stem_is_never_empty_and_no_word_becomes_a_stop_word(word):
    found = stem(word)
    assert found
    assert found not in STOP_WORDS or found == word
