"""Answers to candidates, read from what was typed."""

import pytest

from limpet.ground.errors import LimpetError
from limpet.memory.candidates import CandidateAnswer, read_candidate_answer, read_finding, refuse_copy


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (
            "k7q2m9: The import uses four workers.",
            CandidateAnswer("write", "k7q2m9", sentence="The import uses four workers."),
        ),
        (
            "k7q2m9: gotcha: The linter wants a parent.",
            CandidateAnswer("write", "k7q2m9", "gotcha", "", "The linter wants a parent."),
        ),
        ("k7q2m9:drop", CandidateAnswer("drop", "k7q2m9")),
        (" k7q2m9 : Drop. ", CandidateAnswer("drop", "k7q2m9")),
        ("k7q2m9: repeats 3fa8b2c1", CandidateAnswer("repeats", "k7q2m9", memory="3fa8b2c1")),
        ("k7q2m9: ends mem-2026-11-21-k7q2m9xa", CandidateAnswer("ends", "k7q2m9", memory="mem-2026-11-21-k7q2m9xa")),
        (
            "k7q2m9: replaces 3fa8b2c1: It uses six.",
            CandidateAnswer("replaces", "k7q2m9", "", "3fa8b2c1", "It uses six."),
        ),
        (
            "gotcha: It reads: the parent folder.",
            CandidateAnswer("write", "", "gotcha", "", "It reads: the parent folder."),
        ),
        ("k7q2m9: Note: it ends 2027.", CandidateAnswer("write", "k7q2m9", sentence="Note: it ends 2027.")),
        (
            "k7q2m9: ends with a newline, always",
            CandidateAnswer("write", "k7q2m9", sentence="ends with a newline, always"),
        ),
        ("k7q2m9: Drop it from the build.", CandidateAnswer("write", "k7q2m9", sentence="Drop it from the build.")),
        ("k7q2m9: Drop-in styles stay.", CandidateAnswer("write", "k7q2m9", sentence="Drop-in styles stay.")),
        ("k7q2m9: Replace python3 with uv.", CandidateAnswer("write", "k7q2m9", sentence="Replace python3 with uv.")),
        ("k7q2m9: End each file: a newline.", CandidateAnswer("write", "k7q2m9", sentence="End each file: a newline.")),
        ("k7q2m9: Identify users by mail.", CandidateAnswer("write", "k7q2m9", sentence="Identify users by mail.")),
        ("k7q2m9: 使用四个工作进程。", CandidateAnswer("write", "k7q2m9", sentence="使用四个工作进程。")),
    ],
)
def test_an_answer_has_one_of_six_forms(text, answer):
    """A sentence that only begins like one is a sentence."""
    assert read_candidate_answer(text) == answer


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("no colon", "Not an answer"),
        ("", "Not an answer"),
        ("k7q2m9:", "No sentence"),
        ('k7q2m9: "..."', "No sentence"),
        ("decision:  ", "No sentence"),
        ("decision: replaces 3fa8b2c1: It uses six.", "A finding of your own replaces no memory"),
        ("k7q2m9: replaces 3fa8b2c1: ", "No sentence"),
        ("k7q2m9: " + "x" * 301, "Longer than 300 characters"),
    ],
)
def test_what_is_no_answer_is_refused_with_the_reason(text, why):
    """In plain words."""
    with pytest.raises(LimpetError, match=why):
        read_candidate_answer(text)


@pytest.mark.parametrize(
    "rest",
    [
        "replaces g13pnn8f",
        "replaces kqzhwxab",
        "replaces g13pnn8f It uses six.",
        "replaces kqzhwxab It uses six.",
        "Replaces g13pnn8f: It uses six.",
        "replace g13pnn8f: It uses six.",
        "replaces [g13pnn8f]: It uses six.",
        "replaces MEMORY: It uses six.",
        "replaces: It uses six.",
        "replaces the old one: It uses six.",
        "replaces g13pnn8f: drop",
        "replaces g13pnn8f: gotcha: It uses six.",
        "ends g13pnn8f: because of MySQL",
        "ends mem-2026-11-21-g13pnn8f because of MySQL",
        "repeats g13pnn8f: It uses six.",
        "repeats",
        "repeated g13pnn8f",
        "gotcha: replaces g13pnn8f: It uses six.",
        "gotcha: drop",
        "drop: it is noise",
        "drop it",
        "drop this.",
        "drop, it is noise",
        "drop - it is noise",
        "drop (noise)",
        "drop because it is noise",
        "drop it since nobody asks",
        "drop g13pnn8f",
        "dropped",
        "skip",
    ],
)
def test_what_only_begins_like_an_answer_is_no_sentence(rest):
    """It is refused with the forms."""
    with pytest.raises(LimpetError, match=r'Write "ID: SENTENCE"'):
        read_candidate_answer(f"k7q2m9: {rest}")


@pytest.mark.parametrize("sentence", ["replaces g13pnn8f", "replaces g13pnn8f: It uses six.", "drop", "drop: noise"])
def test_a_finding_of_ones_own_is_a_sentence(sentence):
    """However it is handed in."""
    with pytest.raises(LimpetError):
        read_finding("gotcha", sentence)


def test_the_quote_cut_is_no_sentence():
    """What says more, or all of it, is one."""
    quote = "Let's use Redis for the cache, since the limiter has it."
    for cut in ("Let's use Redis for the...", "let\u2019s use redis \u2026".replace("\u2019", "'")):
        with pytest.raises(LimpetError, match="the quote, cut"):
            refuse_copy(cut, quote)
    refuse_copy("Let's use Redis for the cache", quote)
    refuse_copy("The cache is Redis...", quote)
