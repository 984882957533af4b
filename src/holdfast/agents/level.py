"""Judges by typed messages how much to explain to the person: a power user names files, symbols and commands; a
vibecoder says what the thing should be like."""

from __future__ import annotations

import re

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

_PATH = re.compile(
    r"(?:[\w.-]+/)+[\w.-]+|\b[\w-]+\.(?:py|[jt]sx?|rs|go|java|rb|c|cc|cpp|h|ya?ml|toml|json|md|sql|sh|css)\b"
)
_SYMBOL = re.compile(r"`[^`]+`|\b\w+\(\)|\b[a-z]+_[a-z_]+\b|\b[a-z]+[A-Z]\w+\b|(?<!\S)--?[a-z][\w-]*")
_COMMAND = re.compile(
    r"(?<!\S)[*/][a-z][\w-]+|\b(?:git|npm|pip|pytest|docker|cargo|make|curl|kubectl|uv|ruff|mypy) [a-z-]+"
)
_TECHNICAL = re.compile(
    r"\b(?:refactor|endpoint|api|schema|migration|regex|async|mutex|race condition|commit|rebase|branch|merge|diff|pr|"
    r"ci|lint|type ?check|unit tests?|mock|fixture|stack ?trace|dependency|dependencies|cache|latency|idempotent|null|"
    r"refatorar|refatore|dependência|refactoriza|dependencia|dépendance|refactorise)\b"
)
_BASIC = re.compile(
    r"what (?:is|are|does) (?:an?|the|this)\b|what do(?:es)? .{1,40} mean\b|"
    r"how (?:do|can) i (?:run|open|start|use|see)\b|"
    r"explain (?:it |this |that )?(?:to me|simply|like)|i don'?t (?:know|understand) (?:what|how|why|code)|"
    r"o que (?:é|são)|como (?:eu )?(?:faço|abro|rodo|vejo)|não (?:sei|entendo|entendi)|explique|"
    r"qué (?:es|son)\b|cómo (?:hago|abro|veo)|no (?:sé|entiendo)|explica|"
    r"qu'est-ce que|c'est quoi|comment (?:je|faire|ouvrir)|je ne (?:sais|comprends) pas|explique"
)
_WISH = re.compile(
    r"(?:can|could) you (?:make|build|create) (?:it|me|an?|this)\b|"
    r"make (?:it|this) (?:work|nice\w*|pretty|beautiful|better|look)|just (?:do|fix|make) it|"
    r"(?:it|this|app|site|page|button) (?:doesn'?t|does not) work\b|"
    r"i want (?:an?|it|my) (?:app|site|website|page|button|game)|"
    r"faz(?:er)? funcionar|não (?:funciona|está funcionando)|deixa? (?:mais )?bonit|quero um (?:app|site)|"
    r"haz que funcione|no funciona|más bonit|quiero una? (?:app|página|sitio)|"
    r"fais (?:que ça marche|marcher)|ça ne marche pas|plus joli|je veux une? (?:appli|site|page)"
)
_EXPERT = ((_PATH, 1.0), (_SYMBOL, 1.0), (_COMMAND, 1.0), (_TECHNICAL, 0.5))
_LAY = ((_BASIC, 1.5), (_WISH, 1.5))
_SIGNS = {POWER_USER: 1.0, VIBECODER: -1.0, AUTO: 0.0}
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
    kept = (
        before.confidence
        * _KEPT
        * _CERTAIN
        * (1 if before.level == POWER_USER else -1 if before.level == VIBECODER else 0)
    )
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
