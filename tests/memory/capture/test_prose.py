"""Own words are kept, pasted matter is not."""

import pytest
from hypothesis import given

from limpet.memory.capture.heard import matchable, sentences

from ...strategies import QUICK, hostile


@pytest.mark.parametrize(
    "pasted",
    [
        "```\nLet's use Redis.\n```",
        "~~~py\nLet's use Redis.\n```\nstill code\n~~~",
        "> Let's use Redis.",
        "    Let's use Redis.",
        "2026-11-20 10:00:03 ERROR let's use Redis.",
        "ERROR let's use Redis.",
        "+ let's use Redis.",
        "| let's | use |",
        "$ let's use Redis",
        "ValueError: let's use Redis",
        "# Let's use Redis",
        "  at useRedis (src/a.js:1:2)",
        "```\nnever closed",
    ],
)
def test_pasted_matter_is_no_sentence(pasted):
    """Code, quotations, logs, differences, tables, commands, traces and headings."""
    assert sentences(f"Look at this.\n{pasted}") == ["Look at this."]


def test_list_marks_and_emphasis_are_taken_off():
    """They are layout."""
    assert sentences("- **Use** tabs.\n2. [x] Use spaces.") == ["Use tabs.", "Use spaces."]


def test_a_wrapped_line_goes_on():
    """Where the next one begins in lower case and nothing ended."""
    assert sentences("We decided to\nuse Redis.\nand that\nA new line") == [
        "We decided to use Redis.",
        "and that",
        "A new line",
    ]


def test_abbreviations_do_not_end_a_sentence():
    """Nor do dots within names."""
    assert sentences("Use one, e.g. Next.js 14. Then go on.") == ["Use one, e.g. Next.js 14.", "Then go on."]


def test_a_long_sentence_counts_where_it_may():
    """A person's correction may be one; elsewhere it is a list or a log that is not known for one."""
    text = "No, the export " + "goes through the queue, " * 30 + "always."
    assert sentences(text) == []
    assert sentences(text, longest=1200) == [" ".join(text.split())]


def test_quoted_words_are_blanked_out_for_matching():
    """Somebody else said them."""
    assert matchable('The «vamos a usar» and `let\'s use` and "no" É') == "the xx and xx and xx e"


@QUICK
@given(hostile)
def test_any_text_gives_short_lines(text):
    """Without line ends."""
    for sentence in sentences(text):
        assert 0 < len(sentence) <= 400 and "\n" not in sentence
        matchable(sentence)
