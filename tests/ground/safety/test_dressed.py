"""Every kind of key in the dress in which it is found: in JSON, in a URL, in a file's name, fused, parted, encoded."""

import base64
import json
from random import Random
from urllib.parse import quote

import pytest

from limpet.ground.safety.redaction import redact

from .made_secrets import made, rows

# What is left of a secret by which it is told.
TAIL = 12
# Kinds that no other dress than their own has: blocks, and what is told by the text around it.
BLOCKS = {"private-key", "putty-key", "netrc-password", "seed-phrase", "azure-sas", "sentry-dsn"}
KEYS = [row for row in rows() if row[0] not in BLOCKS]
FORMED = [row for row in KEYS if not row[1]]
INVISIBLE = "\u200b\u2060\u00ad\u200d"


def secrets(row, count=4):
    """(the kind, the text before, the secret) of a row, the same in every run; empty where it has a name only."""
    kind, names, pattern = row
    for seed in range(count):
        random = Random(f"{kind} {pattern} {seed}")
        yield kind, f"{names[0].strip('_- ')} api key" if names else "my key", made(pattern, random)


def is_left(secret, text):
    shown = "".join(c for c in text if c not in INVISIBLE + "\n\\")
    size = min(TAIL, len(secret))
    return any(secret[at : at + size] in shown for at in range(len(secret) - size + 1))


def missed(write, chosen):
    """The share of the secrets of which something is left, and their kinds."""
    cases = [(kind, secret, redact(write(name, secret))) for row in chosen for kind, name, secret in secrets(row)]
    left = [kind for kind, secret, text in cases if is_left(secret, text)]
    return len(left) / len(cases), sorted(set(left))


def parted(secret):
    return f"{secret[: len(secret) // 2]}\n{secret[len(secret) // 2 :]}"


def with_invisible(secret):
    return "".join(c + INVISIBLE[at % 4] * (at % 3 == 1) for at, c in enumerate(secret))


@pytest.mark.parametrize(
    ("write", "most"),
    [
        (lambda name, secret: f"the {name} is {secret} as of now", 0.05),
        (lambda name, secret: json.dumps({"x": json.dumps({name.replace(" ", "_"): secret})}), 0.05),
        (lambda name, secret: f"export {name.replace(' ', '_').upper()}={secret}", 0.05),
        (lambda name, secret: f"https://api.example/v1?{name.replace(' ', '_')}={quote(secret, safe='')}&b=1", 0.12),
        (lambda name, secret: f"/tmp/{name.replace(' ', '_')}-{secret.replace('/', '_')}.txt", 0.12),
        (lambda name, secret: f"{name}: {with_invisible(secret)} in a chat", 0.15),
        (lambda name, secret: f"{name} {base64.b64encode(secret.encode()).decode()} of a secret", 0.15),
    ],
    ids=["typed", "json", "variable", "url", "file", "zero-width", "base64"],
)
def test_no_dress_hides_a_key(write, most):
    """Of all kinds that the table knows, each with other characters four times."""
    share, kinds = missed(write, KEYS)
    assert share <= most, kinds


@pytest.mark.parametrize(
    ("write", "most"),
    [
        (lambda _, secret: f"see token{secret} there", 0.12),
        (lambda _, secret: f"the key\n{parted(secret)}\nis all", 0.15),
        (lambda _, secret: f'key = "{parted(secret).replace(chr(10), chr(34) + " + " + chr(34))}"', 0.15),
        (lambda _, secret: json.dumps(f"the key\n{parted(secret)}\nis all"), 0.15),
        (lambda _, secret: "".join(f"%{ord(c):02X}" for c in secret), 0.15),
        (lambda _, secret: base64.b64encode(f"key: {secret}\n".encode()).decode(), 0.15),
    ],
    ids=["fused", "split", "added", "escaped", "percent", "base64"],
)
def test_a_key_with_a_form_needs_no_name(write, most):
    """Both halves of one that is parted go."""
    share, kinds = missed(write, FORMED)
    assert share <= most, kinds


@pytest.mark.parametrize(
    "text",
    [
        "пароль: {}",
        "mój hasło to {}",
        "密码是{}",
        "パスワードは{}です",
        "la parola chiave è {}",
        "das Passwort lautet {}",
    ]
    + ["a senha é {}", "la contraseña es {}", "le mot de passe est {}", "비밀번호: {}", "admin / {}"],
)
def test_a_password_is_known_in_the_language_of_who_names_it(text):
    """Also where no space is between the words."""
    secret = "Zx8" + "kQ2v!" + "bT7"
    assert secret not in redact(text.format(secret))


@pytest.mark.parametrize("words", ["otter-lamp-violet-canoe", "Otter-Lamp-Violet-7"])
def test_a_password_of_words_is_one(words):
    """And a sentence is none."""
    assert redact(f"password: {words}") == "password: [redacted:assigned-secret]"
    assert redact("password: must-not-be-empty") == "password: must-not-be-empty"


def test_a_card_number_goes_and_a_row_of_numbers_stays():
    """By its checksum and its issuer, with gaps or a word beside."""
    number = "4539" + "148803436467"
    spaced = " ".join(number[at : at + 4] for at in range(0, 16, 4))
    assert redact(f"{spaced} or card {number}") == "[redacted:card-number] or card [redacted:card-number]"
    for text in (f"id {number}", spaced[:-1] + "8", "4111 1111 1111 1111", f"12 {spaced} 7"):
        assert redact(text) == text
