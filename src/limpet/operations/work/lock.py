"""Takes, lifts and shows the session lock: writes the state, records the change, and answers the person. It reads YAML,
so the hook leaves it to a second process (the job ``lock``)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from limpet.ground.errors import LimpetError
from limpet.ground.storage.files import OWNER_ONLY
from limpet.ground.storage.scaffold import INBOX
from limpet.ground.storage.text_file import replace_text
from limpet.ground.text.messages import say
from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER
from limpet.operations.approval import Obtain
from limpet.operations.binding import release
from limpet.operations.commit import commit
from limpet.operations.conversations import newest_conversation, read_conversation
from limpet.operations.memory.conversations.conversation import Conversation, is_kept_out
from limpet.operations.project import Project
from limpet.operations.work.continuation import describe_conversation, keep_continuation
from limpet.operations.work.status import read_status
from limpet.work.continuation import Continuation, render_continuation
from limpet.work.continuation_store import LATEST, PLACE, continuation_name, read_continuation
from limpet.work.in_force import find_in_force
from limpet.work.lock import is_locked, lift, take, update_blocks
from limpet.work.pipeline.state import COMPLETED, Move, state_of, task_title
from limpet.work.project import Session, language_of

HELP_KEYS = ("help.resume", "help.status", "help.work", "help.spec", "help.lock", "help.exit", "help.star")
TAKEN, LIFTED = "lock.taken", "lock.lifted"
# Captures a conversation; returns whether that was done in time.
Capture = Callable[[Conversation], bool]

COPY = f"{FOLDER}/{INBOX}/continuation.md"
"""Where a continuation is copied into the tree, for clients that can only read files there; git leaves it out."""


class LockAnswer(Value):
    """What became of the lock, which the project's session holds; ``changed``: whether it was taken or lifted;
    ``kept``: whether the conversation was captured in time."""

    changed: bool
    lines: tuple[str, ...]
    kept: bool = False


def resume_project(project: Project) -> LockAnswer:
    changed, problems = _change(project, TAKEN)
    line = say("resume.done" if changed else "resume.already", _language(project))
    return LockAnswer(changed, (line, *_status_lines(project), *problems))


def enter_project(project: Project) -> LockAnswer:
    """Take the lock where work is under way; else report that, and what can be typed (decision 37)."""
    if is_locked(project.session) or _under_way(project):
        return resume_project(project)
    return LockAnswer(False, (*show_lock(project).lines, *explain_lock(project).lines))


def leave(project: Project, capture: Capture | None = None, obtain: Obtain | None = None) -> LockAnswer:
    """Lift the lock, for all conversations, and ``capture`` the caller's conversation, else the newest one. Without
    ``capture`` the door captures afterwards, so that its caller waits for the lock only."""
    if is_locked(project.session):
        release(project, obtain, "Leave the session", project.caller.conversation)
    changed, problems = _change(project, LIFTED)
    language, under_way = _language(project), ", ".join(_under_way(project))
    stays = (say("exit.stays", language, work=under_way),) if under_way else ()
    unlocked = "exit.idle" if under_way else "exit.nothing"
    lines = (say("exit.done" if changed else unlocked, language), *stays, *problems)
    if not (changed and capture and _keep(project, capture)):
        return LockAnswer(changed, lines)
    return LockAnswer(changed, (*lines, say("exit.digest", language)), kept=True)


def show_lock(project: Project) -> LockAnswer:
    lock = project.session.get("lock") or {}
    key = "lock.active" if is_locked(project.session) else "lock.inactive"
    line = say(key, _language(project), since=lock.get("since", "?"))
    return LockAnswer(False, (line, *_status_lines(project)))


def explain_lock(project: Project) -> LockAnswer:
    """Also where ``session.yaml`` cannot be read."""
    try:
        language = _language(project)
    except LimpetError:
        language = project.caller.language
    return LockAnswer(False, tuple(say(key, language) for key in HELP_KEYS))


def _language(project: Project) -> str:
    """The one of the words that were typed, else of those that turned the lock last."""
    last = str((project.session.get("lock") or {}).get("language") or "")
    return language_of(project.session, project.caller.language or last)


def _under_way(project: Project) -> list[str]:
    """A workflow whose last gate is passed is not."""
    found = find_in_force(project.session, project.conversation)
    workflow = "" if found.follows_project and state_of(project.session) == COMPLETED else found.workflow
    return list(filter(None, (workflow, found.agent, task_title(found.task))))


def _change(project: Project, kind: str) -> tuple[bool, tuple[str, ...]]:
    change, caller = take if kind == TAKEN else lift, project.caller

    def decide(session: Session) -> Move:
        data = {"by": caller.writer, "reason": "the user asked for it"}
        changes = change(session, caller.writer, caller.now)
        if changes and caller.language:
            changes["lock"]["language"] = caller.language
        return Move(changes, kind, data)

    made = commit(project, decide)
    wanted = kind == TAKEN and bool(project.settings["work"]["lock"]["instruction_file"])
    try:
        update_blocks(project.workspace.root, project.session, wanted)
    except LimpetError as error:
        return bool(made.changes), (str(error),)
    return bool(made.changes), ()


def read_what_was_left(project: Project, conversation: str, write: bool) -> tuple[str, str]:
    """Return the continuation of a conversation, without a name the newest one, and the file to which it was copied, ""
    for none. Where nothing was written yet, it is made now, of the caller's own conversation or for a person. Raise
    LimpetError where there is none."""
    found = read_continuation(project.workspace, conversation) or _leave_now(project, conversation)
    if found is None:
        raise LimpetError("No conversation left anything", conversation, "Where the work stands: limpet resume")
    text = render_continuation(found)
    if write:
        replace_text(os.path.join(project.workspace.root, COPY), text, COPY, mode=OWNER_ONLY)
    return text, COPY if write else ""


def _leave_now(project: Project, conversation: str) -> Continuation | None:
    workspace, own = project.workspace, project.caller.conversation
    if conversation or own:
        state = read_conversation(workspace, conversation or own)
    else:
        state = newest_conversation(workspace) or {}
    if not state or not (project.caller.reader.person or state["id"] == own):
        return None
    keep_continuation(workspace, describe_conversation(workspace, state, project.caller.now))
    return read_continuation(workspace, str(state["id"]))


def _keep(project: Project, capture: Capture) -> bool:
    workspace, own = project.workspace, project.caller.conversation
    try:
        state = read_conversation(workspace, own) if own else newest_conversation(workspace)
    except LimpetError:
        return False
    if not state or not state.get("transcript") or not project.settings["memory"]["capture"]:
        return False
    found = describe_conversation(workspace, state, project.caller.now)
    return not is_kept_out(found.session, found.host, found.transcript) and capture(found)


def _status_lines(project: Project) -> Iterator[str]:
    language, conversation = _language(project), project.caller.conversation
    found = read_status(project, conversation)
    known = {
        "pipeline": found["pipeline"] or found["workflow"],
        "agent": found["agent"],
        "task": " - ".join(part for part in (found["story"], found["task"], found.get("progress")) if part),
    }
    if not any(known.values()):
        yield say("resume.empty", language)
    for name, value in known.items():
        if value:
            yield say(f"resume.{name}", language, **{name: value})
    for question in found["questions"]:
        yield say("resume.open", language, question=question)
    if os.path.isfile(project.workspace.kept(PLACE, LATEST)):
        yield say("resume.continuation", language, path=continuation_name(""))
