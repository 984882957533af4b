"""Ordinary commands of public repositories are understood, and none of them counts as a forbidden act."""

from __future__ import annotations

import pytest

from .commands import FORBIDDEN, HARMLESS, kinds, read

with open(HARMLESS, encoding="utf-8") as file:
    COMMANDS = file.read().splitlines()


def test_there_are_five_hundred_of_them():
    """The collection was made before the guard was tuned; it does not shrink."""
    assert len(set(COMMANDS)) >= 500


@pytest.mark.parametrize("slice_", range(8))
def test_each_is_clear_and_none_is_forbidden(slice_):
    """A guard that nags is switched off (decision 42); of code for interpreters no word is one that is asked about."""
    found = {text: read(text) for text in COMMANDS[slice_::8]}
    unclear = [
        text for text, understood in found.items() if not understood.clear and "is not read" not in understood.why
    ]
    assert unclear == [text for text in found if kinds(text) & FORBIDDEN] == []
