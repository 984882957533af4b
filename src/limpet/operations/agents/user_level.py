"""How much to explain to the user: as a person sets it, else judged by typed messages. A power user names files,
symbols and commands; a vibecoder says what the thing should be like."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from limpet.ground.config.mirror import SESSION
from limpet.ground.errors import LimpetError
from limpet.ground.message import Message
from limpet.ground.text.word_lists import read_words
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.memory.capture.digest import own_words
from limpet.operations.commit import commit
from limpet.operations.mirror import refresh_mirror
from limpet.operations.project import Project
from limpet.operations.work.moves import ChosenWork
from limpet.work.in_force import POWER_USER, VIBECODER
from limpet.work.pipeline.state import Move
from limpet.work.project import NAME, change_project

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
# The most that one message counts for.
_MOST = 2.0
# The session's keys.
LEVEL, CONFIDENCE = "user_level", "user_level_confidence"


def _lay(kind: str) -> re.Pattern[str]:
    found: list[str] = []
    for section, entries in WORDS.items():
        if section.endswith(kind):
            found += entries
    return re.compile("|".join(found))


_LAY = (_lay(" basic"), _lay(" wishes"))


class LevelJudgement(Value):
    """``level``: one of ``LEVELS``, ``AUTO`` while nothing is known; ``confidence``: 0 to 1."""

    level: str = AUTO
    confidence: float = 0.0


UNDECIDED = LevelJudgement()


def set_level(project: Project, level: str) -> ChosenWork:
    """Record a person's word on the level, which no message moves; ``auto`` takes it back."""
    commit(project, lambda session: Move({LEVEL: level, CONFIDENCE: None}))
    return ChosenWork(changes={LEVEL: level}, place=NAME)


def note_level(workspace: Workspace, messages: Iterable[Message]) -> None:
    """Nothing changes where somebody set the level, no session is kept, or it cannot be written."""
    if not os.path.isfile(workspace.kept(SESSION)):
        return
    typed = [own_words(message.text).text for message in messages if message.role == "user"]
    changed = False

    def move(session: dict[str, Any]) -> dict[str, Any]:
        nonlocal changed
        before = _judgement(session)
        after = judge_level(typed, before) if before else None
        changed = after is not None and after != before
        return {LEVEL: after.level, CONFIDENCE: after.confidence} if changed and after else {}

    with suppress(LimpetError, OSError):
        change_project(workspace, move)
        if changed:
            refresh_mirror(workspace)


def _judgement(session: dict[str, Any]) -> LevelJudgement | None:
    """None where a person said it."""
    level, confidence = session.get(LEVEL), session.get(CONFIDENCE)
    if level in (None, AUTO):
        return UNDECIDED
    return LevelJudgement(str(level), float(confidence)) if isinstance(confidence, (int, float)) else None


def judge_level(messages: Iterable[str], before: LevelJudgement = UNDECIDED) -> LevelJudgement:
    """Signals of the other kind lower the confidence; messages without a signal change nothing."""
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
    """Above 0 a power user's message, below 0 a vibecoder's, 0 without a signal."""
    text = message.strip()[:_TYPED]
    if len(text.split()) < _FEW_WORDS and not _PATH.search(text) and not _COMMAND.search(text):
        return 0.0
    low = text.lower()
    signs = sum(bool(pattern.search(text)) for pattern in (_PATH, _SYMBOL, _COMMAND))
    expert = signs + bool(_TECHNICAL.search(low)) / 2
    lay = sum(1.5 for pattern in _LAY if pattern.search(low))
    return max(-_MOST, min(_MOST, expert - lay))
