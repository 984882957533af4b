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
    """A guard that nags is switched off (decision 42)."""
    ours = COMMANDS[slice_::8]
    nagged = [text for text in ours if not read(text).clear or kinds(text) & FORBIDDEN]
    assert nagged == []
