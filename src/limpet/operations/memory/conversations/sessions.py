"""Searching past conversations of a project: their transcripts are the hosts', and what is searched is an index of the
words that people and models said in them, without secrets and without what tools printed."""

from __future__ import annotations

import json
import os
from collections.abc import Collection
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.safety.instructions import flags_of
from limpet.ground.safety.redaction import redact
from limpet.ground.storage.files import read_text, write_atomic
from limpet.ground.workspace import Workspace
from limpet.memory.model.entry import Query
from limpet.memory.model.rights import refuse_agents
from limpet.memory.sessions import SessionPassage, Sessions, open_sessions, split_text
from limpet.operations.caller import active_agent
from limpet.operations.conversations import full_name, read_states
from limpet.operations.memory.conversations.conversation import is_kept_out, refuse_paused
from limpet.operations.project import Project
from limpet.transcripts.registry import transcript_of
from limpet.transcripts.tail import size_of
from limpet.work.session import UNATTENDED

# Bytes of transcripts that one command reads; the newest conversations come first, the others with the next one.
MOST_READ = 200_000_000
_OFF = "Past conversations are not searched while memory.capture is false"


def search_sessions(project: Project, query: Query) -> tuple[list[SessionPassage], int]:
    """Return the passages, best first, and how many conversations have words that are not in the index yet. The
    conversation that asks is not searched. An agent finds what was said where it was at work, or no agent; of what
    reads like an instruction it is told that it is there."""
    refuse_paused(project.caller)
    reader = project.caller.reader
    agents = None if reader.person else tuple(dict.fromkeys((reader.agent, "")))
    with open_sessions(project.workspace.cache) as sessions:
        unread = _fill(project, sessions)
        within, asking = full_name(project.workspace, query.session), project.caller.conversation
        found = sessions.search(query.text, query.limit, agents, within, asking, query.since, query.until)
    return [passage if agents is None or not passage.flagged else passage.replace(text="") for passage in found], unread


def index_sessions(project: Project) -> int:
    """Return how many conversations are left to be read. Nothing happens before the first search."""
    if not os.path.isfile(project.workspace.cached("sessions.db")):
        return 0
    with open_sessions(project.workspace.cache) as sessions:
        return _fill(project, sessions)


def forget_session(project: Project, key: str) -> tuple[str, int]:
    """``key``: an id or a beginning that no other has. Return the id, and how many passages went. For people only."""
    refuse_agents(project.caller.reader, "forget a conversation")
    with open_sessions(project.workspace.cache) as sessions:
        known = {state["id"] for state in read_states(project.workspace)} | {each[0] for each in sessions.listed()}
        found = [name for name in sorted(known) if name == key] or [name for name in known if name.startswith(key)]
        if len(found) != 1:
            what = f"{len(found)} conversations match this ID" if found else "No conversation with this ID"
            raise LimpetError(what, key, "Run: limpet sessions")
        path = _forgotten_path(project.workspace)
        try:
            write_atomic(path, json.dumps(sorted({*_forgotten(project.workspace), found[0]})), follow=False)
        except OSError as error:
            raise LimpetError(f"Cannot write the file ({error.strerror})", path) from None
        return found[0], sessions.remove(found[0])


def _fill(project: Project, sessions: Sessions) -> int:
    workspace, secrets, memory = project.workspace, project.secrets, project.settings["memory"]
    if not memory["capture"]:
        raise LimpetError(_OFF, "", "Run: limpet config set memory.capture true")
    forgotten, left, unread = _forgotten(workspace), MOST_READ, 0
    for state in sorted(read_states(workspace), key=lambda state: str(state.get("last_activity")), reverse=True):
        session, path = state["id"], state.get("transcript")
        if state.get(UNATTENDED):
            continue
        if session in forgotten or not isinstance(path, str) or transcript_of(str(state.get("host"))) is None:
            continue
        known, end = sessions.read_to(session)
        grown = size_of(path) - (end if known == path else 0)
        if not grown or is_kept_out(session, str(state["host"]), path):
            continue
        if abs(grown) > left and left < MOST_READ:
            unread += 1
            continue
        left -= abs(grown)
        _read(workspace, sessions, state, end if known == path else 0, memory["sessions"]["passage"], secrets)
    sessions.shrink(memory["sessions"]["characters"])
    return unread


def _read(
    workspace: Workspace, sessions: Sessions, state: dict[str, Any], since: int, longest: int, secrets: Collection[str]
) -> None:
    session, path = state["id"], state["transcript"]
    reader = transcript_of(state["host"])
    assert reader is not None
    if any(message.offset < since for message in reader.read_messages(path, left=True)[0]):
        since = 0  # which was said no more may be in the index
    messages, end = reader.read_messages(path, since, root=workspace.root)
    if not since or (messages and messages[0].offset < since):  # another file in its place
        sessions.remove(session)
    passages: list[SessionPassage] = []
    for message in messages:
        text = "" if message.role == "tool" else redact(message.text, known=secrets)
        for part in split_text(text, longest) if text else ():
            flagged = bool(flags_of(part)) and message.role != "user"
            passages.append(SessionPassage(session, message.role, message.at, part, flagged))
    sessions.add(session, active_agent(workspace, session), passages, path, end)


def _forgotten(workspace: Workspace) -> frozenset[str]:
    try:
        found = json.loads(read_text(_forgotten_path(workspace)) or "[]")
    except ValueError:
        return frozenset()
    return frozenset(map(str, found)) if isinstance(found, list) else frozenset()


def _forgotten_path(workspace: Workspace) -> str:
    """The list of conversations that are not searched outlives the cache, which may be deleted."""
    return os.path.join(workspace.shared, "forgotten-sessions.json")
