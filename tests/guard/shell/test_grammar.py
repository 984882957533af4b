"""Forbidden commands composed with forms of the shell, a sample; ``bench/shell.py`` takes 2,000."""

from __future__ import annotations

import pytest

from .commands import kinds, read
from .grammar import forbidden

SAMPLE = 200


@pytest.mark.parametrize("first", range(0, SAMPLE, 25))
def test_no_form_hides_the_act(first):
    """Each shows its act, or is not clear and has the word in it (decision 42)."""
    missed = []
    for seed in range(first, first + 25):
        text, kind = forbidden(seed)
        understood = read(text)
        if kind not in kinds(text) and understood.clear:
            missed.append(text)
    assert missed == []
