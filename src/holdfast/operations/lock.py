"""Taking and lifting the session lock, as every door does it: the state written, the change recorded, and the words for
the person. It reads YAML, so the hook has it done by a second process (``jobs.lock``)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from holdfast.ground.config.settings import load_settings
from holdfast.ground.errors import HoldfastError
from holdfast.ground.event_log.append import Actor
from holdfast.ground.text.messages import say
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.operations.caller import Caller
from holdfast.operations.mirror import refresh
from holdfast.operations.work_status import active_agent, read_standing
from holdfast.work.journal import make_move
from holdfast.work.lock.instruction_file import update_blocks
from holdfast.work.lock.lock import is_locked, lift, take
from holdfast.work.pipeline.move import Move
from holdfast.work.project import read_project
from holdfast.work.recovery.store import LATEST, PLACE, continuation_name

HELP_KEYS = ("help.resume", "help.status", "help.spec", "help.exit", "help.star")
TAKEN, LIFTED = "lock.taken", "lock.lifted"


class Turned(Value):
    """Whether the lock changed, the project's session as it is now, and the lines for the person."""

    changed: bool
    session: dict[str, Any]
    lines: tuple[str, ...]


def resume(workspace: Workspace, caller: Caller) -> Turned:
    """Take the lock, and say where the work stands. Raises HoldfastError where ``session.yaml`` cannot be written."""
    changed, session, problems = _turn(workspace, caller, TAKEN)
    line = say("resume.done" if changed else "resume.already", language_of(session, caller.language))
    return Turned(changed, session, (line, *_standing(workspace, session, caller), *problems))


def leave(workspace: Workspace, caller: Caller) -> Turned:
    """Lift the lock, for all conversations. Raises HoldfastError where ``session.yaml`` cannot be written."""
    changed, session, problems = _turn(workspace, caller, LIFTED)
    line = say("exit.done" if changed else "exit.idle", language_of(session, caller.language))
    return Turned(changed, session, (line, *problems))


def show(workspace: Workspace, caller: Caller) -> Turned:
    """Nothing is changed: whether the session is locked, since when, and where the work stands."""
    session = read_project(workspace)[0]
    lock = session.get("lock") or {}
    key = "lock.active" if is_locked(session) else "lock.inactive"
    line = say(key, language_of(session, caller.language), since=lock.get("since", "?"))
    return Turned(False, session, (line, *_standing(workspace, session, caller)))


def explain(workspace: Workspace, caller: Caller) -> Turned:
    """Nothing is changed: what can be typed, also where ``session.yaml`` cannot be read."""
    try:
        session = read_project(workspace)[0]
    except HoldfastError:
        session = {}
    language = language_of(session, caller.language)
    return Turned(False, session, tuple(say(key, language) for key in HELP_KEYS))


def language_of(session: dict[str, Any], otherwise: str = "") -> str:
    """The user's language: what the project's session says, else that of the words just said."""
    language = session.get("language")
    return language if isinstance(language, str) and language else otherwise


def _turn(workspace: Workspace, caller: Caller, kind: str) -> tuple[bool, dict[str, Any], tuple[str, ...]]:
    """Whether the lock changed, the session then, and what went wrong beside it."""
    settings, _ = load_settings(workspace)
    turned = take if kind == TAKEN else lift

    def decide(session: dict[str, Any]) -> Move:
        changes = turned(session, caller.by, caller.now)
        return Move(changes=changes, kind=kind, data={"by": caller.by, "reason": "the user asked for it"}, told="")

    actor = Actor(writer=caller.by, now=caller.now, retention=settings["retention"], session=caller.conversation)
    session, move = make_move(workspace, decide, actor)
    if move.changes:
        refresh(workspace)
    wanted = kind == TAKEN and bool(settings["work"]["lock"]["instruction_file"])
    try:
        update_blocks(workspace.root, session, wanted)
    except HoldfastError as error:
        return bool(move.changes), session, (str(error),)
    return bool(move.changes), session, ()


def _standing(workspace: Workspace, session: dict[str, Any], caller: Caller) -> Iterator[str]:
    """Pipeline, agent, task and how far it is, what waits for somebody, and what the last conversation left."""
    language = language_of(session, caller.language)
    agent = active_agent(workspace, caller.conversation)
    found = read_standing(workspace, caller.conversation, agent, load_settings(workspace)[0])
    told = {
        "pipeline": found["pipeline"] or found["workflow"],
        "agent": agent,
        "task": " - ".join(part for part in (found["story"], found["task"], found.get("progress")) if part),
    }
    if not any(told.values()):
        yield say("resume.empty", language)
    for name, value in told.items():
        if value:
            yield say(f"resume.{name}", language, **{name: value})
    for question in found["questions"]:
        yield say("resume.open", language, question=question)
    if os.path.isfile(workspace.path(PLACE, LATEST)):
        yield say("resume.continuation", language, path=continuation_name(""))
