"""The capture of a conversation: its transcript becomes candidates after each turn, and gotchas and a digest before a
compaction and at its end.

Only what was added to the transcript since the last capture is read, and a little before it. The same words in a copy
of the conversation (a fork) have the same timestamp and count once.
"""

from __future__ import annotations

import json
import os
from typing import Any

from limpet.ground.digest import safe_name
from limpet.ground.errors import LimpetError
from limpet.ground.formats.json_text import read_object
from limpet.ground.storage.files import Lock, read_text, write_atomic
from limpet.ground.text.escaping import clip
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.memory.capture.digest import find_subject
from limpet.memory.capture.find import find_heard
from limpet.memory.catalogue import EVERYTHING
from limpet.memory.model.entry import Query
from limpet.operations.caller import active_agent
from limpet.operations.conversations import note_title, read_states
from limpet.operations.memory.candidates import keep_candidates
from limpet.operations.memory.conversations.conversation import (
    LONGEST_TITLE,
    Conversation,
    capture_mark,
    captured_title,
    is_kept_out,
    read_conversation,
)
from limpet.operations.memory.conversations.outcome import keep_memories, keep_observations
from limpet.operations.memory.library import open_library, update_index
from limpet.operations.project import open_as
from limpet.transcripts.registry import TRANSCRIPTS
from limpet.transcripts.tail import size_of
from limpet.work.session import read_state

# Seconds to wait for another capture of the same conversation.
PATIENCE = 15.0
# Messages that the next capture reads again, so that a failure and its correction meet.
REACH = 100
# Characters of a conversation's title.
# Seconds without a new line after which a transcript counts as ended.
QUIET = 600.0
# Conversations that one start catches up with: the second process has other jobs to do.
MOST = 10


class Captured(Value):
    """How far a conversation's transcript was captured, in bytes.

    ``offset``: where the last capture ended; ``before``: where the next one begins to read.
    ``heard``: what was said is heard up to there; ``reach``: where a turn's capture begins to read.
    """

    before: int = 0
    offset: int = 0
    reach: int = 0
    heard: int = 0


def capture(workspace: Workspace, conversation: Conversation, turn: bool = False, ended: bool = True) -> dict[str, int]:
    """Capture the conversation; return the number of new candidates (``noted``), of ``gotchas`` and of observations
    (``observed``).

    ``turn``: only a turn of it is over, so that candidates alone are looked for. ``ended``: whether the conversation
    is, and not only compacted. Nothing is read of a private one.
    Raises LimpetError while another capture of this conversation is at work.
    """
    session, transcript = conversation.session, conversation.transcript
    if is_kept_out(session, conversation.host, transcript):
        return {}
    lock = os.path.join(workspace.shared, "cache", "locks", f"capture-{safe_name(session)}.lock")
    with Lock(lock, patience=PATIENCE) as held:
        if not held:
            raise LimpetError("Another process is capturing this conversation", session)
        known = _readcapture_mark(workspace, session, transcript)
        if turn and size_of(transcript) == known.heard:
            return {}
        counts = _capture(workspace, conversation, known, turn, ended)
    return {name: count for name, count in counts.items() if count}


def captured_memories(workspace: Workspace, conversation: Conversation) -> dict[str, str]:
    """Return id -> title of the memories that were made of the conversation and are in force."""
    query = Query(session=conversation.session, digests=False, limit=EVERYTHING, now=conversation.now)
    cards = open_library(open_as(workspace, conversation.caller)).list(query).cards
    return {card.id: card.title for card in cards if not card.flags}


def captured_until(workspace: Workspace, session: str, transcript: str) -> int:
    """Return the byte of the transcript up to which the conversation was captured."""
    return _readcapture_mark(workspace, session, transcript).offset


def catch_up(workspace: Workspace, now: float, starting: str = "") -> int:
    """Capture at most the ``MOST`` newest of the conversations that ended and were not captured to their end; return
    how many were captured. ``starting`` is the id of the conversation that starts, which is left alone."""
    ended = [state for state in read_states(workspace) if state["id"] != starting and _has_ended(workspace, state, now)]
    ended.sort(key=lambda state: str(state.get("last_activity")), reverse=True)
    return sum(_catch_up_with(workspace, state, now) for state in ended[:MOST])


def _capture(
    workspace: Workspace, conversation: Conversation, known: Captured, turn: bool, ended: bool
) -> dict[str, int]:
    start = known.reach if turn else known.before
    messages, end = read_conversation(conversation, workspace.root, start)
    if messages and messages[0].offset < start:  # another file in its place: nothing of it was captured
        known = Captured()
    project = open_as(workspace, conversation.caller)
    library = open_library(project)
    heard = find_heard(messages, known.heard if turn else known.offset)
    new = [each for each in heard if each.offset >= known.heard]
    asked = [str(id) for id in read_state(workspace, conversation.session).get("asked") or ()]
    counts = {"noted": keep_candidates(library, new, asked)}
    if not turn:
        counts["gotchas"] = keep_memories(project, library, messages, known.offset, heard)
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


def _readcapture_mark(workspace: Workspace, session: str, transcript: str) -> Captured:
    """Return how far the transcript was captured; nothing of it where the mark is of another one, or not sound."""
    mark = read_object(read_text(capture_mark(workspace, session)))
    numbers = {name: mark[name] for name in Captured.fields if isinstance(mark.get(name), int)}
    known = Captured(**numbers)
    is_ordered = 0 <= known.before <= known.offset <= known.heard and 0 <= known.reach <= known.heard
    is_sound = is_ordered and known.heard <= size_of(transcript)
    return known if is_sound and mark.get("transcript") == transcript else Captured()


def _catch_up_with(workspace: Workspace, state: dict[str, Any], now: float) -> bool:
    session, agent = state["id"], active_agent(workspace, state["id"])
    ended = Conversation(session=session, now=now, host=state["host"], transcript=state["transcript"], agent=agent)
    try:
        capture(workspace, ended)
        note_title(workspace, session, captured_title(workspace, session))
    except LimpetError:  # another capture of it is at work, or a memory cannot be written
        return False
    return True


def _has_ended(workspace: Workspace, state: dict[str, Any], now: float) -> bool:
    try:
        written = os.stat(str(state.get("transcript"))).st_mtime
    except (OSError, ValueError):
        return False
    return now - written > QUIET and _is_new(workspace, state)


def _is_new(workspace: Workspace, state: dict[str, Any]) -> bool:
    path = state.get("transcript")
    if not isinstance(path, str) or state.get("host") not in TRANSCRIPTS:
        return False
    has_grown = size_of(path) > captured_until(workspace, state["id"], path)
    return has_grown and not is_kept_out(state["id"], state["host"], path)
