"""The terms of a text: words by their stems, identifiers whole and in parts, scripts without spaces in pairs."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.ground.text.stems import stem
from limpet.memory.index.terms import about, is_stop, terms

PIECES = ("user", "name", "py", "username", "namepy", "usernamepy")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Caching failed.", ["caching", "failed"]),
        ("getUserName", ["get", "user", "name", "getuser", "username", "getusername"]),
        ("user_name", ["user", "name", "username"]),
        ("HTTPServer", ["http", "server", "httpserver"]),
        ("--dry-run", ["dry", "run", "dryrun"]),
        ("src/app/main.py", ["src", "app", "main", "py", "mainpy"]),
        ("src\\app", ["src", "app"]),
        ("C++ and C#", ["cpp", "and", "csharp"]),
        ("Anna's don't", ["anna"]),
        ("Anna\u2019s", ["anna"]),
        ("2026-05-08", ["2026", "5", "8", "202605", "508", "20260508"]),
        ("000", ["0"]),
        ("Configuração é única", ["configuracao", "e", "unica"]),
        ("审核计费", ["审核", "核计", "计费"]),
        ("配", ["配"]),
        ("決済Webhookの", ["決済", "webhook"]),
        ("設定はuser_name.pyを見る", ["設定", *PIECES, "見"]),
        ("C++を使う", ["cpp", "使う"]),
        ("", []),
        ("?! -- ...", []),
    ],
)
def test_the_terms_of_a_text(text, expected):
    assert sorted(terms(text)) == sorted(map(stem, expected))


def test_one_name_is_met_in_every_spelling_of_an_identifier():
    spellings = ("userName", "user_name", "user-name", "UserName", "username", "user.name")
    assert all(stem("username") in terms(spelling) for spelling in spellings)


def test_repetitions_are_kept_and_a_blob_gives_a_short_term_only():
    assert terms("cache cache") == ["cach", "cach"]
    assert max(map(len, terms("x" * 5000 + " " + "a1" * 5000))) <= 40


def test_a_sentence_without_spaces_is_indexed_to_its_end():
    """Thai parts sentences by spaces, not words."""
    found = terms("การเชื่อมต่อฐานข้อมูลล้มเหลวเพราะรหัสผ่านหมดอายุและต้องต่ออายุทุกเดือน")
    assert found[:2] == terms("เชื่อม") and found[-2:] == terms("เดือน")


@pytest.mark.parametrize(("words", "say_nothing"), [("what o por welche he", True), ("cache ci x1 配 7", False)])
def test_words_that_say_nothing_are_known(words, say_nothing):
    assert {is_stop(word) for word in words.split()} == {say_nothing}


@settings(deadline=None, derandomize=True)
@given(st.text(max_size=200))
def test_no_term_holds_a_space_or_a_sign_that_parts_terms(text):
    for term in (each for found in terms(text) for each in (found, about(found))):
        assert term
        assert not any(sign.isspace() for sign in term)
        assert all(sign.isalnum() for sign in term if sign.isascii())
