"""Words of other scripts than Latin: cut where no space parts them, and without their endings where one does."""

import pytest

from limpet.ground.text.folding import fold
from limpet.ground.text.scripts import group_terms, strip_endings
from limpet.ground.text.stems import stem
from limpet.ground.text.words import has_words, is_stop_word, split_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("审核队列为什么是空的", ["审核", "队列", "为什么", "是", "空", "的"]),
        ("本番の監査ログは必ず残す", ["本番", "の", "監査", "ログ", "は", "必ず", "残", "す"]),
        ("ห้ามลบตาราง", ["ห้าม", "ลบ", "ตาราง"]),
        ("API를 호출", ["api를", "호출"]),
    ],
)
def test_a_run_without_spaces_is_cut_into_words(text, words):
    assert split_words(fold(text)) == words


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        ("审核计费", [("审核", "核计"), ("计费",)]),
        ("空的", [("空",)]),
        ("キャッシュを消して", [("キャッシュ", "キャ", "ャッ", "ッシ", "シュ"), ("消し", "して")]),
        ("스케줄러는", [("스케줄러", "스케", "케줄", "줄러")]),
        ("하지만", []),
    ],
)
def test_the_terms_of_a_word_stand_together(text, groups):
    """Two pairs of characters that overlap are one word; one that was borrowed counts once, however long it is."""
    assert group_terms(fold(text)) == groups


@pytest.mark.parametrize("part", ["データ", "ベース"])
def test_a_part_of_a_borrowed_word_is_not_the_word(part):
    assert part not in group_terms("データベース")[0][0:1]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("배포를", "배포는"),
        ("큐가", "큐에서"),
        ("документацию", "документации"),
        ("счётчика", "счетчики"),
        ("الفاتورة", "فاتورة"),
        ("والملفات", "ملف"),
        ("फ़ाइलें", "फाइल"),
        ("परीक्षाओं", "परीक्षा"),
    ],
)
def test_forms_of_a_word_have_one_stem(one, other):
    assert stem(fold(one)) == stem(fold(other))


@pytest.mark.parametrize("word", ["кот", "ملف", "काम", "키", "审核"])
def test_short_words_keep_their_letters(word):
    assert strip_endings(word) == word


def test_vowel_signs_and_voiced_sounds_are_kept():
    """They are letters there, and no accents."""
    assert fold("परीक्षा की फ़ीस") == "परीक्षा की फ\u093cीस" and fold("ガード") == "ガード"


@pytest.mark.parametrize(
    ("text", "least", "has"),
    [("审核队列", 2, True), ("好", 2, False), ("remove it", 2, True), ("remove", 2, False), ("ลบตาราง", 2, True)],
)
def test_words_are_counted_whether_spaces_part_them_or_not(text, least, has):
    assert has_words(text, least) == has


@pytest.mark.parametrize(
    ("words", "says_nothing"),
    [("的 ください และ 그리고 который لكن क्योंकि the", True), ("队列 キュー คิว 큐 очередь", False)],
)
def test_stop_words_of_every_script_are_known(words, says_nothing):
    assert {is_stop_word(fold(word)) for word in words.split()} == {says_nothing}
