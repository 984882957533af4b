"""Words of any script, folded."""

from hypothesis import given

from limpet.ground.text.folding import fold
from limpet.ground.text.words import split_words

from ...strategies import QUICK, any_text


@QUICK
@given(any_text)
def test_words_hold_no_white_space(text):
    """Nothing raises, and no word is empty."""
    for word in split_words(fold(text)):
        assert word and not any(letter.isspace() for letter in word)


def test_a_combining_mark_belongs_to_its_word():
    """Hindi, Hebrew and Arabic words are not torn apart at their vowels."""
    assert split_words(fold("परीक्षण करो")) == ["परीक्षण", "करो"]
    assert split_words(fold("שָׁלוֹם")) == split_words(fold("שָׁלוֹם"))[:1]
