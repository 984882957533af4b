"""Keeps the user's level: as a person sets it, else as typed messages speak of it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from limpet.agents.level import AUTO, UNDECIDED, LevelJudgement, judge_level
from limpet.ground.config.mirror import SESSION
from limpet.ground.errors import LimpetError
from limpet.ground.workspace import Workspace
from limpet.memory.capture.digest import own_words
from limpet.operations.mirror import refresh_mirror
from limpet.operations.project import Project
from limpet.operations.work.moves import ChosenWork
from limpet.transcripts.messages import Message
from limpet.work.pipeline.state import Move
from limpet.work.project import NAME, change_project

LEVEL, CONFIDENCE = "user_level", "user_level_confidence"


def set_level(project: Project, level: str) -> ChosenWork:
    """Record a person's word on the level, which no message moves; ``auto`` takes it back. Raise LimpetError."""
    project.commit(lambda session: Move({LEVEL: level, CONFIDENCE: None}))
    return ChosenWork(changes={LEVEL: level}, place=NAME)


def note_level(workspace: Workspace, messages: Iterable[Message]) -> None:
    """Let the level follow what the person typed, where the project keeps a session and nobody set a level. A session
    that cannot be written keeps the one that it has."""
    if not os.path.isfile(workspace.path(SESSION)):
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
    """Return what was thought of the user so far, None where a person said it."""
    level, confidence = session.get(LEVEL), session.get(CONFIDENCE)
    if level in (None, AUTO):
        return UNDECIDED
    return LevelJudgement(str(level), float(confidence)) if isinstance(confidence, (int, float)) else None
