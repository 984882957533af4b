"""Takes, lifts and shows the session lock: writes the state, records the change, and answers the person. It reads YAML,
so the hook leaves it to a second process (``jobs.lock``)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

from holdfast.ground.config.settings import load_settings
from holdfast.ground.errors import HoldfastError
from holdfast.ground.text.messages import say
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.operations.caller import Caller
from holdfast.operations.conversations import newest_conversation, read_conversation
from holdfast.operations.memory.conversations.conversation import Conversation
from holdfast.operations.memory.conversations.privacy import is_kept_out
from holdfast.operations.mirror import refresh
from holdfast.operations.work.actor import actor_of
from holdfast.operations.work.continuation import describe_conversation
from holdfast.operations.work.status import active_agent, read_status
from holdfast.work.in_force import find_in_force
from holdfast.work.journal import make_move
from holdfast.work.lock.instruction_file import update_blocks
from holdfast.work.lock.lock import is_locked, lift, take
from holdfast.work.pipeline.move import Move
from holdfast.work.project import language_of, read_project
from holdfast.work.recovery.store import LATEST, PLACE, continuation_name
from holdfast.work.session import read_state

HELP_KEYS = ("help.resume", "help.status", "help.work", "help.spec", "help.exit", "help.star")
TAKEN, LIFTED = "lock.taken", "lock.lifted"
# Captures a conversation; returns whether that was done in time.
Capture = Callable[[Conversation], bool]


class LockResult(Value):
    """The lock after an operation.

    ``changed``: whether it was taken or lifted.
    ``session``: the project's session as it is now.
    ``lines``: the answer for the person.
    ``kept``: whether the conversation was captured in time.
    """

    changed: bool
    session: dict[str, Any]
    lines: tuple[str, ...]
    kept: bool = False


def resume(workspace: Workspace, caller: Caller) -> LockResult:
    """Take the lock and report the state of the work. Raises HoldfastError where ``session.yaml`` cannot be written."""
    changed, session, problems = _change(workspace, caller, TAKEN)
    line = say("resume.done" if changed else "resume.already", language_of(session, caller.language))
    return LockResult(changed, session, (line, *_status_lines(workspace, session, caller), *problems))


def enter(workspace: Workspace, caller: Caller) -> LockResult:
    """Take the lock where work is under way, as ``resume`` does; else report that, and what can be typed, and change
    nothing (decision 37). Raises HoldfastError where ``session.yaml`` cannot be read or written."""
    session = read_project(workspace)[0]
    found = find_in_force(session, read_state(workspace, caller.conversation))
    if is_locked(session) or found.agent or found.workflow or found.task:
        return resume(workspace, caller)
    return LockResult(False, session, (*show(workspace, caller).lines, *explain(workspace, caller).lines))


def leave(workspace: Workspace, caller: Caller, capture: Capture | None = None) -> LockResult:
    """Lift the lock, for all conversations, and ``capture`` the caller's conversation, else the newest one.

    Without ``capture`` the door captures afterwards, so that its caller waits for the lock only. Raises HoldfastError
    where ``session.yaml`` cannot be written.
    """
    changed, session, problems = _change(workspace, caller, LIFTED)
    language = language_of(session, caller.language)
    workflow = find_in_force(session).workflow
    stays = (say("exit.stays", language, workflow=workflow),) if workflow else ()
    lines = (say("exit.done" if changed else "exit.idle", language), *stays, *problems)
    if not (changed and capture and _keep(workspace, caller, capture)):
        return LockResult(changed, session, lines)
    return LockResult(changed, session, (*lines, say("exit.digest", language)), kept=True)


def show(workspace: Workspace, caller: Caller) -> LockResult:
    """Report whether the session is locked, since when, and the state of the work; nothing changes."""
    session = read_project(workspace)[0]
    lock = session.get("lock") or {}
    key = "lock.active" if is_locked(session) else "lock.inactive"
    line = say(key, language_of(session, caller.language), since=lock.get("since", "?"))
    return LockResult(False, session, (line, *_status_lines(workspace, session, caller)))


def explain(workspace: Workspace, caller: Caller) -> LockResult:
    """Return the help on what can be typed, also where ``session.yaml`` cannot be read; nothing changes."""
    try:
        session = read_project(workspace)[0]
    except HoldfastError:
        session = {}
    language = language_of(session, caller.language)
    return LockResult(False, session, tuple(say(key, language) for key in HELP_KEYS))


def _change(workspace: Workspace, caller: Caller, kind: str) -> tuple[bool, dict[str, Any], tuple[str, ...]]:
    """Take or lift the lock; return whether it changed, the session then, and errors in instruction files."""
    change = take if kind == TAKEN else lift

    def decide(session: dict[str, Any]) -> Move:
        changes = change(session, caller.writer, caller.now)
        data = {"by": caller.writer, "reason": "the user asked for it"}
        return Move(changes=changes, kind=kind, data=data, message="")

    session, move = make_move(workspace, decide, actor_of(workspace, caller))
    if move.changes:
        refresh(workspace)
    wanted = kind == TAKEN and bool(load_settings(workspace)[0]["work"]["lock"]["instruction_file"])
    try:
        update_blocks(workspace.root, session, wanted)
    except HoldfastError as error:
        return bool(move.changes), session, (str(error),)
    return bool(move.changes), session, ()


def _keep(workspace: Workspace, caller: Caller, capture: Capture) -> bool:
    try:
        own = caller.conversation
        state = read_conversation(workspace, own) if own else newest_conversation(workspace)
    except HoldfastError:
        return False
    if not state or not state.get("transcript") or not load_settings(workspace)[0]["memory"]["capture"]:
        return False
    found = describe_conversation(workspace, state, caller.now)
    return not is_kept_out(found.session, found.host, found.transcript) and capture(found)


def _status_lines(workspace: Workspace, session: dict[str, Any], caller: Caller) -> Iterator[str]:
    """Yield pipeline, agent, task and its progress, the open questions, and the path of the last continuation."""
    language = language_of(session, caller.language)
    agent = active_agent(workspace, caller.conversation)
    found = read_status(workspace, caller.conversation, agent, load_settings(workspace)[0])
    known = {
        "pipeline": found["pipeline"] or found["workflow"],
        "agent": agent,
        "task": " - ".join(part for part in (found["story"], found["task"], found.get("progress")) if part),
    }
    if not any(known.values()):
        yield say("resume.empty", language)
    for name, value in known.items():
        if value:
            yield say(f"resume.{name}", language, **{name: value})
    for question in found["questions"]:
        yield say("resume.open", language, question=question)
    if os.path.isfile(workspace.path(PLACE, LATEST)):
        yield say("resume.continuation", language, path=continuation_name(""))
