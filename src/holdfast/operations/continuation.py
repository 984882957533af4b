"""The continuation of a conversation: where it stands and what matters now, complete enough to work from alone. Written
before a compaction, on entering CRITICAL (decision 6) and before a fresh conversation takes over."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from holdfast.ground.clock import iso
from holdfast.ground.config.settings import load_settings
from holdfast.ground.safety.dotenv import read_secrets
from holdfast.ground.workspace import Workspace
from holdfast.memory.library import Library
from holdfast.memory.model.access import Reader, owners
from holdfast.memory.model.card import Query
from holdfast.memory.model.entry import DIGEST
from holdfast.operations.caller import Caller, Surroundings
from holdfast.operations.memory.conversation import outcome, read_talk
from holdfast.operations.memory.library import open_library
from holdfast.operations.memory.quotes import quote_memories
from holdfast.operations.work_status import read_standing
from holdfast.work.recovery.continuation import Continuation, summary_lines
from holdfast.work.recovery.store import continuation_name, write_continuation


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """Write the file; ``path`` from the project's root, ``lines`` for the block after a compaction, and how many
    ``memories`` it quotes."""
    session = str(orders["session"])
    caller = Caller(
        reader=Reader(agent=str(orders.get("agent") or "")),
        now=float(orders["now"]),
        surroundings=Surroundings(conversation=session),
        by="continuation",
    )
    library = open_library(workspace, caller)
    quoted = quote_memories(library, str(orders.get("text") or ""))
    written = write_continuation(workspace, _gather(workspace, orders, library, quoted))
    path = continuation_name(session)
    return {"path": path, "lines": list(summary_lines(written, path=path)), "memories": len(quoted)}


def _gather(workspace: Workspace, orders: dict[str, Any], library: Library, quoted: Sequence[str]) -> Continuation:
    host, transcript = str(orders.get("host") or ""), str(orders.get("transcript") or "")
    typed, secrets = str(orders.get("text") or ""), read_secrets(Path(workspace.root))
    talk = read_talk(host, transcript, workspace.root, typed, library.settings, secrets)
    settings, _ = load_settings(workspace)
    standing = read_standing(workspace, library.session, library.reader.agent, settings)
    return Continuation(
        at=iso(library.clock.now()),
        session=library.session,
        host=host,
        **{
            **standing,
            "questions": (*talk.done.questions, *standing["questions"]),
            "pointers": (*standing["pointers"], *_digest(library)),
        },
        requests=talk.requests,
        decisions=talk.decisions,
        files=tuple(path for path, _ in talk.done.files),
        commands=tuple(map(outcome, talk.done.runs)),
        memories="\n".join(quoted),
    )


def _digest(library: Library) -> tuple[str, ...]:
    """Where the conversation's digest stands, if it has one."""
    query = Query(session=library.session, tag=DIGEST, owners=owners(library.reader), limit=1, now=library.clock.now())
    return tuple(f"what the conversation did: holdfast memory show {card.id}" for card in library.list(query).cards)
