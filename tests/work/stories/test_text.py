"""Checklists and file lists, in the forms that the manual names."""

import pytest

from limpet.ground.formats.yaml_text import load_yaml
from limpet.work.stories.text import read_checks, read_story_files


@pytest.mark.parametrize(
    ("item", "check"),
    [
        ('"[x] it runs"', (True, "it runs")),
        ('"[X]   it runs"', (True, "it runs")),
        ('"- [ ] it runs"', (False, "it runs")),
        ("it runs", (False, "it runs")),
        ("42", (False, "42")),
        ("{text: it runs, done: true}", (True, "it runs")),
        ('{text: it runs, done: "yes"}', (True, "it runs")),
        ('{text: "[x] it runs"}', (True, "it runs")),
        ('{text: "[x] it runs", done: false}', (False, "it runs")),
        ("it runs: on every system", (False, "it runs: on every system")),
    ],
)
def test_one_item_in_every_form(item, check):
    """A box, a flag, or a text that YAML split at its colon."""
    assert read_checks(load_yaml(f"- {item}\n", "story.yml")) == (check,)


@pytest.mark.parametrize("found", [None, "text", {"a": 1}, [None, [], {}, "", {"a": [1]}, {"a": 1, "b": 2}]])
def test_what_has_no_text_is_left_out(found):
    """And so is what is no list."""
    assert read_checks(found) == ()


@pytest.mark.parametrize(
    ("item", "file"),
    [
        ("src/a.py", ("src/a.py", "")),
        ("src/a.py (new)", ("src/a.py", "new")),
        ("src/a.py (Criar)", ("src/a.py", "new")),
        ("'`src/a.py` (deleted)'", ("src/a.py", "delete")),
        ("src/app (old)/a.py", ("src/app (old)/a.py", "")),
        ("notes (draft)", ("notes (draft)", "")),
        ("{path: src/a.py, change: modified}", ("src/a.py", "modify")),
        ("{path: src/a.py, change: alterar}", ("src/a.py", "modify")),
        ("{path: src/a.py}", ("src/a.py", "")),
    ],
)
def test_one_file_in_every_form(item, file):
    """Brackets that name no change are part of the path."""
    assert read_story_files(load_yaml(f"- {item}\n", "story.yml")) == (file,)
