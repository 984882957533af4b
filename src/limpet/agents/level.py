"""Judges by typed messages how much to explain to the person: a power user names files, symbols and commands; a
vibecoder says what the thing should be like."""

from __future__ import annotations

import re

from limpet.ground.text.word_lists import read_words
from limpet.ground.values import Value
from limpet.work.in_force import POWER_USER, VIBECODER

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

_PATH = re.compile(
    r"(?:[\w.-]+/)+[\w.-]+|\b[\w-]+\.(?:py|[jt]sx?|rs|go|java|rb|c|cc|cpp|h|ya?ml|toml|json|md|sql|sh|css)\b"
)
_SYMBOL = re.compile(r"`[^`]+`|\b\w+\(\)|\b[a-z]+_[a-z_]+\b|\b[a-z]+[A-Z]\w+\b|(?<!\S)--?[a-z][\w-]*")
_COMMAND = re.compile(
    r"(?<!\S)[*/][a-z][\w-]+|\b(?:git|npm|pip|pytest|docker|cargo|make|curl|kubectl|uv|ruff|mypy) [a-z-]+"
)
WORDS = read_words("words/levels")
_TECHNICAL = re.compile(rf"\b(?:{'|'.join(WORDS['technical'])})\b")
_LAY = [
    re.compile("|".join(entry for section, found in WORDS.items() if section.endswith(kind) for entry in found))
    for kind in (" basic", " wishes")
]
# The most that one message counts for.
_MOST = 2.0


class LevelJudgement(Value):
    """What is thought of the person.

    ``level``: one of ``LEVELS``, ``AUTO`` while nothing is known.
    ``confidence``: 0 to 1.
    """

    level: str = AUTO
    confidence: float = 0.0


UNDECIDED = LevelJudgement()


def judge_level(messages: Iterable[str], before: LevelJudgement = UNDECIDED) -> LevelJudgement:
    """Return the judgement after these typed messages.

    It grows with the number of signals and falls with signals of the other kind; messages without a signal change
    nothing.
    """
    signals = [one for one in map(signal, messages) if one]
    if not signals:
        return before
    kept = before.confidence * _KEPT * _CERTAIN
    kept *= {POWER_USER: 1, VIBECODER: -1}.get(before.level, 0)
    score = max(-1.0, min(1.0, (kept + sum(signals)) / _CERTAIN))
    if not score:
        return UNDECIDED
    return LevelJudgement(POWER_USER if score > 0 else VIBECODER, round(abs(score), 2))


def signal(message: str) -> float:
    """Return what one typed message says: above 0 a power user's, below 0 a vibecoder's, 0 nothing."""
    text = message.strip()[:_TYPED]
    if len(text.split()) < _FEW_WORDS and not _PATH.search(text) and not _COMMAND.search(text):
        return 0.0
    low = text.lower()
    expert = (
        sum(bool(pattern.search(text)) for pattern in (_PATH, _SYMBOL, _COMMAND)) + bool(_TECHNICAL.search(low)) / 2
    )
    lay = sum(1.5 for pattern in _LAY if pattern.search(low))
    return max(-_MOST, min(_MOST, expert - lay))
