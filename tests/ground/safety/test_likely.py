"""Whether a text may hold a secret: nothing that redaction finds is passed over."""

import pytest

from limpet.ground.safety.hints import may_hold_secret
from limpet.ground.safety.redaction import redact

from .secret_examples import AFTER, EXAMPLES
from .test_held_out import drawn, sets
from .test_redaction import ASSIGNED, PASSWORD

HELD_OUT = [line for part in sets("held_out_secrets.jsonl") for line in part]


@pytest.mark.parametrize(("kind", "before", "secret", "near"), EXAMPLES)
def test_every_key_format_is_likely(kind, before, secret, near):
    """In the middle of a text."""
    assert may_hold_secret(f"see {before}{secret}{AFTER.get(kind, '')} there")


@pytest.mark.parametrize("form", ASSIGNED)
def test_what_is_named_as_a_secret_is_likely(form):
    """In every notation that redaction knows."""
    assert may_hold_secret(form.format(PASSWORD))


def test_nothing_that_redaction_finds_is_passed_over():
    """Where people leave secrets; cookies, which the guard does not judge, apart."""
    texts = [drawn(line, 1)[0] for line in HELD_OUT]
    found = [text for text in texts if redact(text) != text and "cookie" not in text.lower()]
    assert len(found) > 100
    assert [text for text in found if not may_hold_secret(text)] == []


@pytest.mark.parametrize(
    "text",
    ["def area(width, height):\n    return width * height\n", "# The guard\n\nSee `docs/guard.md`, 12 rules.", "x = 1"],
)
def test_ordinary_text_is_not(text):
    """It costs no regular expression."""
    assert not may_hold_secret(text)


@pytest.mark.parametrize(
    "text", ["пароль: {}", "密码：{}", "パスワードは{}", "heslo: {}", "hasło: {}", "wachtwoord={}"]
)
def test_a_password_in_another_language_is_likely(text):
    """Whatever redaction knows by its name."""
    assert may_hold_secret(text.format("Zx8" + "kQ2v7"))
