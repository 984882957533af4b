"""The substance of an entry on one line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.text.tokens import estimate_tokens
from limpet.memory.index.records import LIMIT, excerpt
from limpet.memory.model.entry import MemoryEntry

from ...strategies import NASTY, QUICK


def of(body, limit=LIMIT):
    return excerpt(MemoryEntry(id="mem-2026-02-12-001", type="decision", title="Title", body=body), limit)


def test_what_was_decided_comes_first_and_the_rest_follows_with_its_headings():
    """The named section loses its heading; lists, code and emphasis become plain sentences."""
    body = (
        "## Context\nDuring architecture phase,\nevaluated **JWT** vs sessions.\n\n"
        "## Decision\nJWT chosen for [stateless](http://x) API.\n\n"
        "## Implementation\n- `jwt.ts` holds tokens\n1. [x] then routes\n> quoted\n\n```ts\nconst a = 1\n```\n---\n"
        "| a | b |\n|---|---|\n| 1 | 2 |\n"
    )
    assert of(body) == (
        "JWT chosen for stateless API. Context: During architecture phase, evaluated JWT vs sessions. "
        "Implementation: `jwt.ts` holds tokens. then routes quoted. const a = 1. a, b. 1, 2."
    )


@pytest.mark.parametrize(
    "heading",
    [
        "Summary",
        "Key decisions:",
        "DECISÃO",
        "Resumo",
        "Solução",
        "Corrección",
        "Resolución",
        "Résumé",
        "Contournement",
    ],
)
def test_key_sections_are_known_in_four_languages(heading):
    """English, Portuguese, Spanish and French, accents or not."""
    assert of(f"Before.\n\n### {heading}\nThe point.\n") == "The point. Before."


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("", ""),
        ("\n \n---\n", ""),
        ("# only a heading", ""),
        ("one line", "one line."),
        ("É assim! Porque sim", "É assim! Porque sim."),
        ("決定した。理由はこれ", "決定した。 理由はこれ."),
        ("a\n# not code\n", "a."),
        ("```\n# in code\n```", "# in code."),
    ],
)
def test_plain_bodies_are_quoted_from_their_beginning(body, expected):
    """Nothing for nothing, and an end for every block."""
    assert of(body) == expected


def test_sentences_are_whole_unless_half_the_room_would_stay_empty():
    """A sentence that does not fit is left out, and cut where too little else was said."""
    first, second = "Nine words stand in this sentence and it ends.", "No more of it fits in here than this."
    enough = estimate_tokens(first)
    assert of(f"{first} {second}", enough + estimate_tokens(second)) == f"{first} {second}"
    assert of(f"{first} {second}", enough + 5) == first
    assert of(f"{first} {second}", enough - 1).startswith("Nine words stand")
    assert of(f"{first} {second}", enough - 1).endswith("...")
    assert of(f"Yes. {first}", 12).startswith("Yes. Nine")


@QUICK
@given(
    st.lists(st.sampled_from(NASTY) | st.text() | st.sampled_from(["## Decision\n", "- x. ", "\n\n", "```\n"])).map(
        "".join
    ),
    st.integers(0, 300),
)
def test_every_body_gives_one_line_within_the_limit(body, limit):
    """Whatever it holds, and however small the limit."""
    text = of(body, limit)
    assert estimate_tokens(text) <= limit
    assert len(text.splitlines()) <= 1


def test_a_body_of_ten_megabytes_costs_its_beginning_only():
    """Signs that may open a link or an item cause no search to the end for each of them."""
    assert estimate_tokens(of("[a](b - * " * 1_000_000)) <= LIMIT
