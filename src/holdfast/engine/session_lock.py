"""Taking and lifting the session lock, as every door does it: the state written, the change recorded, and the words for
the person. It reads YAML, so the hook has it done by a second process (``jobs.lock``)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from holdfast.engine.compile import refresh
from holdfast.ground.errors import HoldfastError
from holdfast.ground.events import append_event
from holdfast.ground.names import safe_name
from holdfast.ground.settings import load_settings
from holdfast.ground.texts import say
from holdfast.ground.values import Value
from holdfast.ground.workspace import FOLDER, Workspace
from holdfast.work.lock import is_locked, lift, take
from holdfast.work.project import change_project, read_project

CONTINUATION = ("continuation", "latest.md")


class Caller(Value):
    """Who takes or lifts the lock: ``by`` is kept with it (``/holdfast``, ``holdfast exit``), ``session`` the
    conversation, if any, ``language`` that of the words with which it was asked, where the project has none."""

    by: str
    now: float
    session: str = ""
    language: str = ""


class Turned(Value):
    """Whether the lock changed, the project's session as it is now, and the lines for the person."""

    changed: bool
    session: dict[str, Any]
    lines: tuple[str, ...]


def resume(workspace: Workspace, caller: Caller) -> Turned:
    """Take the lock, and say where the work stands. Raises HoldfastError where ``session.yaml`` cannot be written."""
    return _turn(workspace, caller, True)


def leave(workspace: Workspace, caller: Caller) -> Turned:
    """Lift the lock, for all conversations. Raises HoldfastError where ``session.yaml`` cannot be written."""
    return _turn(workspace, caller, False)


def show(workspace: Workspace, caller: Caller) -> Turned:
    """Nothing is changed: whether the session is locked, since when, and where the work stands."""
    session = read_project(workspace)[0]
    language = language_of(session, caller.language)
    if not is_locked(session):
        return Turned(False, session, (say("lock.inactive", language), *standing(workspace, session, language)))
    line = say("lock.active", language, since=session["lock"].get("since", "?"))
    return Turned(False, session, (line, *standing(workspace, session, language)))


def language_of(session: dict[str, Any], otherwise: str = "") -> str:
    """The user's language: what the project's session says, else that of the words just said."""
    language = session.get("language")
    return language if isinstance(language, str) and language else otherwise


def standing(workspace: Workspace, session: dict[str, Any], language: str) -> Iterator[str]:
    """Where the work stands: pipeline, agent, task, and what the last conversation left."""
    task = session.get("task")
    known = {
        "pipeline": session.get("workflow"),
        "agent": session.get("current_agent"),
        "task": " ".join(str(task[key]) for key in ("id", "title") if task.get(key))
        if isinstance(task, dict)
        else task,
    }
    if not any(known.values()):
        yield say("resume.empty", language)
    for name, value in known.items():
        if value:
            yield say(f"resume.{name}", language, **{name: value})
    if os.path.isfile(workspace.path(*CONTINUATION)):
        yield say("resume.continuation", language, path="/".join((FOLDER, *CONTINUATION)))


def _turn(workspace: Workspace, caller: Caller, locking: bool) -> Turned:
    changed: list[dict[str, Any]] = []

    def change(session: dict[str, Any]) -> dict[str, Any]:
        changed[:] = [(take if locking else lift)(session, caller.by, caller.now)]
        return changed[0]

    session = change_project(workspace, change)
    language = language_of(session, caller.language)
    if changed[0]:
        refresh(workspace)
        _record(workspace, caller, session, "lock.taken" if locking else "lock.lifted")
    if not locking:
        return Turned(bool(changed[0]), session, (say("exit.done" if changed[0] else "exit.idle", language),))
    line = say("resume.done" if changed[0] else "resume.already", language)
    return Turned(bool(changed[0]), session, (line, *standing(workspace, session, language)))


def _record(workspace: Workspace, caller: Caller, session: dict[str, Any], kind: str) -> None:
    """The change in the audit log; one that cannot be written costs the record, not the change."""
    with suppress(OSError, ValueError, HoldfastError):
        append_event(
            workspace.shared,
            safe_name(caller.session) if caller.session else "no-session",
            kind,
            {"lock": session["lock"]},
            caller.now,
            load_settings(workspace)[0]["retention"],
            writer=caller.by,
            session=caller.session,
            agent=session.get("current_agent"),
            why="asked by the user",
        )
