"""The cues of ``framework/capture``: those that code asks for are there, and no others."""

import re
from pathlib import Path

import pytest
from hypothesis import given

import limpet
from limpet.ground.text.word_lists import read_words
from limpet.memory.capture.heard import HEARD, begins, cue, matchable, paths_in, says, sentences

from ...strategies import QUICK, hostile

SOURCES = [path.read_text(encoding="utf-8") for path in Path(limpet.__file__).parent.rglob("memory/**/*.py")]


def test_each_section_is_asked_for_and_each_that_is_asked_for_exists():
    """By its name, in quotation marks."""
    sections = set(read_words("capture/en.txt"))
    quoted = {name for text in SOURCES for name in re.findall(r"[\"']([a-z-]+)[\"']", text)}
    asked = {
        name for text in SOURCES for name in re.findall(r"\b(?:cue|says|begins|source|entries)\([\"']([a-z-]+)", text)
    }
    assert asked <= sections <= quoted


def test_every_entry_is_an_expression_that_matches_in_any_language():
    """A conversation mixes them."""
    for section in read_words("capture/en.txt"):
        for language in HEARD:
            for entry in read_words(f"capture/{language}.txt").get(section, ()):
                re.compile(entry)
    assert says("wishes", "we never do that") and says("wishes", "siempre asi")
    assert begins("refuses", "nao, use tabs") and not begins("refuses", "use tabs, nao espacos")


def test_brackets_capture_nothing():
    """So that entries stand side by side in one expression."""
    assert {cue(section, text).groups for section in read_words("capture/en.txt") for text in ("", "字")} == {0}
    assert all(read_words(f"capture/{each}.txt").keys() <= read_words("capture/en.txt").keys() for each in HEARD)


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("See src/app.ts and `lib\\util.py`.", ("src/app.ts", "lib/util.py")),
        ("index.ts, then index.ts again", ("index.ts",)),
        ("We use Next.js and Node.js v18.2, e.g. in tests and/or builds.", ()),
        ("https://example.com/a.py is a page, me@example.py an address", ()),
        ("./a/b.rs:12 and ../c.go", ("./a/b.rs", "../c.go")),
        (
            "See .github/workflows/ci.yml, .gitignore and `web/.eslintrc`.",
            (".github/workflows/ci.yml", ".gitignore", "web/.eslintrc"),
        ),
        ("The branch is .well-known, and so on ...etc", ()),
        ("a file next.config.js", ("next.config.js",)),
    ],
)
def test_files_are_cited_and_technologies_are_not(text, paths):
    """Nor versions, abbreviations, addresses and pages."""
    assert paths_in(text) == paths


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


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("- **Use** tabs.\n2. [x] Use spaces.", ["Use tabs.", "Use spaces."]),
        ("We decided to\nuse Redis.\nand that\nA new line", ["We decided to use Redis.", "and that", "A new line"]),
        ("Use one, e.g. Next.js 14. Then go on.", ["Use one, e.g. Next.js 14.", "Then go on."]),
    ],
    ids=["list marks and emphasis are taken off", "a wrapped line goes on", "abbreviations and names end none"],
)
def test_sentences_are_read_from_lines(text, found):
    assert sentences(text) == found


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
