"""How much to explain to a person: the levels, and when one is acted on. Separate from their signals, which no
activation looks for."""

from __future__ import annotations

from holdfast.ground.values import Value

AUTO, VIBECODER, POWER_USER = "auto", "vibecoder", "power_user"
LEVELS = (AUTO, VIBECODER, POWER_USER)

ENOUGH = 0.6
"""The confidence from which a judgement is acted on."""


class Judgement(Value):
    """What is thought of the person.

    ``level``: one of ``LEVELS``, ``AUTO`` while nothing is known.
    ``confidence``: 0 to 1.
    """

    level: str = AUTO
    confidence: float = 0.0


UNDECIDED = Judgement()


def acted_on(level: str, confidence: float | None) -> str:
    """Return the level that holds: a person's own word, which has no confidence, or a judgement that is sure enough; ""
    otherwise."""
    if level not in (VIBECODER, POWER_USER):
        return ""
    return level if confidence is None or confidence >= ENOUGH else ""
