"""How programs of the shell take their words: the rows of the file, and what runs by them."""

from __future__ import annotations

import pytest

from limpet.ground.storage.files import read_shipped
from limpet.guard.shell.builtins import BUILTINS, CARRIERS
from limpet.guard.shell.running import Wrapper, find_wrapper

from .commands import kinds

TABLE = read_shipped("shell")


@pytest.mark.parametrize("name", TABLE["wrappers"])
def test_a_wrapper_shows_what_it_runs(name):
    """A row that is misspelt, or that nothing reaches, would hide the other program."""
    words = tuple(name.split())
    wrapper, length = find_wrapper((*words, "x"), words[0])
    assert length == len(words) and words[0] not in {*CARRIERS, *BUILTINS}
    options = f"{wrapper.values} {wrapper.texts}".split()
    assert all(option.startswith("-") for option in options)
    inside = "git push"
    if wrapper.skip == 1000 and wrapper.texts:
        text = f"{name} {wrapper.texts.split()[0]} '{inside}'"
    else:
        text = f"{name} {'x ' * (wrapper.skip == 1)}{wrapper.after.partition(' ')[0]} {inside}"
    assert "push" in kinds(text), text


def test_a_row_is_a_wrapper_or_names_one():
    """No row names one that names another."""
    rows = TABLE["wrappers"]
    for row in rows.values():
        assert Wrapper(**(rows[row] if isinstance(row, str) else row))


def test_options_are_options():
    """Each key of the file is explained in it."""
    assert set(TABLE) == {"about", *TABLE["about"]}
    options = [
        each for use in ("runners", "before", "folders") for text in TABLE[use].values() for each in text.split()
    ]
    assert options and all(option.startswith("-") for option in options)
