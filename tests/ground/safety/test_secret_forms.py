"""Tokens that look random are secrets; digests, ids, names and public data that look so are not."""

import pytest

from limpet.ground.safety.secret_forms import entropy, find_random, is_random

SECRET = "q7Rk2VxT9bLm4ZpW8cYd"


@pytest.mark.parametrize(
    ("token", "drawn"),
    [
        (SECRET, True),
        ("k3x9q2m7w5z8r4t6y1p0v3b8n2c7d5f9", True),
        (f"{SECRET}/{SECRET}", True),
        (SECRET[:19], False),
        (SECRET * 11, False),
        ("k3x9q2m7w5z8r4t6y1p0", False),
        ("getUserByEmailAddress2", False),
        ("test_that_nothing_is_lost_2026_11_21", False),
        ("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", False),
        ("3f2b8c1e-9d4a-4e6b-8f7a-1c2d3e4f5a6b", False),
        ("aaaaaaaaaaA1aaaaaaaaaA1", False),
    ],
)
def test_a_drawn_token_is_random(token, drawn):
    """Of both cases from 20 characters on, of one case from 32; no name, slug, digest, UUID, blob or repetition."""
    assert is_random(token) == drawn


@pytest.mark.parametrize("text", ["use {} now", '"{}"', "a={}", "path\\n{}", "({})"])
def test_a_token_is_replaced_wherever_it_stands(text):
    found = [(start, end) for start, end, _ in find_random(text.format(SECRET))]
    assert [text.format(SECRET)[start:end] for start, end in found] == [SECRET]


@pytest.mark.parametrize(
    "text",
    [
        f"https://example.org/{SECRET}",
        f"sha256-{SECRET}",
        f"data:image/png;base64,{SECRET}",
        f"index-{SECRET}.js",
        f"toolu_{SECRET}",
        f"ssh-ed25519 {SECRET}",
    ],
    ids=["url", "integrity", "image", "asset", "id", "public key"],
)
def test_public_data_that_looks_random_stays(text):
    assert list(find_random(text)) == []


def test_entropy_is_in_bits_a_character():
    assert (entropy("aaaa"), entropy("abcd")) == (0.0, 2.0)
