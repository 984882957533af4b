"""The capture of a conversation: its transcript becomes candidates after each turn, and gotchas and a digest before a
compaction and at its end.

Only what was added to the transcript since the last capture is read, and a little before it. The same words in a copy
of the conversation (a fork) have the same timestamp and count once.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from limpet.ground.clock import iso
from limpet.ground.config.settings import load_settings
from limpet.ground.digest import safe_name
from limpet.ground.errors import LimpetError
from limpet.ground.message import Message
from limpet.ground.own_name import name_not_run, note_found
from limpet.ground.storage.files import Lock, write_atomic
from limpet.ground.storage.user_folders import NAME as NAME_OF_US
from limpet.ground.text.escaping import clip
from limpet.ground.workspace import Workspace
from limpet.learning.observations import source_of
from limpet.learning.store import observations_of
from limpet.memory.capture.digest import find_subject, write_digest
from limpet.memory.capture.find import find_heard
from limpet.memory.capture.heard import Heard
from limpet.memory.capture.outcomes import activity, read_mends
from limpet.memory.catalogue import EVERYTHING
from limpet.memory.library import Library
from limpet.memory.model.entry import DIGEST, STATED_TYPES, Card, Query
from limpet.memory.model.layout import SHARED, owners
from limpet.memory.model.results import APPLIED
from limpet.memory.search.prompt_words import read_prompt_words
from limpet.operations.agents.user_level import note_level
from limpet.operations.caller import active_agent
from limpet.operations.conversations import note_title, read_states
from limpet.operations.learning.consolidate import consolidate_project
from limpet.operations.learning.deeds import observe_deeds
from limpet.operations.memory.candidates import keep_heard
from limpet.operations.memory.conversations.conversation import (
    LONGEST_TITLE,
    WHY_DIGEST,
    Captured,
    Conversation,
    capture_mark,
    captured_title,
    find_unheard,
    is_kept_out,
    is_read,
    read_capture_mark,
    read_conversation,
)
from limpet.operations.memory.conversations.epoch import next_action
from limpet.operations.memory.conversations.withdrawal import withdraw_left
from limpet.operations.memory.gotchas import keep_failures, keep_workarounds
from limpet.operations.memory.library import open_library, update_index
from limpet.operations.project import Project, open_as
from limpet.transcripts.tail import size_of
from limpet.work.session import read_state, take_back_asked

# Seconds to wait for another capture of the same conversation.
PATIENCE = 15.0
# Messages that the next capture reads again, so that a failure and its correction meet.
REACH = 100
# Seconds without a new line after which a transcript counts as ended.
QUIET = 600.0
# Conversations that one start catches up with: the second process has other jobs to do.
MOST = 10
WHY_CONFIRMED = "Cited, or followed by work on its files"
# Letters by which a prompt is known again.
OPENING = 40
# Letters of an id's last part, of which a block names an entry by four at least.
NAME = 8
# What of an agent's words a digest holds.
TOLD = ("resolution", "error_pattern", "validated_pattern")
_WORD = re.compile("[0-9a-z]{4,8}")


def capture(workspace: Workspace, conversation: Conversation, turn: bool = False, ended: bool = True) -> dict[str, int]:
    """Return the numbers of new entries (``said``) and candidates (``noted``), of ``gotchas`` and of observations
    (``observed``). ``turn``: only a turn of it is over, so that what was said alone is looked for; ``ended``: whether
    it is over, and not only compacted. Nothing is read of a private one. Raises LimpetError while another capture of it
    is at work."""
    session, transcript = conversation.session, conversation.transcript
    if is_kept_out(session, conversation.host, transcript):
        return {}
    lock = os.path.join(workspace.shared, "locks", f"capture-{safe_name(session)}.lock")
    with Lock(lock, patience=PATIENCE) as held:
        if not held:
            raise LimpetError("Another process is capturing this conversation", session)
        known = read_capture_mark(workspace, session, transcript)
        if turn and size_of(transcript) == known.heard:
            return {}
        counts = _capture(workspace, conversation, known, turn, ended)
    return {name: count for name, count in counts.items() if count}


def captured_memories(workspace: Workspace, conversation: Conversation) -> dict[str, str]:
    """Return id -> title of those that are in force."""
    query = Query(session=conversation.session, digests=False, limit=EVERYTHING, now=conversation.now)
    cards = open_library(open_as(workspace, conversation.caller)).list(query).cards
    return {card.id: card.title for card in cards if not card.flags}


def captured_until(workspace: Workspace, session: str, transcript: str) -> int:
    return read_capture_mark(workspace, session, transcript).offset


def catch_up(workspace: Workspace, now: float, starting: str = "") -> int:
    """Capture at most the ``MOST`` newest conversations that ended, but for the one that is ``starting``; return how
    many."""
    ended = [state for state in read_states(workspace) if state["id"] != starting and _has_ended(workspace, state, now)]
    ended.sort(key=lambda state: str(state.get("last_activity")), reverse=True)
    return sum(_catch_up_with(workspace, state, now) for state in ended[:MOST])


def hear_rest(workspace: Workspace, now: float, starting: str) -> int:
    """Hear what ``find_unheard`` finds; return in how many."""
    return sum(_catch_up_with(workspace, state, now, turn=True) for state in find_unheard(workspace, starting))


def hear_now(workspace: Workspace, state: dict[str, Any], now: float) -> None:
    if is_read(state) and load_settings(workspace)[0]["memory"]["capture"]:
        _catch_up_with(workspace, state, now, turn=True)


def _capture(
    workspace: Workspace, conversation: Conversation, known: Captured, turn: bool, ended: bool
) -> dict[str, int]:
    start = known.reach if turn else known.before
    messages, end = read_conversation(conversation, workspace.root, start)
    if conversation.pausing:
        messages = _before(messages, conversation.pausing)
    if messages and messages[0].offset < start:  # another file in its place: nothing of it was captured
        known = Captured()
    project = open_as(workspace, conversation.caller)
    library = open_library(project)
    heard = find_heard(messages, known.heard if turn else known.offset)
    new = [each for each in heard if each.offset >= known.heard]
    counts = keep_heard(library, new, _asked(workspace, conversation, messages, known.heard))
    if not turn:
        counts["gotchas"] = keep_memories(project, library, messages, known.offset, heard)
    withdraw_left(project, library, conversation)
    update_index(library)
    if not turn:
        counts["observed"] = keep_observations(project, messages, ended)
    reach = messages[-REACH:][0].offset if messages else known.heard
    done = known.replace(heard=end, reach=reach)
    title = captured_title(workspace, conversation.session)
    if not turn:
        done = done.replace(before=reach, offset=end)
        if not title and not known.offset:
            title = clip(find_subject(messages), LONGEST_TITLE)
    mark = {"transcript": conversation.transcript, "title": title, **done.__dict__}
    write_atomic(capture_mark(workspace, conversation.session), json.dumps(mark), follow=False)
    return counts


def _before(messages: list[Message], pausing: str) -> list[Message]:
    """Without the prompt that pauses, which the transcript may hold already, and what follows it."""
    said = [place for place, each in enumerate(messages) if each.role == "user"]
    newest = messages[said[-1]] if said else Message(role="user")
    is_that = newest.text.strip()[:OPENING] in pausing or (newest.prompt and newest.prompt in pausing)
    return messages[: said[-1]] if said and is_that else messages


def _asked(workspace: Workspace, conversation: Conversation, messages: list[Message], since: int) -> list[str]:
    """What the conversation was asked for: nothing, if the command to answer by did not run since. If it was the bare
    name, the path is told from now on."""
    called = [each for each in messages if each.offset >= since and NAME_OF_US in each.tool_input.get("command", "")]
    name = next(filter(None, (name_not_run(each.text + each.error) for each in called)), "")
    if not name:
        return [str(id) for id in read_state(workspace, conversation.session).get("asked") or ()]
    take_back_asked(workspace, conversation.session)
    if name == NAME_OF_US:
        with suppress(OSError):
            note_found(conversation.host, False, conversation.now)
    return []


def _catch_up_with(workspace: Workspace, state: dict[str, Any], now: float, turn: bool = False) -> bool:
    session, agent = state["id"], active_agent(workspace, state["id"])
    ended = Conversation(session=session, now=now, host=state["host"], transcript=state["transcript"], agent=agent)
    try:
        capture(workspace, ended, turn)
        note_title(workspace, session, captured_title(workspace, session))
    except LimpetError:  # another capture of it is at work, or a memory cannot be written
        return False
    return True


def _has_ended(workspace: Workspace, state: dict[str, Any], now: float) -> bool:
    if not is_read(state):
        return False
    path = state["transcript"]
    try:
        written = os.stat(path).st_mtime
    except (OSError, ValueError):
        return False
    if now - written <= QUIET or size_of(path) <= captured_until(workspace, state["id"], path):
        return False
    return not is_kept_out(state["id"], state["host"], path)


def keep_memories(project: Project, library: Library, messages: list[Message], since: int, heard: list[Heard]) -> int:
    """Return the number of gotchas. ``since``: the byte at which the last capture ended. The messages reach back before
    it, so that a failure there meets the correction that came after it."""
    gotchas = keep_failures(library, messages)
    keep_workarounds(library, read_mends(messages))
    new = [message for message in messages if message.offset >= since]
    if new:
        confirm_shown(library, new)
        keep_digest(library, new, heard)
        note_level(project.workspace, new)
    return gotchas


def keep_observations(project: Project, messages: list[Message], ended: bool) -> int:
    """Consolidate where it ``ended`` with something observed. 0 where a file that a person wrote cannot be read."""
    observed = 0
    with suppress(LimpetError):
        observed = observe_deeds(project, messages, ended)
        if ended and observations_of(project.workspace, source_of(conversation=project.caller.conversation))[0]:
            consolidate_project(project)
    return observed


def confirm_shown(library: Library, messages: Sequence[Message]) -> None:
    shown = library.shown_in(library.session) if messages else {}
    if not shown:
        return
    cards = library.list(Query(limit=EVERYTHING, now=library.clock.now())).cards
    used = [card.id for card in cards if card.id in shown and _is_used(card, messages, shown[card.id])]
    if used:
        library.confirm(used, WHY_CONFIRMED, APPLIED)


def keep_digest(library: Library, messages: Sequence[Message], heard: Sequence[Heard]) -> None:
    """What was decided, which errors were mended and how, and what is under way. Every agent may read a digest, so what
    an active agent concluded for itself is left to its own memories."""
    done, action = activity(messages), next_action(messages)
    has_agent = bool(library.reader.agent)
    stated = [one for one in heard if one.type in STATED_TYPES or (one.type in TOLD and not has_agent)]
    if not stated and not done.files and not done.runs:
        return
    now = library.clock.now()
    query = Query(session=library.session, tag=DIGEST, owners=owners(library.reader), limit=1, now=now)
    known = library.list(query).cards
    if known:
        before = library.find(known[0].id)
        _, body = write_digest(stated, done, before.entry.created_at[:10], before.entry.body, action=action)
        library.edit(known[0].id, {"body": body}, WHY_DIGEST)
        return
    began = iso(next((message.at for message in messages if message.at), now))
    title, body = write_digest(stated, done, began[:10], subject=find_subject(messages), action=action)
    fields = {
        "type": "episodic",
        "title": title,
        "body": body,
        "tags": (DIGEST,),
        "created_at": began,
        "storage": "daily",
        "agent": library.reader.agent,
        "source": library.writer,
        "session": library.session,
        "confidence": library.settings["confidence"]["told"],
        "evidence": (),  # nobody said it
    }
    library.add(fields, SHARED, WHY_DIGEST)


def _is_used(card: Card, messages: Sequence[Message], since: float) -> bool:
    name = card.id[-NAME:]
    after = [message for message in messages if message.at >= int(since)]  # times of logs are whole seconds
    if any(message.role == "assistant" and _cites(message.text, name) for message in after):
        return True
    named = _identifiers(f"{card.title} {card.excerpt}")
    for message in after if named else ():
        given = message.tool_input
        touched = f"{message.edited} {given.get('file_path', '')} {given.get('command', '')}"
        if message.role == "tool" and named & _identifiers(touched):
            return True
    return False


def _cites(text: str, name: str) -> bool:
    begun = {word for word in _WORD.findall(text) if name.startswith(word)}
    return any(word == name or not (word.isalpha() or word.isdigit()) for word in begun)


def _identifiers(text: str) -> set[str]:
    return {word.whole for word in read_prompt_words(text) if word.identifier}
