"""Shipped words and patterns, by section."""

import holdfast
from holdfast.ground.text.phrases import read_phrases

TEXT = """# A remark.

## first: what it is
one (a|b)
two, which goes on
  |and on
## second

## first
three
"""


def test_entries_stand_under_their_heading(tmp_path, monkeypatch):
    """A line each; an indented one goes on with the one before, a remark is none."""
    (tmp_path / "framework").mkdir()
    (tmp_path / "framework" / "words.txt").write_text(TEXT, encoding="utf-8")
    monkeypatch.setattr(holdfast, "__file__", str(tmp_path / "__init__.py"))
    read_phrases.cache_clear()
    assert read_phrases("words.txt") == {"first": ("one (a|b)", "two, which goes on|and on", "three"), "second": ()}
    read_phrases.cache_clear()
