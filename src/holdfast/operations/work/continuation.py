"""Writes the continuation of a conversation: the state of its work and the memories that matter, enough to work from
it alone. One is written before a compaction, on entering CRITICAL (decision 6) and before a fresh conversation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from holdfast.ground.clock import iso
from holdfast.ground.config.settings import load_settings
from holdfast.ground.safety.dotenv import read_secrets
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.memory.library import Library
from holdfast.memory.model.access import owners
from holdfast.memory.model.card import Query
from holdfast.memory.model.entry import DIGEST
from holdfast.operations.memory.conversations.conversation import Conversation, outcome, summarize_epoch
from holdfast.operations.memory.library import open_library
from holdfast.operations.memory.quotes import quote_memories
from holdfast.operations.work.status import active_agent, read_status
from holdfast.work.recovery.continuation import Continuation, summary_lines
from holdfast.work.recovery.store import continuation_name, write_continuation


class Kept(Value):
    """A continuation that was written.

    ``path``: from the project's root.
    ``lines``: its summary for the block after a compaction.
    ``memories``: the number of memories that it quotes.
    """

    path: str
    lines: tuple[str, ...]
    memories: int


def describe_conversation(workspace: Workspace, state: Mapping[str, Any], now: float) -> Conversation:
    """Return the conversation of this state, to be captured ``now``, in seconds since 1970."""
    session = str(state.get("id") or "")
    return Conversation(
        session=session,
        now=now,
        host=str(state.get("host") or ""),
        transcript=str(state.get("transcript") or ""),
        agent=active_agent(workspace, session),
    )


def keep_continuation(workspace: Workspace, conversation: Conversation, typed: str = "") -> Kept:
    """Write the conversation's continuation; ``typed`` is the prompt just typed, if the transcript may not hold it
    yet. Raises HoldfastError, with nothing written."""
    library = open_library(workspace, conversation.caller.replace(by="continuation"))
    quoted = quote_memories(library, typed)
    written = write_continuation(workspace, _gather(workspace, conversation, typed, library, quoted))
    path = continuation_name(conversation.session)
    return Kept(path=path, lines=summary_lines(written, path=path), memories=len(quoted))


def _gather(
    workspace: Workspace, conversation: Conversation, typed: str, library: Library, quoted: Sequence[str]
) -> Continuation:
    secrets = read_secrets(Path(workspace.root))
    epoch = summarize_epoch(
        conversation.host, conversation.transcript, workspace.root, typed, library.settings, secrets
    )
    status = read_status(workspace, conversation.session, conversation.agent, load_settings(workspace)[0])
    return Continuation(
        at=iso(library.clock.now()),
        session=conversation.session,
        host=conversation.host,
        **{
            **status,
            "questions": (*epoch.done.questions, *status["questions"]),
            "pointers": (*status["pointers"], *_digest(library)),
        },
        requests=epoch.requests,
        decisions=epoch.decisions,
        files=tuple(path for path, _ in epoch.done.files),
        commands=tuple(map(outcome, epoch.done.runs)),
        memories="\n".join(quoted),
    )


def _digest(library: Library) -> tuple[str, ...]:
    """Return a line that points to the conversation's digest, if it has one."""
    query = Query(session=library.session, tag=DIGEST, owners=owners(library.reader), limit=1, now=library.clock.now())
    return tuple(f"what the conversation did: holdfast memory show {card.id}" for card in library.list(query).cards)
