"""Judges by typed messages how much to explain to the person: a power user names files, symbols and commands; a
vibecoder says what the thing should be like."""

from __future__ import annotations

import re
from functools import cache

from holdfast.ground.formats.json_text import read_shipped
from holdfast.ground.values import Value
from holdfast.work.in_force import POWER_USER, VIBECODER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

AUTO = "auto"
LEVELS = (AUTO, VIBECODER, POWER_USER)

# Signals that make a judgement certain, by its own; and how much of the older judgement a new one keeps.
_CERTAIN, _KEPT = 12.0, 0.7
# What is longer was pasted in part.
_TYPED = 2_000
_FEW_WORDS = 4

# What each kind of signal counts for, above 0 a power user's; the patterns are ``framework/user-level.json``.
_WEIGHTS = {"path": 1.0, "symbol": 1.0, "command": 1.0, "technical": 0.5, "basic": -1.5, "wish": -1.5}
_AS_TYPED = ("path", "symbol", "command")
# The most that one message counts for.
_MOST = 2.0


class Judgement(Value):
    """What is thought of the person.

    ``level``: one of ``LEVELS``, ``AUTO`` while nothing is known.
    ``confidence``: 0 to 1.
    """

    level: str = AUTO
    confidence: float = 0.0


UNDECIDED = Judgement()


def judge(messages: Iterable[str], before: Judgement = UNDECIDED) -> Judgement:
    """Return the judgement after these typed messages.

    It grows with the number of signals and falls with signals of the other kind; messages without a signal change
    nothing.
    """
    signals = [one for one in map(signal, messages) if one]
    if not signals:
        return before
    sign = {POWER_USER: 1, VIBECODER: -1}.get(before.level, 0)
    kept = sign * before.confidence * _KEPT * _CERTAIN
    score = max(-1.0, min(1.0, (kept + sum(signals)) / _CERTAIN))
    if not score:
        return UNDECIDED
    return Judgement(POWER_USER if score > 0 else VIBECODER, round(abs(score), 2))


def signal(message: str) -> float:
    """Return what one typed message says: above 0 a power user's, below 0 a vibecoder's, 0 nothing."""
    text = message.strip()[:_TYPED]
    low = text.lower()
    found = {kind for kind, pattern in _patterns().items() if pattern.search(text if kind in _AS_TYPED else low)}
    if len(text.split()) < _FEW_WORDS and found.isdisjoint(("path", "command")):
        return 0.0
    return max(-_MOST, min(_MOST, sum(_WEIGHTS[kind] for kind in found)))


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    """Return the pattern of each kind of signal."""
    joined = {kind: "|".join(read_shipped("user-level")[kind]) for kind in _WEIGHTS}
    joined["technical"] = rf"\b(?:{joined['technical']})\b"
    return {kind: re.compile(pattern) for kind, pattern in joined.items()}
