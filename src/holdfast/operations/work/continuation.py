"""The continuation of a conversation: where it stands and what matters now, complete enough to work from alone. Written
before a compaction, on entering CRITICAL (decision 6) and before a fresh conversation takes over."""

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
from holdfast.operations.memory.conversation import Conversation, outcome, read_talk
from holdfast.operations.memory.library import open_library
from holdfast.operations.memory.quotes import quote_memories
from holdfast.operations.work.status import active_agent, read_status
from holdfast.work.recovery.continuation import Continuation, summary_lines
from holdfast.work.recovery.store import continuation_name, write_continuation


class Kept(Value):
    """A continuation that was written.

    ``path``: from the project's root.
    ``lines``: what the block says of it after a compaction.
    ``memories``: how many it quotes.
    """

    path: str
    lines: tuple[str, ...]
    memories: int


def describe_conversation(workspace: Workspace, state: Mapping[str, Any], now: float) -> Conversation:
    """Return the conversation that has this state, as what is kept of it ``now`` needs to know it."""
    session = str(state.get("id") or "")
    return Conversation(
        session=session,
        now=now,
        host=str(state.get("host") or ""),
        transcript=str(state.get("transcript") or ""),
        agent=active_agent(workspace, session),
    )


def keep_continuation(workspace: Workspace, conversation: Conversation, typed: str = "") -> Kept:
    """Write the conversation's continuation; ``typed`` is what the user just said, if its transcript may not hold it
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
    talk = read_talk(conversation.host, conversation.transcript, workspace.root, typed, library.settings, secrets)
    status = read_status(workspace, conversation.session, conversation.agent, load_settings(workspace)[0])
    return Continuation(
        at=iso(library.clock.now()),
        session=conversation.session,
        host=conversation.host,
        **{
            **status,
            "questions": (*talk.done.questions, *status["questions"]),
            "pointers": (*status["pointers"], *_digest(library)),
        },
        requests=talk.requests,
        decisions=talk.decisions,
        files=tuple(path for path, _ in talk.done.files),
        commands=tuple(map(outcome, talk.done.runs)),
        memories="\n".join(quoted),
    )


def _digest(library: Library) -> tuple[str, ...]:
    """Return where the conversation's digest stands, if it has one."""
    query = Query(session=library.session, tag=DIGEST, owners=owners(library.reader), limit=1, now=library.clock.now())
    return tuple(f"what the conversation did: holdfast memory show {card.id}" for card in library.list(query).cards)
