"""How much is played here: a seeded sample, or all of it where LIMPET_SOAK is set (``python3 run.py soak``)."""

import os

FULL = bool(os.environ.get("LIMPET_SOAK"))


def amount(sample, full):
    """Of the two the one that is played now."""
    return full if FULL else sample
