"""The words, phrases and patterns that are data: how they are read, and that each file is in order."""

from pathlib import Path

import pytest

import limpet
from limpet.ground.text.word_lists import read_words, split_words_file

FOLDER = Path(limpet.__file__).parent / "framework" / "words"
NAMES = sorted(path.name for path in FOLDER.iterdir())
TEXT = """# A remark.

## first: what it is
one (a|b)
two, which goes on
  |and on
## second

## first
three
"""


def test_entries_stand_under_their_heading():
    """A line each; an indented one goes on with the one before. ``#`` and a space begin no entry, signs only do."""
    assert split_words_file(TEXT) == {"first": ("one (a|b)", "two, which goes on|and on", "three"), "second": ()}
    found = read_words("words/tags")
    assert set(found) >= {"<", "[", "#", "always"}
    assert any(entry.startswith("(?m:^") for entry in found["#"])
    assert not any(entry.startswith("# ") for entries in found.values() for entry in entries)


@pytest.mark.parametrize("name", NAMES)
def test_every_file_is_in_order(name):
    """It says what it is; no section is empty or named twice, and no entry stands in one twice or ends in a space."""
    text = (FOLDER / name).read_text("utf-8")
    found = read_words(f"words/{name}")
    lines = text.splitlines()
    assert lines[0].startswith("# ")
    assert len(found) == sum(line.startswith("## ") for line in lines)
    for section, entries in found.items():
        assert entries, section
        assert len(set(entries)) == len(entries), (section, [each for each in entries if entries.count(each) > 1])
        assert all(entry == entry.strip() for entry in entries), section
