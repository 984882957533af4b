"""Words, folded and reduced to what their inflections share (decision 16)."""

import pytest
from hypothesis import given

from holdfast.ground.text.words import bases, fold, is_unspaced, split_words

from ...strategies import QUICK, any_text, st

MEET = [
    ("test", "tests"),
    ("test", "testing"),
    ("test", "tested"),
    ("story", "stories"),
    ("commit", "committing"),
    ("deploy", "deployed"),
    ("cache", "caching"),
    ("teste", "testes"),
    ("função", "funções"),
    ("testar", "testando"),
    ("requisito", "requisitos"),
    ("prueba", "pruebas"),
    ("animal", "animaux"),
    ("bouton", "boutons"),
    ("Test", "TESTS"),
]
PART = [("test", "latest"), ("ui", "build"), ("art", "start"), ("plan", "plane"), ("test", "contest"), ("log", "login")]


def meet(one, other):
    """Whether two words count as forms of one."""
    return not set(bases(fold(one))).isdisjoint(bases(fold(other)))


@pytest.mark.parametrize(("one", "other"), MEET)
def test_inflections_of_a_word_meet(one, other):
    """English, Portuguese, Spanish, French, German."""
    assert meet(one, other)


@pytest.mark.parametrize(("one", "other"), PART)
def test_a_part_of_a_word_is_another_word(one, other):
    """What CARL's substrings take for the same."""
    assert not meet(one, other)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Ação", "acao"),
        ("ÜBERGRÖSSE", "ubergrosse"),
        ("größe", "grosse"),
        ("ΔΟΚΙΜΉ", "δοκιμη"),
        ("ＴＥＳＴ", "test"),
        ("𝐓𝐞𝐬𝐭", "test"),
        ("テスト", "テスト"),
        ("परीक्षण", "परीक्षण"),
    ],
)
def test_case_accents_and_widths_are_folded(text, folded):
    """Marks that carry meaning in their script stay."""
    assert fold(text) == folded


@QUICK
@given(any_text)
def test_folding_twice_is_folding_once(text):
    """Keywords and prompts meet in one form, whatever the script."""
    assert fold(fold(text)) == fold(text)


@QUICK
@given(any_text)
def test_words_hold_no_white_space_and_have_bases(text):
    """Nothing raises; a word is its own first base."""
    for word in split_words(fold(text)):
        assert word and not any(letter.isspace() for letter in word)
        assert bases(word)[0] == word


def test_a_combining_mark_belongs_to_its_word():
    """Hindi, Hebrew and Arabic words are not torn apart at their vowels."""
    assert split_words(fold("परीक्षण करो")) == ["परीक्षण", "करो"]
    assert split_words(fold("שָׁלוֹם")) == split_words(fold("שָׁלוֹם"))[:1]


@pytest.mark.parametrize("text", ["測試", "テスト", "한 測", "ทดสอบ", "ທົດສອບ", "ប្រលង", "စမ်း", "𠀀"])
def test_scripts_without_spaces_are_known(text):
    """Han, Kana, Thai, Lao, Khmer, Myanmar."""
    assert is_unspaced(text)


@pytest.mark.parametrize("text", ["test", "größe", "тест", "اختبار", "परीक्षण", "시험"])
def test_scripts_with_spaces_are_known(text):
    """Korean is written with spaces."""
    assert not is_unspaced(text)


@QUICK
@given(st.text("abcdefghijklmnopqrstuvwxyz", min_size=4, max_size=12))
def test_bases_share_the_beginning_of_their_word(word):
    """No ending is taken off so far that unrelated words meet."""
    assert all(base[:3] == word[:3] for base in bases(word))
