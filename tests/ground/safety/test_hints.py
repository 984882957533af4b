"""Hints: the rows that may match are found by them, in order, each once."""

import pytest

from limpet.ground.safety.hints import by_hint, hinted, may_hold_secret
from limpet.ground.safety.redaction import redact

from .secret_examples import AFTER, EXAMPLES
from .test_held_out import drawn, sets
from .test_redaction import ASSIGNED, PASSWORD


def test_rows_are_found_by_any_of_their_hints_in_order():
    """A row with two hints in the text counts once; one without is left out."""
    table = by_hint([(("b", "c"), 0), (("z",), 1), (("a", "b"), 2)])
    assert hinted(table, "a b c") == [0, 2]
    assert hinted(table, "y") == []


def test_the_kind_of_a_secret_is_that_of_the_first_row_that_knows_it():
    """The rows go in the order of their table, whichever hint stands first in the text."""
    text = "OPENAI sk-" + "ant-api03-Zk4Qw8Lm2Np6Rt0Vx9Yb3Df7"
    assert redact(text) == "OPENAI [redacted:anthropic-key]"


HELD_OUT = [line for part in sets("held_out_secrets.jsonl") for line in part]


@pytest.mark.parametrize(("kind", "before", "secret", "near"), EXAMPLES)
def test_every_key_format_is_likely(kind, before, secret, near):
    """In the middle of a text."""
    assert may_hold_secret(f"see {before}{secret}{AFTER.get(kind, '')} there")


@pytest.mark.parametrize(
    "form", [*ASSIGNED, "пароль: {}", "密码：{}", "パスワードは{}", "heslo: {}", "hasło: {}", "wachtwoord={}"]
)
def test_what_is_named_as_a_secret_is_likely(form):
    """In every notation that redaction knows, and in other languages."""
    assert may_hold_secret(form.format(PASSWORD))


def test_ordinary_text_is_not():
    """It costs no regular expression."""
    code = "def area(width, height):\n    return width * height\n"
    for text in (code, "# The guard\n\nSee `docs/guard.md`, 12 rules.", "x = 1"):
        assert not may_hold_secret(text)


def test_nothing_that_redaction_finds_is_passed_over():
    """Where people leave secrets; cookies, which the guard does not judge, apart."""
    texts = [drawn(line, 1)[0] for line in HELD_OUT]
    found = [text for text in texts if redact(text) != text and "cookie" not in text.lower()]
    assert len(found) > 100
    assert [text for text in found if not may_hold_secret(text)] == []
