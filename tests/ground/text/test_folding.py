"""Letters in one form, and scripts without spaces."""

import pytest
from hypothesis import given

from limpet.ground.text.folding import fold, is_unspaced

from ...strategies import QUICK, any_text


@pytest.mark.parametrize(("text", "folded"), [
    ("Ação", "acao"), ("ÜBERGRÖSSE", "ubergrosse"), ("größe", "grosse"), ("ΔΟΚΙΜΉ", "δοκιμη"), ("ＴＥＳＴ", "test"),
    ("𝐓𝐞𝐬𝐭", "test"), ("テスト", "テスト"), ("परीक्षण", "परीक्षण"),
])  # fmt: skip
def test_case_accents_and_widths_are_folded(text, folded):
    """Marks that carry meaning in their script stay."""
    assert fold(text) == folded


@QUICK
@given(any_text)
def test_folding_twice_is_folding_once(text):
    """Keywords and prompts meet in one form, whatever the script."""
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("texts", "unspaced"),
    [
        (["測試", "テスト", "한 測", "ทดสอบ", "ທົດສອບ", "ប្រលង", "စမ်း", "𠀀"], True),
        (["test", "größe", "тест", "اختبار", "परीक्षण", "시험"], False),
    ],
)
def test_scripts_without_spaces_are_known(texts, unspaced):
    """Han, Kana, Thai, Lao, Khmer, Myanmar; Korean is written with spaces."""
    assert {is_unspaced(text) for text in texts} == {unspaced}
