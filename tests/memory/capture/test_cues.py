"""The cues of ``framework/capture``: those that code asks for are there, and no others."""

import re
from pathlib import Path

import limpet
from limpet.ground.text.word_lists import read_words
from limpet.ground.text.words import LANGUAGES
from limpet.memory.capture.heard import begins, cue, says

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
        for language in LANGUAGES:
            for entry in read_words(f"capture/{language}.txt")[section]:
                re.compile(entry)
    assert says("wishes", "we never do that") and says("wishes", "siempre asi")
    assert begins("refuses", "nao, use tabs") and not begins("refuses", "use tabs, nao espacos")


def test_brackets_capture_nothing():
    """So that entries stand side by side in one expression."""
    assert {cue(section).groups for section in read_words("capture/en.txt")} == {0}
