"""How much to explain to a person, judged by the messages that the person types: a power user names files,
symbols and commands; a vibecoder says what the thing should be like.
"""

from __future__ import annotations

import re

from holdfast.agents.greeting import POWER_USER, VIBECODER
from holdfast.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

AUTO = "auto"
LEVELS = (AUTO, VIBECODER, POWER_USER)

ENOUGH = 0.6
"""The confidence from which a judgement is acted on."""

# Signals that make a judgement certain, by its own; and how much of the older judgement a new one keeps.
_CERTAIN, _KEPT = 12.0, 0.7
# What is longer was pasted in part.
_TYPED = 2_000
_FEW_WORDS = 4

_PATH = re.compile(r"(?:[\w.-]+/)+[\w.-]+|\b[\w-]+\.(?:py|[jt]sx?|rs|go|java|rb|c|cc|cpp|h|ya?ml|toml|json|md|sql|sh|css)\b")
_SYMBOL = re.compile(r"`[^`]+`|\b\w+\(\)|\b[a-z]+_[a-z_]+\b|\b[a-z]+[A-Z]\w+\b|(?<!\S)--?[a-z][\w-]*")
_COMMAND = re.compile(r"(?<!\S)[*/][a-z][\w-]+|\b(?:git|npm|pip|pytest|docker|cargo|make|curl|kubectl|uv|ruff|mypy) [a-z-]+")
_TECHNICAL = re.compile(
    r"\b(?:refactor|endpoint|api|schema|migration|regex|async|mutex|race condition|commit|rebase|branch|merge|diff|pr|ci|"
    r"lint|type ?check|unit tests?|mock|fixture|stack ?trace|dependency|dependencies|cache|latency|idempotent|null|"
    r"refatorar|refatore|dependência|refactoriza|dependencia|dépendance|refactorise)\b"
)
_BASIC = re.compile(
    r"what (?:is|are|does) (?:a|an|the|this)\b|what do(?:es)? .{1,40} mean\b|how (?:do|can) i (?:run|open|start|use|see)\b|explain|i don'?t (?:know|understand)|"
    r"o que (?:é|são)|como (?:eu )?(?:faço|abro|rodo|vejo)|não (?:sei|entendo|entendi)|explique|"
    r"qué (?:es|son)\b|cómo (?:hago|abro|veo)|no (?:sé|entiendo)|explica|"
    r"qu'est-ce que|c'est quoi|comment (?:je|faire|ouvrir)|je ne (?:sais|comprends) pas|explique"
)
_WISH = re.compile(
    r"(?:can|could) you (?:make|build|create) (?:it|me|a|an|this)\b|make (?:it|this) (?:work|nice\w*|pretty|beautiful|better|look)|"
    r"it (?:doesn'?t|does not) work\b|not working\b|just (?:do|fix|make) it|i want (?:a|an|it|my) (?:app|site|website|page|button|game)|"
    r"faz(?:er)? funcionar|não (?:funciona|está funcionando)|deixa? (?:mais )?bonit|quero um (?:app|site)|"
    r"haz que funcione|no funciona|más bonit|quiero una? (?:app|página|sitio)|"
    r"fais (?:que ça marche|marcher)|ça ne marche pas|plus joli|je veux une? (?:appli|site|page)"
)
_EXPERT = ((_PATH, 1.0), (_SYMBOL, 1.0), (_COMMAND, 1.0), (_TECHNICAL, 0.5))
_LAY = ((_BASIC, 1.5), (_WISH, 1.5))
# The most that one message counts for.
_MOST = 2.0


class Judgement(Value):
    """What is thought of the person.

    ``level``: ``VIBECODER``, ``POWER_USER``, or ``AUTO`` while nothing is known.
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
    kept = before.confidence * _KEPT * _CERTAIN * (1 if before.level == POWER_USER else -1 if before.level == VIBECODER else 0)
    score = max(-1.0, min(1.0, (kept + sum(signals)) / _CERTAIN))
    if not score:
        return UNDECIDED
    return Judgement(POWER_USER if score > 0 else VIBECODER, round(abs(score), 2))


def signal(message: str) -> float:
    """Return what one typed message says: above 0 a power user's, below 0 a vibecoder's, 0 nothing."""
    text = message.strip()[:_TYPED]
    if len(text.split()) < _FEW_WORDS and not _PATH.search(text) and not _COMMAND.search(text):
        return 0.0
    low = text.lower()
    expert = sum(weight for pattern, weight in _EXPERT if pattern.search(low if pattern is _TECHNICAL else text))
    lay = sum(weight for pattern, weight in _LAY if pattern.search(low))
    return max(-_MOST, min(_MOST, expert - lay))


def acted_on(level: str, confidence: float | None) -> str:
    """Return the level that holds: a person's own word (which has no confidence), or a judgement that is sure enough;
    "" otherwise."""
    if level not in (VIBECODER, POWER_USER):
        return ""
    return level if confidence is None or confidence >= ENOUGH else ""
